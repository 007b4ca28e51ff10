import type { OutboundResult } from '../../../outbound/types.ts'
import type { Stream } from '../types.ts'

/** How a delivery that was not received is tried again. */
type Schedule = {
  /** After the first, the second … failure; as many retries as there are entries. */
  readonly retryMs: readonly number[]
}

const MINUTE_MS = 60_000
const WEBHOOK: Schedule = { retryMs: [MINUTE_MS, 2 * MINUTE_MS, 4 * MINUTE_MS] }

const SCHEDULES: Readonly<Record<Stream, Schedule>> = {
  callback: { retryMs: [MINUTE_MS, MINUTE_MS, MINUTE_MS] },
  catalog: WEBHOOK,
  balance: WEBHOOK,
}

/** Retries of every stream, as its log shows them. */
export const RETRY_LIMIT = 3

/** A test answers somebody who waits for it: it is tried once. */
export function attemptsMaxOf(stream: Stream, isTest: boolean): number {
  return isTest ? 1 : SCHEDULES[stream].retryMs.length + 1
}

/** How long after its failure an attempt is repeated; the attempts are counted from 1. */
export function retryMsAfter(stream: Stream, attempt: number): number {
  const { retryMs } = SCHEDULES[stream]
  return retryMs[Math.min(attempt, retryMs.length) - 1] ?? MINUTE_MS
}

/** retry: not received, and the same request may be received later. */
export type Outcome = 'success' | 'retry' | 'failed'

/** What an attempt says about its receiver, for how much it is sent at a time. */
export type Bearing = 'well' | 'neutral' | 'strained' | 'silent'

export type Judgement = {
  readonly outcome: Outcome
  readonly bearing: Bearing
  /** 0: nothing answered. */
  readonly status: number
  /** For its owner; empty on success. Holds nothing that was sent or received. */
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
    default:
      return { outcome: 'retry', bearing: 'strained', status: 0, error: `No answer: ${reason}` }
  }
}

/** What is kept of an answer. */
export const ANSWER_BYTES_MAX = 2_048

/** As text, whatever bytes they are; the database takes every character but NUL. */
export function answerText(body: Buffer): string {
  const text = readable(body)
  // Bytes that are no UTF-8 became longer.
  const bytes = Buffer.from(text, 'utf8')
  return bytes.length <= ANSWER_BYTES_MAX ? text : readable(bytes.subarray(0, ANSWER_BYTES_MAX))
}

function readable(bytes: Buffer): string {
  const text = bytes.toString('utf8').replaceAll('\0', '\ufffd')
  // A character that the limit cut in two.
  return bytes.length === ANSWER_BYTES_MAX ? text.replace(/\ufffd$/, '') : text
}

/** Where a GET callback goes: what is told stands behind the URL's own query. */
export function withQuery(url: string, query: string): string {
  if (!url.includes('?')) return `${url}?${query}`
  return url.endsWith('?') || url.endsWith('&') ? `${url}${query}` : `${url}&${query}`
}

/** The query as it is sent: the parser escapes some characters that a query may have as it is written. */
export function queryAsSent(url: string): string {
  return URL.canParse(url) ? new URL(url).search.slice(1) : ''
}
