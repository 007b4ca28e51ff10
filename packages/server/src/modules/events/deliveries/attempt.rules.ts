import type { OutboundResult } from '../../../outbound/types.ts'
import type { Stream } from '../types.ts'

/** Retries of a delivery that was not received. */
type Schedule = {
  /** Wait after the first, the second … failure. The number of entries is the number of retries. */
  readonly retryMs: readonly number[]
}

const MINUTE_MS = 60_000
const WEBHOOK: Schedule = { retryMs: [MINUTE_MS, 2 * MINUTE_MS, 4 * MINUTE_MS] }

const SCHEDULES: Readonly<Record<Stream, Schedule>> = {
  callback: { retryMs: [MINUTE_MS, MINUTE_MS, MINUTE_MS] },
  catalog: WEBHOOK,
  balance: WEBHOOK,
  order: WEBHOOK,
}

/** Number of retries that the log shows for every stream. */
export const RETRY_LIMIT = 3

/** Test events are tried once, because a person waits for the result. */
export function attemptsMaxOf(stream: Stream, isTest: boolean): number {
  return isTest ? 1 : SCHEDULES[stream].retryMs.length + 1
}

/** Wait between the failure of an attempt and the next one; attempts are counted from 1. */
export function retryMsAfter(stream: Stream, attempt: number): number {
  const { retryMs } = SCHEDULES[stream]
  return retryMs[Math.min(attempt, retryMs.length) - 1] ?? MINUTE_MS
}

/** Outcome of an attempt. retry: not received, and the same request may be received later. */
export type Outcome = 'success' | 'retry' | 'failed'

/**
 * Sign of the receiver's health in one attempt; it decides how many requests the receiver gets at a time. neutral: the
 * answer is about this one request. strained: the receiver failed or broke off. silent: it did not answer.
 */
export type Bearing = 'well' | 'neutral' | 'strained' | 'silent'

export type Judgement = {
  readonly outcome: Outcome
  readonly bearing: Bearing
  /** HTTP status; 0: no answer. */
  readonly status: number
  /** Text for the endpoint's owner; empty on success. Contains nothing that was sent or received. */
  readonly error: string
}

const REQUEST_TIMEOUT = 408
const TOO_MANY_REQUESTS = 429

export function judge(result: OutboundResult, timeoutMs: number): Judgement {
  return result.kind === 'answered' ? judgeStatus(result.status) : judgeFailure(result, timeoutMs)
}

function judgeStatus(status: number): Judgement {
  if (status >= 200 && status < 300) return { outcome: 'success', bearing: 'well', status, error: '' }
  const error = `The receiver answered ${status}`
  if (status >= 500 || status === REQUEST_TIMEOUT || status === TOO_MANY_REQUESTS) {
    return { outcome: 'retry', bearing: 'strained', status, error }
  }
  if (status < 400) {
    return { outcome: 'failed', bearing: 'neutral', status, error: `${error}; redirects are not followed` }
  }
  return { outcome: 'failed', bearing: 'neutral', status, error }
}

function judgeFailure(
  { stage, reason }: OutboundResult & { readonly kind: 'failed' },
  timeoutMs: number,
): Judgement {
  switch (stage) {
    case 'refused_address':
      return { outcome: 'failed', bearing: 'neutral', status: 0, error: `Not sent: ${reason}` }
    case 'timeout':
      return {
        outcome: 'retry',
        bearing: 'silent',
        status: 0,
        error: `No whole answer within ${timeoutMs / 1_000} seconds`,
      }
    case 'not_connected':
      return { outcome: 'retry', bearing: 'silent', status: 0, error: `No connection: ${reason}` }
    case 'tls':
      return { outcome: 'retry', bearing: 'silent', status: 0, error: `No secure connection: ${reason}` }
    case 'lost':
    case 'too_large':
    case 'too_late':
      return { outcome: 'retry', bearing: 'strained', status: 0, error: `No answer: ${reason}` }
  }
}

/** Bytes of an answer that are kept. */
export const ANSWER_BYTES_MAX = 2_048

/** Turns any bytes into text that the database can store: it takes every character except NUL. */
export function answerText(body: Buffer): string {
  const text = readable(body)
  // Bytes that are not UTF-8 have become longer.
  const bytes = Buffer.from(text, 'utf8')
  return bytes.length <= ANSWER_BYTES_MAX ? text : readable(bytes.subarray(0, ANSWER_BYTES_MAX))
}

function readable(bytes: Buffer): string {
  const text = bytes.toString('utf8').replaceAll('\0', '\ufffd')
  // The limit may have cut the last character in two.
  return bytes.length === ANSWER_BYTES_MAX ? text.replace(/\ufffd$/, '') : text
}

/** Appends the message of a GET callback to the URL, behind the URL's own query. */
export function withQuery(url: string, query: string): string {
  if (!url.includes('?')) return `${url}?${query}`
  return url.endsWith('?') || url.endsWith('&') ? `${url}${query}` : `${url}&${query}`
}

/** Query as it is sent: the URL parser escapes some characters that owners may write unescaped. */
export function queryAsSent(url: string): string {
  return URL.canParse(url) ? new URL(url).search.slice(1) : ''
}
