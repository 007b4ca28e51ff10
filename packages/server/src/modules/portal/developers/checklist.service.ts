import { listAllowlist, listApiKeys } from '../../accounts/keys.service.ts'
import { STREAMS } from '../../events/types.ts'
import { findFirstPayment } from '../../payments/read/summaries.service.ts'
import { standingsOf } from '../../sessions/people/standings.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { listThresholds } from '../../wallet/balance/thresholds.service.ts'
import type { PortalSettings } from '../access/types.ts'
import type { Checklist } from './checklist.rules.ts'
import { checklistOf, earliest } from './checklist.rules.ts'
import { findFirstSignedCall } from './request-log.service.ts'

/** Reads how far an account has come, from what it has really done. */
export async function readChecklist(settings: PortalSettings, caller: MemberCaller): Promise<Checklist> {
  const { database, endpoints, environment } = settings
  const { id, account } = caller.reseller
  // The reads run one after another, so that one page takes one connection of the pool and not all of them.
  const keys = await listApiKeys(database, id)
  const successes: (Date | null)[] = []
  for (const stream of STREAMS) successes.push((await endpoints.find(id, stream))?.lastSuccessAt ?? null)
  const standingOf = await standingsOf(database, id, [caller.userId])
  const networks = await listAllowlist(database, id)
  const thresholds = await listThresholds(database, id)
  return checklistOf({
    key_made: earliest(keys.map(({ createdAt }) => createdAt)),
    first_signed_call: await findFirstSignedCall(database, account),
    callback_verified: earliest(successes),
    first_payment: await findFirstPayment(database, id),
    second_factor: standingOf(caller.userId).secondFactorAt,
    low_balance_threshold: earliest(thresholds.map(({ at }) => at)),
    allowlist: earliest(networks.map(({ createdAt }) => createdAt)),
    isProduction: environment === 'production',
  })
}
