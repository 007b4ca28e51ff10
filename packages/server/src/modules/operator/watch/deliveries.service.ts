import { invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { count, optional } from '../../../lib/input/parameters.ts'
import { findReseller } from '../../accounts/public.sql.ts'
import { getReseller, resellerNotFound } from '../../accounts/service.ts'
import { audited } from '../../audit/service.ts'
import type { AuditCaller } from '../../audit/types.ts'
import type { EndpointStatus } from '../../events/endpoints/endpoints.types.ts'
import type { OperatedEndpoint } from '../../events/endpoints/operators.service.ts'
import {
  ENDPOINT_FILTER,
  getEndpoint,
  listDeliveryQueues,
  listEndpoints,
  pauseEndpoint,
  readStream,
  resumeEndpoint,
} from '../../events/endpoints/operators.service.ts'
import { isPlain, plainText, unknown } from '../console/pages.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import { endpointView } from './deliveries.view.ts'

type DeliveryContext = Pick<MoneyContext, 'database' | 'log'>

const LIMIT = optional(count(1, 1_000), 100)

export const LIST_RULES = { limit: LIMIT, account: optional(plainText(40), null), ...ENDPOINT_FILTER }

/** Lists the queue of each receiver; the one that has waited longest comes first. */
export function listQueuesForOperators(
  { database }: DeliveryContext,
  query: { readonly limit?: string | undefined },
) {
  return listDeliveryQueues(database, readFields({ limit: LIMIT }, query).limit)
}

export type EndpointListQuery = {
  readonly account?: string | undefined
  readonly stream?: string | undefined
  readonly state?: string | undefined
  readonly limit?: string | undefined
}

export async function listEndpointsForOperators(
  { database }: DeliveryContext,
  query: EndpointListQuery,
): Promise<readonly OperatedEndpoint[]> {
  const { limit, account } = readFields({ limit: LIMIT, account: LIST_RULES.account }, query)
  const reseller = account === null ? undefined : await findReseller(database, account)
  if (account !== null && reseller === undefined) {
    throw invalidFields({ account: [(await resellerNotFound(database, account)).publicText] })
  }
  const resellerId = reseller?.id ?? null
  return listEndpoints(database, { resellerId, stream: query.stream, state: query.state, limit })
}

export type EndpointKey = { readonly account: string; readonly stream: string }
export type EndpointReport = OperatedEndpoint & { readonly status: EndpointStatus }

export async function getEndpointForOperators(
  { database }: Pick<DeliveryContext, 'database'>,
  { account, stream }: EndpointKey,
): Promise<EndpointReport> {
  if (!isPlain(account)) throw unknown('reseller')
  const { id } = await getReseller(database, account)
  return { account, ...(await getEndpoint(database, id, readStream(stream))) }
}

const SWITCHES = { pause: pauseEndpoint, resume: resumeEndpoint }

/** Pauses a receiver or resumes it, for every face. */
export async function switchEndpoint(
  { log }: Pick<DeliveryContext, 'log'>,
  caller: AuditCaller,
  place: EndpointKey,
  to: keyof typeof SWITCHES,
  reason: unknown,
): Promise<EndpointReport> {
  return audited(log, { caller, action: `endpoint.${to}`, reason }, async (_tx, database) => {
    const before = await getEndpointForOperators({ database }, place)
    const { resellerId, stream } = before.endpoint
    await SWITCHES[to](database, resellerId, stream)
    const after = await getEndpointForOperators({ database }, place)
    return {
      target: { kind: 'endpoint', id: `${place.account}/${stream}` },
      before: endpointView(before),
      after: endpointView(after),
      result: after,
    }
  })
}
