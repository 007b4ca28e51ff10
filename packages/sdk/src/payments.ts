import type { Answer } from './answers.ts'
import { errorOf, findPayment } from './answers.ts'
import { PaymentRejected, RefidConflict, UnknownOutcome, WarungError } from './errors.ts'
import { PAY_TIMEOUT_MS, PAYMENT_PATH, POLL_SCHEDULE_MS, pollWaitMs } from './retry.ts'
import type { Transport, Unanswered } from './transport.ts'
import { exchange } from './transport.ts'
import type { Payment, PaymentRequest } from './types.generated.ts'

// Payments: sent once, asked about by sending the same again, and never called failed when nobody knows.

export type PayOptions = {
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type PayAndWaitOptions = {
  /** Time after which waiting ends with UnknownOutcome. */
  readonly timeoutMs?: number | undefined
  /** Waits between two questions; the last one repeats. */
  readonly pollScheduleMs?: readonly number[] | undefined
  readonly signal?: AbortSignal | undefined
  /** Is called with every state that the service shows. */
  readonly onStatus?: ((payment: Payment) => void) | undefined
}

/** Returns true if nothing changes by itself any more. A void can still turn success into failure. */
export function isFinal({ status }: Pick<Payment, 'status'>): boolean {
  return status === 'Succesful' || status === 'Failed'
}

export function pay(transport: Transport, payment: PaymentRequest, options: PayOptions): Promise<Payment> {
  return send(transport, payment, options, beginning(transport, payment))
}

function beginning({ lost }: Transport, { refid }: PaymentRequest): Unanswered {
  return { second: 0, earlier: lost.latest(refid) }
}

async function send(
  transport: Transport,
  payment: PaymentRequest,
  options: PayOptions,
  unanswered: Unanswered,
): Promise<Payment> {
  // Nothing was sent yet: giving up now leaves nothing unknown.
  if (unanswered.second === 0) options.signal?.throwIfAborted()
  const outgoing = {
    method: 'POST',
    path: PAYMENT_PATH,
    query: '',
    body: JSON.stringify(payment),
    headers: { 'X-API-Version': transport.settings.apiVersion, ...options.headers },
    timeoutMs: options.timeoutMs,
    signal: options.signal,
  }
  let answer: Answer
  try {
    answer = await exchange(transport, outgoing, unanswered)
  } catch (error) {
    throw uncertain(payment, undefined, error)
  } finally {
    if (unanswered.second > 0) transport.lost.note(payment.refid, unanswered.second)
  }
  const found = findPayment(answer)
  if (found !== undefined) return found
  const error = errorOf(outgoing, answer, payment.refid)
  // The service judged the payment itself. Any other refusal says nothing about an earlier attempt without an answer.
  const isJudged = error instanceof PaymentRejected || error instanceof RefidConflict
  const isCertain = isJudged || (unanswered.second === 0 && !saysNothing(error))
  if (isCertain) throw error
  // An answer that says nothing counts as none: a later refusal cannot make it certain.
  unanswered.second ||= transport.clock.seconds()
  transport.lost.note(payment.refid, unanswered.second)
  throw uncertain(payment, undefined, error)
}

/** True: the payment may exist. Nonces are made anew, so a used one says that a copy of this request came first. */
function saysNothing(error: WarungError): boolean {
  return error instanceof UnknownOutcome || error.token === 'nonce_reused'
}

function uncertain(request: PaymentRequest, payment: Payment | undefined, cause: unknown): UnknownOutcome {
  const { refid } = request
  const { requestId, status } = cause instanceof WarungError ? cause : {}
  const seen = payment === undefined ? 'got no certain answer' : `is ${payment.status}`
  return new UnknownOutcome({
    message: `The payment ${refid} ${seen}.`,
    remedy:
      'Do not give the money back. Send the same payment with the same refid again, until it has ended.',
    retrySafe: true,
    refid,
    payment,
    requestId,
    status,
    cause,
  })
}

export async function payAndWait(
  transport: Transport,
  request: PaymentRequest,
  options: PayAndWaitOptions,
): Promise<Payment> {
  const { settings } = transport
  const { pollScheduleMs = POLL_SCHEDULE_MS, timeoutMs = PAY_TIMEOUT_MS, signal, onStatus } = options
  const endsAt = settings.now() + timeoutMs
  const unanswered = beginning(transport, request)
  let last: Payment | undefined
  let cause: unknown
  for (let question = 0; ; question += 1) {
    let seen: Payment | undefined
    try {
      seen = await send(transport, request, { signal }, unanswered)
    } catch (error) {
      // A payment that was seen exists: a refused question says nothing about it.
      if (!(error instanceof UnknownOutcome) && last === undefined) throw error
      cause = error
    }
    if (seen !== undefined) {
      last = seen
      onStatus?.(seen)
      if (isFinal(seen)) return seen
    }
    const waitMs = pollWaitMs(pollScheduleMs, question)
    if (signal?.aborted === true || settings.now() + waitMs > endsAt) throw uncertain(request, last, cause)
    await settings.sleep(waitMs, signal)
  }
}
