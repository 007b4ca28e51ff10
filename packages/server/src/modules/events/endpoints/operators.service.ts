import type { Database, Queryable } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { oneOf, readFields, wholeNumber } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { createAccountNumbers } from '../../accounts/numbers.service.ts'
import { getReseller } from '../../accounts/service.ts'
import { STREAM_TRAITS } from '../streams.rules.ts'
import type { Stream } from '../types.ts'
import { STREAMS } from '../types.ts'
import { notConfigured } from './endpoints.rules.ts'
import { ENDPOINT_STATES, findEndpoint, findStatus, listEndpointRecords } from './endpoints.sql.ts'
import type { Endpoint, EndpointStatus } from './endpoints.types.ts'
import type { Queue } from './operators.sql.ts'
import { listQueues, updatePaused } from './operators.sql.ts'

const LIST_MAX = 1_000

export const ENDPOINT_FILTER = {
  stream: optional(oneOf(STREAMS), null),
  state: optional(oneOf(ENDPOINT_STATES), null),
}

const FILTER = { ...ENDPOINT_FILTER, limit: wholeNumber(1, LIST_MAX) }

export type OperatedEndpoint = { readonly account: string; readonly endpoint: Endpoint }

/** Lists endpoints for operators: those of all accounts, or of one. */
export async function listEndpoints(
  connection: Queryable,
  filter: { resellerId: bigint | null; stream: unknown; state: unknown; limit: unknown },
): Promise<readonly OperatedEndpoint[]> {
  const { resellerId } = filter
  const endpoints = await listEndpointRecords(connection, { resellerId, ...readFields(FILTER, filter) })
  const accounts = await createAccountNumbers(connection).of(endpoints.map((each) => each.resellerId))
  return endpoints.map((endpoint) => ({ account: accounts.get(endpoint.resellerId) ?? '', endpoint }))
}

export function readStream(value: unknown): Stream {
  return readFields({ stream: oneOf(STREAMS) }, { stream: value }).stream
}

export type ReceiverReport = OperatedEndpoint & { readonly status: EndpointStatus }

/** Reads the receiver of a reseller, whom operators know by its account number. */
export async function getReceiver(
  connection: Queryable,
  account: string,
  stream: Stream,
): Promise<ReceiverReport> {
  const { id } = await getReseller(connection, account)
  return { account, ...(await getEndpoint(connection, id, stream)) }
}

async function getEndpoint(
  connection: Queryable,
  resellerId: bigint,
  stream: Stream,
): Promise<{ endpoint: Endpoint; status: EndpointStatus }> {
  const endpoint = await findEndpoint(connection, { resellerId, stream })
  if (endpoint === undefined) throw notConfigured(stream)
  return { endpoint, status: await findStatus(connection, { resellerId, stream }) }
}

/** Pauses a webhook. Deliveries that come meanwhile are logged as failed, and can be replayed. */
export async function pauseEndpoint(database: Database, resellerId: bigint, stream: Stream): Promise<void> {
  if (!STREAM_TRAITS[stream].canPause) {
    throw new RequestError({
      status: 409,
      code: 'never_paused',
      publicText: 'Transaction callbacks are never paused.',
    })
  }
  if (!(await updatePaused(database, { resellerId, stream }, true))) throw notConfigured(stream)
}

export async function resumeEndpoint(database: Database, resellerId: bigint, stream: Stream): Promise<void> {
  if (!(await updatePaused(database, { resellerId, stream }, false))) throw notConfigured(stream)
}

export type OperatedQueue = Queue & { readonly account: string }

/** Lists the receivers that deliveries wait for, longest wait first. */
export async function listDeliveryQueues(
  connection: Queryable,
  limit: unknown,
): Promise<readonly OperatedQueue[]> {
  const read = readFields({ limit: wholeNumber(1, LIST_MAX) }, { limit })
  const queues = await listQueues(connection, read.limit)
  const accounts = await createAccountNumbers(connection).of(queues.map(({ resellerId }) => resellerId))
  return queues.map((queue) => ({ ...queue, account: accounts.get(queue.resellerId) ?? '' }))
}
