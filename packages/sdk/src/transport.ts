import type { Answer } from './answers.ts'
import { errorOf, findPayment, retryAfterOf } from './answers.ts'
import type { Clock } from './clock.ts'
import { ConnectionFailed, UnknownOutcome } from './errors.ts'
import type { LostAttempts } from './lost-attempts.ts'
import type { Outcome, Request } from './retry.ts'
import { decide, isPayment, isRead, isRepeatable } from './retry.ts'
import type { Settings } from './settings.ts'
import type { SignatureHeaders } from './signing.ts'
import { newNonce, signRequest } from './signing.ts'

// One request: signed anew for each attempt, repeated as the policy says.

export type Outgoing = Request & {
  /** Query as it is sent. */
  readonly query: string
  /** Text of the body. */
  readonly body?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** True: the request carries no credentials. */
  readonly isOpen?: boolean | undefined
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type Transport = {
  readonly settings: Settings
  readonly clock: Clock
  readonly lost: LostAttempts
}

type Attempted = {
  readonly outcome: Outcome
  /** Second of the signature. */
  readonly signedAt: number
  readonly answer?: Answer
  readonly cause?: unknown
}

/** Greatest difference between the time of a signature and the service's own. */
const WINDOW_SECONDS = 300

const NO_CONTENT = 204

/** Memory of a payment's attempts that got no answer: the latest second in which one was signed. */
export type Unanswered = {
  second: number
  /** The same of earlier calls with this payment. */
  readonly earlier?: number
}

/**
 * Sends a request until it is answered or the policy ends. Returns any answer below 500, any that describes a payment,
 * and the last one of the others.
 */
export async function exchange(
  transport: Transport,
  outgoing: Outgoing,
  unanswered: Unanswered = { second: 0 },
): Promise<Answer> {
  const { settings } = transport
  const policy = { baseMs: settings.retryBaseMs, random: settings.random }
  for (let attempt = 1; ; attempt += 1) {
    const after = isPayment(outgoing) ? Math.max(unanswered.second, unanswered.earlier ?? 0) : 0
    if (transport.clock.seconds() === after) await untilNextSecond(transport)
    const { outcome, answer, cause, signedAt } = await attemptOnce(transport, outgoing, attempt, after)
    if (answer !== undefined && (answer.status < 500 || findPayment(answer) !== undefined)) return answer
    unanswered.second = signedAt
    if (outgoing.signal?.aborted === true) throw noAnswer(outgoing, outcome, outgoing.signal.reason)
    const decision = decide(outgoing, attempt, outcome, policy)
    if (decision.repeat) {
      await settings.sleep(decision.waitMs, outgoing.signal)
      continue
    }
    // The caller may send the payment again at once, and then it must be signed in a later second as well.
    const isRecent = transport.clock.seconds() <= signedAt
    if (isPayment(outgoing) && isRecent) await untilNextSecond(transport, outgoing.signal)
    if (answer !== undefined) return answer
    throw noAnswer(outgoing, outcome, cause)
  }
}

/**
 * Returns the second of the next signature. An unanswered payment that is still on its way must be older, by its
 * signature, than the one that is sent now: else it could be carried out after this one was rejected. A clock that was
 * set back in between is not waited for: the service takes a second that is a little ahead. Where it would not, it does
 * not take the earlier signature either.
 */
function secondLaterThan({ clock }: Transport, after: number): number {
  const second = clock.seconds()
  return second <= after && after - second < WINDOW_SECONDS ? after + 1 : second
}

function untilNextSecond({ settings, clock }: Transport, signal?: AbortSignal): Promise<void> {
  return settings.sleep(1_000 - ((settings.now() + clock.offsetMs()) % 1_000), signal)
}

/** Sends once, and once more if the service refused the time: the clock is right by then, and nothing was done. */
async function attemptOnce(
  transport: Transport,
  outgoing: Outgoing,
  attempt: number,
  after: number,
): Promise<Attempted> {
  const first = await sendOnce(transport, outgoing, attempt, after)
  if (!isTimeRefused(first.answer)) return first
  return sendOnce(transport, outgoing, attempt, after)
}

function isTimeRefused(answer: Answer | undefined): boolean {
  if (answer?.status !== 401) return false
  return (answer.body as { error?: unknown } | null)?.error === 'timestamp_expired'
}

async function sendOnce(
  transport: Transport,
  outgoing: Outgoing,
  attempt: number,
  after: number,
): Promise<Attempted> {
  const { settings, clock } = transport
  const { method, path } = outgoing
  const startedAt = settings.now()
  const note = (more: {
    status?: number
    requestId?: string | undefined
    failure?: 'connection' | 'timeout'
  }) => settings.onAttempt({ method, path, attempt, durationMs: settings.now() - startedAt, ...more })
  const signedAt = secondLaterThan(transport, after)
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(), outgoing.timeoutMs ?? settings.timeoutMs)
  const abort = () => timer.abort()
  outgoing.signal?.addEventListener('abort', abort)
  let answer: Answer
  try {
    if (outgoing.signal?.aborted === true) abort()
    answer = await fetchAnswer(settings, outgoing, signedAt, timer.signal)
  } catch (cause) {
    const failure = timer.signal.aborted ? 'timeout' : 'connection'
    note({ failure })
    return { outcome: { failure }, cause, signedAt }
  } finally {
    clearTimeout(timeout)
    outgoing.signal?.removeEventListener('abort', abort)
  }
  clock.learn(answer.headers.get('date'), isTimeRefused(answer))
  // Outside of the attempt: an error of the caller's own log is no fault of the network, and repeats nothing.
  note({ status: answer.status, requestId: answer.requestId })
  return { outcome: { status: answer.status, retryAfterSeconds: retryAfterOf(answer) }, answer, signedAt }
}

async function fetchAnswer(
  settings: Settings,
  outgoing: Outgoing,
  timestamp: number,
  signal: AbortSignal,
): Promise<Answer> {
  const { method, path, query, body } = outgoing
  const signature: Partial<SignatureHeaders> =
    outgoing.isOpen === true
      ? {}
      : await signRequest({ ...settings, method, query, body, timestamp, nonce: newNonce() })
  const response = await settings.fetch(`${settings.baseUrl}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers: {
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...outgoing.headers,
      ...signature,
    },
    ...(body !== undefined && { body }),
    signal,
    // A redirect would be signed for another address, and may turn a POST into a GET.
    redirect: 'manual',
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    requestId: response.headers.get('x-request-id') ?? undefined,
    body: parse(response.status, response.headers.get('content-type'), text),
  }
}

/** Parses an answer. JSON that is cut, also to nothing, is no answer at all: the error makes it an unanswered attempt. */
function parse(status: number, contentType: string | null, text: string): unknown {
  if (text === '' && (status === NO_CONTENT || status >= 300)) return null
  if (contentType?.includes('json') === true) return JSON.parse(text) as unknown
  if (status < 300) throw new TypeError(`an answer in ${contentType ?? 'an unknown form'}`)
  return text
}

function noAnswer(outgoing: Outgoing, outcome: Outcome, cause: unknown): Error {
  const token = 'failure' in outcome && outcome.failure === 'timeout' ? 'timeout' : 'connection_failed'
  const message = `${outgoing.method} ${outgoing.path} got no answer.`
  if (isRead(outgoing)) return new ConnectionFailed({ token, message, cause, retrySafe: true })
  return new UnknownOutcome({ message, cause, retrySafe: isRepeatable(outgoing) })
}

/** Sends a request that is no payment. Returns a good answer, or throws. */
export async function request(transport: Transport, outgoing: Outgoing): Promise<Answer> {
  outgoing.signal?.throwIfAborted()
  const answer = await exchange(transport, outgoing)
  if (answer.status >= 200 && answer.status < 300) return answer
  throw errorOf(outgoing, answer)
}
