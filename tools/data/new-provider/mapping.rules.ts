import type { FailureCode } from '../../../lib/failure-codes.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Order, Outcome, QueryAnswer, SubmitOutcome } from '../port/types.ts'
import type { SampleAnswer } from './types.ts'

// Translation between our terms and Sample's. Replace the bodies and the table by what Sample's manual says. Keep the
// rule that only a whole and understood answer says what happened, and that everything else is unknown.

/** Makes the body of POST /orders. */
export function orderBodyOf(order: Order): Record<string, string> {
  return {
    reference: order.reference,
    product: order.productCode,
    account: order.account,
    amount: formatMoney(order.faceValue),
  }
}

/** Sample's reasons for a failure, and our codes. A reason that is not listed is unknown, and a person checks it. */
export const FAILURES: Readonly<Record<string, FailureCode>> = {
  OUT_OF_STOCK: 45,
  CLOSED: 47,
  REJECTED: 48,
  BAD_ACCOUNT: 52,
  LIMIT_REACHED: 54,
  TIMED_OUT: 55,
  BLACKLISTED: 56,
  NOT_ELIGIBLE: 57,
  BAD_AMOUNT: 61,
  IDENTITY: 62,
}

/** Reasons with which Sample certainly did nothing, so that another provider may be tried. */
export const NOT_ACTED: ReadonlySet<string> = new Set(['MAINTENANCE'])

export function submitOutcomeOf(answer: SampleAnswer): SubmitOutcome {
  if (answer.kind === 'lost' && answer.isOver === true) return { kind: 'unsent', reason: answer.reason }
  if (answer.kind === 'lost' && !answer.wasSent) return { kind: 'not_acted', code: 47, reason: answer.reason }
  const { result, error } = bodyOf(answer)
  if (result === 'refused' && NOT_ACTED.has(text(error))) {
    return { kind: 'not_acted', code: 47, reason: text(error) }
  }
  return outcomeOf(answer)
}

export function queryAnswerOf(answer: SampleAnswer): QueryAnswer {
  // Sample itself must say that it has no such order: a bare 404 may come from any proxy on the way.
  const isNotFound =
    answer.kind === 'answered' && answer.status === 404 && bodyOf(answer).result === 'not_found'
  return isNotFound ? { kind: 'not_found' } : outcomeOf(answer)
}

function outcomeOf(answer: SampleAnswer): Outcome {
  if (answer.kind === 'lost') return { kind: 'unknown', reason: answer.reason }
  if (answer.status !== 200) return { kind: 'unknown', reason: `status ${answer.status}` }
  const { result, error, serial, pin } = bodyOf(answer)
  switch (result) {
    case 'done': {
      // A PIN that is there and cannot be read is not lost: Sample is asked about the order.
      if (![serial, pin].every(isTextOrAbsent)) {
        return { kind: 'unknown', reason: 'a success whose output cannot be read' }
      }
      const output = { serialNumber: text(serial), pin: text(pin), expiry: '', voucherLink: '', note: '' }
      return { kind: 'succeeded', output }
    }
    case 'waiting':
      return { kind: 'pending' }
    case 'failed':
      return failureOf(text(error))
    default:
      // The reason never contains the answer itself, which may have a PIN.
      return { kind: 'unknown', reason: 'the answer is of no known form' }
  }
}

function failureOf(error: string): Outcome {
  const code = Object.hasOwn(FAILURES, error) ? FAILURES[error] : undefined
  if (code === undefined) return { kind: 'unknown', reason: 'a failure that is not in the table' }
  return { kind: 'failed', code, reason: error }
}

function bodyOf(answer: SampleAnswer): Readonly<Record<string, unknown>> {
  const body = answer.kind === 'answered' ? answer.body : undefined
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

function isTextOrAbsent(value: unknown): boolean {
  return typeof value === 'string' || value === undefined || value === null
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
