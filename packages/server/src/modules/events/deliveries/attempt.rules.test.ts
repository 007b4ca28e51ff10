import { describe, expect, it } from 'vitest'
import type { FailureStage, OutboundResult } from '../../../outbound/types.ts'
import { STREAMS } from '../types.ts'
import {
  ANSWER_BYTES_MAX,
  answerText,
  attemptsMaxOf,
  judge,
  queryAsSent,
  RETRY_LIMIT,
  retryMsAfter,
  withQuery,
} from './attempt.rules.ts'

const TIMEOUT_MS = 30_000
const answered = (status: number): OutboundResult => ({
  kind: 'answered',
  status,
  headers: {},
  body: Buffer.alloc(0),
})
const broken = (stage: FailureStage): OutboundResult => ({
  kind: 'failed',
  stage,
  wasSent: false,
  reason: 'REASON',
})

describe('the schedule', () => {
  it('the schedule of a callback is three retries, each a minute after a failure', () => {
    expect(attemptsMaxOf('callback', false)).toBe(4)
    expect([1, 2, 3].map((attempt) => retryMsAfter('callback', attempt))).toEqual([60_000, 60_000, 60_000])
  })

  it.each(['catalog', 'balance'] as const)(
    'the schedule of a %s webhook is 1, 2 and 4 minutes after a failure',
    (stream) => {
      expect(attemptsMaxOf(stream, false)).toBe(4)
      expect([1, 2, 3].map((attempt) => retryMsAfter(stream, attempt))).toEqual([60_000, 120_000, 240_000])
    },
  )

  it('has as many retries as the log says', () => {
    for (const stream of STREAMS) expect(attemptsMaxOf(stream, false)).toBe(RETRY_LIMIT + 1)
  })

  it('the schedule of a test is one attempt', () => {
    for (const stream of STREAMS) expect(attemptsMaxOf(stream, true)).toBe(1)
  })
})

describe('an answer', () => {
  it.each([200, 201, 202, 204, 226, 299])('%i is a success without an error', (status) => {
    expect(judge(answered(status), TIMEOUT_MS)).toEqual({
      outcome: 'success',
      bearing: 'well',
      status,
      error: '',
    })
  })

  it.each([500, 501, 502, 503, 504, 599, 408, 429])('%i is tried again', (status) => {
    const judged = judge(answered(status), TIMEOUT_MS)
    expect(judged).toMatchObject({ outcome: 'retry', bearing: 'strained', status })
    expect(judged.error).toBe(`The receiver answered ${status}`)
  })

  it.each([300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 409, 410, 418, 422, 451, 499])(
    '%i is not tried again',
    (status) => {
      const judged = judge(answered(status), TIMEOUT_MS)
      expect(judged).toMatchObject({ outcome: 'failed', bearing: 'neutral', status })
      expect(judged.error).toContain(String(status))
    },
  )
})

describe('an exchange that broke off', () => {
  it.each([
    ['not_connected', 'No connection: REASON'],
    ['tls', 'No secure connection: REASON'],
    ['lost', 'No answer: REASON'],
    ['too_large', 'No answer: REASON'],
    ['timeout', 'No whole answer within 30 seconds'],
  ] as const)('%s is tried again', (stage, error) => {
    expect(judge(broken(stage), TIMEOUT_MS)).toMatchObject({ outcome: 'retry', status: 0, error })
  })

  it('an exchange with a refused address is not tried again', () => {
    expect(judge(broken('refused_address'), TIMEOUT_MS)).toMatchObject({
      outcome: 'failed',
      status: 0,
      error: 'Not sent: REASON',
    })
  })
})

describe('the text of an answer', () => {
  it('is its UTF-8', () => {
    expect(answerText(Buffer.from('{"ok":"sedap 🍜"}'))).toBe('{"ok":"sedap 🍜"}')
  })

  it('holds no NUL, which the database does not take', () => {
    expect(answerText(Buffer.from('a\0b'))).toBe('a\ufffdb')
  })

  it('is never longer than what is kept, whatever bytes they are', () => {
    for (const byte of [0, 0x61, 0xff, 0xc3, 0xe2]) {
      const text = answerText(Buffer.alloc(ANSWER_BYTES_MAX, byte))
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(ANSWER_BYTES_MAX)
      expect(text).not.toBe('')
    }
  })

  it('does not end in half a character', () => {
    const body = Buffer.from(`${'x'.repeat(ANSWER_BYTES_MAX - 2)}🍜`).subarray(0, ANSWER_BYTES_MAX)
    expect(answerText(body)).toBe('x'.repeat(ANSWER_BYTES_MAX - 2))
  })
})

describe('a GET callback', () => {
  it.each([
    ['https://a.example/cb', 'https://a.example/cb?refid=1'],
    ['https://a.example/cb?', 'https://a.example/cb?refid=1'],
    ['https://a.example/cb?key=1', 'https://a.example/cb?key=1&refid=1'],
    ['https://a.example/cb?key=1&', 'https://a.example/cb?key=1&refid=1'],
  ])('a GET callback to %s keeps the query that the URL has', (url, sent) => {
    expect(withQuery(url, 'refid=1')).toBe(sent)
  })

  it('signs the query as it stands in the request line', () => {
    expect(queryAsSent("https://a.example/cb?own=a b&note='x'&message=%7B%7D")).toBe(
      'own=a%20b&note=%27x%27&message=%7B%7D',
    )
  })
})
