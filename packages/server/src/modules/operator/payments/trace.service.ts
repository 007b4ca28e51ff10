import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { listPaymentCases } from '../../cases/service.ts'
import { listPaymentEvents } from '../../events/feed/payment-events.service.ts'
import { createDeliveryLog } from '../../events/log/log.service.ts'
import { listPaymentCallbacks } from '../../events/log/subject-log.service.ts'
import { createEventReader } from '../../events/messages/reader.service.ts'
import { findPaymentRequest, getAttemptHistory } from '../../payments/read/attempt-history.service.ts'
import type { AnyPaymentReport } from '../../payments/read/search.service.ts'
import { firstIdAt } from '../../portal/developers/request-log.rules.ts'
import { listLoggedRequests } from '../../portal/developers/request-log.service.ts'
import type { KeptRequest } from '../../portal/developers/request-log.types.ts'
import type { TraceStep } from './trace.types.ts'
import type { TraceFacts } from './trace.view.ts'
import { traceOf } from './trace.view.ts'

export type TraceSettings = { readonly database: Database; readonly vault: Vault }

/** Longest time that a request can be open, with a reserve for the log, which is written when the request ends. */
const REQUEST_MS_MAX = 60_000
const REQUESTS_MAX = 1_000

/** Reads everything that happened to a payment, in the order of time. */
export async function tracePayment(settings: TraceSettings, report: AnyPaymentReport): Promise<TraceStep[]> {
  const { database } = settings
  const { payment, resellerId, timeline, entries } = report
  const states = timeline.filter(({ kind }) => kind === 'state')
  const changes = [payment.createdAt, ...states.map(({ at }) => at)]
  return traceOf({
    report,
    history: await getAttemptHistory(database, payment),
    requestId: await findPaymentRequest(database, payment),
    requests: await listRequestsAround(database, report),
    entries,
    events: await listPaymentEvents(database, resellerId, payment.id, changes),
    deliveries: await listDeliveries(settings, report, states),
    cases: await listPaymentCases(database, resellerId, payment.id),
  })
}

function listRequestsAround(
  database: Database,
  { account, payment }: AnyPaymentReport,
): Promise<KeptRequest[]> {
  const takenMs = payment.createdAt.getTime()
  return listLoggedRequests(database, account, {
    fromId: firstIdAt(takenMs - 1_000),
    untilId: firstIdAt(takenMs + REQUEST_MS_MAX),
    failedOnly: false,
    error: null,
    limit: REQUESTS_MAX,
  })
}

async function listDeliveries(
  { database, vault }: TraceSettings,
  { resellerId, payment }: AnyPaymentReport,
  states: AnyPaymentReport['timeline'],
): Promise<TraceFacts['deliveries']> {
  // Problems with unreadable contents are ignored, because the trace leaves the contents out.
  const reader = createEventReader({ database, vault })
  const log = createDeliveryLog({ database, vault, reader, onProblem: () => {} })
  const callbacks = await listPaymentCallbacks({ database, log }, resellerId, payment.id, states)
  return Promise.all(
    callbacks.map(async (logged) => {
      const { stream, id } = logged.delivery
      return { logged, attempts: await log.getAttempts(resellerId, stream, id) }
    }),
  )
}
