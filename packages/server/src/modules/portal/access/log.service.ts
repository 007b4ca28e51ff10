import type { Database, Tx } from '../../../db/database.ts'
import { audited } from '../../audit/service.ts'
import type { Done } from '../../audit/types.ts'
import type { Write } from '../../events/endpoints/endpoints.service.ts'
import type { Endpoint } from '../../events/endpoints/endpoints.types.ts'
import type { Stream } from '../../events/types.ts'
import { MASKS } from '../../payments/core/masks.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import type { PortalSettings } from './types.ts'

// Every change by a member in the portal is written to the audit log, in the same commit.

/** Reason of every change in the portal: members are not asked for one. */
export const REASON = 'in the portal'

export type AuditSettings = { readonly sessions: Pick<PortalSettings['sessions'], 'audit'> }

export function logged<T>(
  { sessions }: AuditSettings,
  caller: MemberCaller,
  action: string,
  work: (tx: Tx, database: Database) => Promise<Done<T>>,
): Promise<T> {
  return audited(sessions.audit, { caller, action, reason: REASON }, work)
}

/**
 * Makes a change of an endpoint and logs it. The log holds the last four characters of its secret, and its URL without
 * the query.
 */
export function loggedEndpoint(
  settings: AuditSettings & Pick<PortalSettings, 'endpoints'>,
  caller: MemberCaller,
  action: string,
  stream: Stream,
): Write {
  const { id, account } = caller.reseller
  return (work) =>
    logged(settings, caller, action, async (tx) => {
      const before = rowOf(await settings.endpoints.find(id, stream, tx))
      const result = await work(tx)
      const after = rowOf(await settings.endpoints.find(id, stream, tx))
      return { target: { kind: 'endpoint', id: `${account}/${stream}` }, before, after, result }
    })
}

function rowOf(endpoint: Endpoint | undefined) {
  if (endpoint === undefined) return null
  const { url, method, isEnabled, types, secretLastFour } = endpoint
  return { url: MASKS.url(url), method, enabled: isEnabled, types, last_four: secretLastFour }
}
