import { formatMoney } from '../../../lib/money.ts'
import type { Case } from '../../cases/types.ts'
import type { PaymentEvent } from '../../events/feed/payment-events.service.ts'
import type { LoggedDelivery } from '../../events/log/log.service.ts'
import type { Attempt } from '../../events/log/log.types.ts'
import { stateOf } from '../../payments/core/states.rules.ts'
import type { AttemptHistory } from '../../payments/read/attempt-history.types.ts'
import type { AnyPaymentReport } from '../../payments/read/search.service.ts'
import type { KeptRequest } from '../../portal/developers/request-log.types.ts'
import type { Entry } from '../../wallet/balance/types.ts'
import type { TraceStep } from './trace.types.ts'
import { STEP_KINDS } from './trace.types.ts'

/** Everything that the database knows of one payment. */
export type TraceFacts = {
  readonly report: AnyPaymentReport
  readonly history: AttemptHistory
  /** Id of the request that made the payment; undefined: it is not kept any more. */
  readonly requestId: string | undefined
  readonly requests: readonly KeptRequest[]
  readonly entries: readonly Entry[]
  readonly events: readonly PaymentEvent[]
  readonly deliveries: readonly {
    readonly logged: LoggedDelivery
    readonly attempts: readonly Attempt[]
  }[]
  readonly cases: readonly Case[]
}

/** Shows all facts in the order of their times. */
export function traceOf(facts: TraceFacts): TraceStep[] {
  const steps = [
    ...requestSteps(facts),
    ...paymentSteps(facts),
    ...attemptSteps(facts),
    ...facts.entries.map(entryStep),
    ...facts.events.map(({ at, type, eventId }) => step(at, 'event', type, { event_id: eventId })),
    ...facts.deliveries.flatMap(deliverySteps),
    ...facts.cases.flatMap(caseSteps),
  ]
  return steps.toSorted((a, b) => a.at.getTime() - b.at.getTime() || rankOf(a) - rankOf(b))
}

function rankOf({ kind }: TraceStep): number {
  return STEP_KINDS.indexOf(kind)
}

function step(
  at: Date,
  kind: TraceStep['kind'],
  text: string,
  ids: Readonly<Record<string, string | undefined>> = {},
): TraceStep {
  const known = Object.entries(ids).filter((each): each is [string, string] => each[1] !== undefined)
  return { at, kind, text, ids: Object.fromEntries(known) }
}

/** Tolerance for the times of the log, which are whole milliseconds of another moment than the commit. */
const SKEW_MS = 100
const PAY_ROUTE = '/v2/topup'

/**
 * Chooses the requests that can have made the payment. While its id is kept it is that one. Later it is one that came
 * from the same address and was open when the payment was committed.
 */
export function likelyRequests({ report, requestId, requests }: TraceFacts): readonly KeptRequest[] {
  if (requestId !== undefined) return requests.filter((each) => each.requestId === requestId)
  const { createdAt, sender } = report.payment
  const takenMs = createdAt.getTime()
  return requests.filter(({ route, address, at, durationMs }) => {
    const endedMs = at.getTime()
    const isOpen = endedMs - durationMs - SKEW_MS <= takenMs && takenMs <= endedMs + SKEW_MS
    return route === PAY_ROUTE && address === sender && isOpen
  })
}

function requestSteps(facts: TraceFacts): TraceStep[] {
  const { requestId, report } = facts
  const likely = likelyRequests(facts)
  if (likely.length === 0) {
    const text = 'request to pay; the request log has no line of it'
    return requestId === undefined
      ? []
      : [step(report.payment.createdAt, 'request', text, { request_id: requestId })]
  }
  const doubt = likely.length === 1 ? '' : ` (one of ${likely.length} that were open at that moment)`
  return likely.map(({ at, durationMs, method, route, status, address, requestId: id, error }) => {
    const answer = error === null ? String(status) : `${status} ${error}`
    const text = `${method} ${route} from ${address}: ${answer} after ${durationMs.toFixed(1)} ms${doubt}`
    return step(new Date(at.getTime() - durationMs), 'request', text, { request_id: id })
  })
}

function paymentSteps({ report: { payment, timeline } }: TraceFacts): TraceStep[] {
  const { productCode, faceValue, cost } = payment
  const judged = `accepted: ${productCode} ${formatMoney(faceValue)} at a cost of ${formatMoney(cost)}`
  return [
    step(payment.createdAt, 'judged', judged),
    ...timeline.map(({ at, kind, code, detail }) => {
      const isState = kind === 'state'
      const text = isState ? `${stateOf(code)} (${code})` : kind
      return step(at, isState ? 'state' : 'note', detail === '' ? text : `${text}: ${detail}`)
    }),
  ]
}

function attemptSteps({ history }: TraceFacts): TraceStep[] {
  return history.attempts.flatMap((attempt) => {
    const { number, provider, reference, supplierId, sentAt, questions, nextQuestionAt } = attempt
    const ids = { our_reference: reference, ...(supplierId !== null && { their_id: supplierId }) }
    const sent = sentAt === null ? [] : [step(sentAt, 'sent', `attempt ${number}: order to ${provider}`, ids)]
    if (questions === null || nextQuestionAt === null) return sent
    const text = `attempt ${number}: ${provider} is asked next; ${questions} undecided answers so far`
    return [...sent, step(nextQuestionAt, 'question', text, ids)]
  })
}

function entryStep({ createdAt, kind, amount, balanceAfter, sequence }: Entry): TraceStep {
  const text = `${kind} of ${formatMoney(amount)}, balance ${formatMoney(balanceAfter)}`
  return step(createdAt, 'entry', text, { entry: String(sequence) })
}

/** Shows the end of a case at its own time: the opening says nothing of what became of it. */
function caseSteps({ openedAt, closedAt, number, kind, state }: Case): TraceStep[] {
  const opened = step(openedAt, 'case', `${kind} opened`, { case: number })
  return closedAt === null ? [opened] : [opened, step(closedAt, 'case', `${kind} ${state}`, { case: number })]
}

function deliverySteps({ logged: { delivery }, attempts }: TraceFacts['deliveries'][number]): TraceStep[] {
  const { id, ref, status, createdAt, completedAt, originalId, stream, error } = delivery
  const ids = { delivery_id: id, event_id: ref.eventId }
  const replay = originalId === null ? '' : `, a replay of ${originalId}`
  const begun = step(createdAt, 'delivery', `${stream} queued${replay}`, ids)
  const tried = attempts.map(({ at, durationMs, responseStatus, error: reason }, index) => {
    const answer = responseStatus === 0 ? reason : `HTTP ${responseStatus}`
    return step(at, 'delivery_attempt', `attempt ${index + 1}: ${answer} after ${durationMs} ms`, ids)
  })
  if (completedAt === null) return [begun, ...tried]
  const end = error === '' ? status : `${status}: ${error}`
  return [begun, ...tried, step(completedAt, 'delivery', `${stream} ended: ${end}`, ids)]
}
