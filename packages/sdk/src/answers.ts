import type { FieldErrors, WarungError } from './errors.ts'
import {
  AuthenticationFailed,
  Conflict,
  Forbidden,
  InvalidRequest,
  NotFound,
  PaymentRejected,
  RefidConflict,
  ServiceFault,
  ServiceUnavailable,
  TooManyRequests,
  UnknownOutcome,
} from './errors.ts'
import type { Request } from './retry.ts'
import { isPayment, isRepeatable, isUncertain } from './retry.ts'
import type { Payment, RejectedPayment } from './types.generated.ts'

// Meaning of an answer: a value, or one of the errors.

export type Answer = {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly requestId: string | undefined
  /** Parsed JSON; the text where it is not JSON. */
  readonly body: unknown
}

/** Rejections that may end otherwise when the same payment is sent again later: balance, stock, temporary. */
const MAY_SUCCEED_LATER = new Set([43, 45, 49])

/** Finds the payment that an answer describes. Every answer with a transaction_id does, whatever its status. */
export function findPayment({ status, body }: Answer): Payment | undefined {
  const data = recordOf(recordOf(body).data)
  return status !== 409 && typeof data.transaction_id === 'string' ? (data as unknown as Payment) : undefined
}

/** Makes the error of an answer that is not a good one. */
export function errorOf(request: Request, answer: Answer, refid?: string): WarungError {
  const body = recordOf(answer.body)
  const common = { status: answer.status, requestId: answer.requestId, message: messageOf(answer) }
  if (isUncertain(request, { status: answer.status }) || isForeign(request, answer)) {
    const message = `${request.method} ${request.path} was answered ${answer.status}, and may have been done.`
    return new UnknownOutcome({ ...common, message, refid, retrySafe: isRepeatable(request) })
  }
  if (isPayment(request) && recordOf(body.data).statusCode !== undefined) {
    const found = paymentError(answer, common)
    if (found !== undefined) return found
  }
  return statusError(answer, body, common)
}

/** Returns true for an answer to a payment that the service did not write: a proxy may have replaced the true one. */
function isForeign(request: Request, { body }: Answer): boolean {
  const { data, error, message } = recordOf(body)
  return isPayment(request) && data === undefined && error === undefined && message === undefined
}

type Common = { status: number; requestId: string | undefined; message: string }

function paymentError(answer: Answer, common: Common): WarungError | undefined {
  const body = recordOf(answer.body)
  const data = recordOf(body.data)
  const code = Number(data.statusCode)
  const errors = fieldErrors(body)
  if (answer.status === 409) {
    const payment = data as unknown as Payment
    const remedy = 'Use a new refid for another payment, or send the payment as it was first sent.'
    return new RefidConflict({ ...common, token: 'refid_conflict', code, payment, errors, remedy })
  }
  if (answer.status !== 400) return undefined
  const payment = data as unknown as RejectedPayment
  const retrySafe = MAY_SUCCEED_LATER.has(code)
  return new PaymentRejected({ ...common, token: String(data.remarks), code, payment, errors, retrySafe })
}

function statusError(answer: Answer, body: Readonly<Record<string, unknown>>, common: Common): WarungError {
  const token = tokenOf(body)
  const retryAfterSeconds = retryAfterOf(answer)
  switch (answer.status) {
    case 401: {
      const debug = body.debug as Readonly<Record<string, string>> | undefined
      const details = { ...common, token: token ?? 'unauthorized', debug }
      return new AuthenticationFailed({ ...details, retrySafe: token === 'nonce_reused' })
    }
    case 403:
      return new Forbidden({ ...common, token: token ?? 'forbidden', retryAfterSeconds })
    case 404:
      return new NotFound({ ...common, token: token ?? 'not_found' })
    case 409:
      return new Conflict({ ...common, token: token ?? 'conflict', errors: fieldErrors(body) })
    case 429:
      return new TooManyRequests({
        ...common,
        token: token ?? 'too_many_requests',
        retryAfterSeconds,
        retrySafe: true,
      })
    case 503:
      return new ServiceUnavailable({
        ...common,
        token: 'service_unavailable',
        retryAfterSeconds,
        retrySafe: true,
      })
    default:
      return answer.status >= 500
        ? new ServiceFault({ ...common, token: 'service_fault', retrySafe: true })
        : new InvalidRequest({ ...common, token: token ?? 'invalid_request', errors: fieldErrors(body) })
  }
}

/** Returns the stable name of the reason, where the answer has one. */
function tokenOf({ error, code }: Readonly<Record<string, unknown>>): string | undefined {
  return [error, code].find((each) => typeof each === 'string')
}

/**
 * Returns the seconds of `Retry-After`; undefined if there are none. A date, which proxies send, counts from the `Date`
 * of the same answer: the local clock may be wrong.
 */
export function retryAfterOf({ headers }: Answer): number | undefined {
  const text = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const seconds = (dateMs(text) - dateMs(headers.get('date') ?? '')) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

function dateMs(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
}

function messageOf({ status, body }: Answer): string {
  const { message } = recordOf(body)
  return typeof message === 'string' && message !== '' ? message : `The service answered ${status}.`
}

function fieldErrors({ errors }: Readonly<Record<string, unknown>>): FieldErrors {
  return recordOf(errors) as FieldErrors
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
