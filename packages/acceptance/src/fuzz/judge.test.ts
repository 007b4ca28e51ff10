import { describe, expect, it } from 'vitest'
import type { Answer } from '../http.ts'
import { growthProblem, mistakesIn, problemOf } from './judge.ts'
import { createRecorder } from './recorder.ts'

// The rules must be able to fail: each of them gets an answer that breaks it.

const BALANCE = { method: 'GET', path: '/v2/balance' }

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    status,
    headers: { 'x-request-id': 'x', 'content-type': 'application/json; charset=utf-8', ...headers },
    rawHeaders: [],
    bytes: Buffer.from(text),
    text,
    json: <T>() => JSON.parse(text) as T,
  }
}

const problem = { message: 'So.', errors: {} }

describe('an answer is found fault with', () => {
  it.each([
    ['a 500, although the documents describe one', answer(500, problem), /500/],
    ['a 501', answer(501, problem), /501/],
    ['a status that its operation does not have', answer(422, problem), /declares no status 422/],
    ['a member that its schema does not have', answer(503, { ...problem, more: 1 }), /additionalProperties/],
    ['a missing member', answer(503, { message: 'So.' }), /required/],
    ['no JSON', answer(503, '<p>', {}), /cannot be read/],
    ['another content type', answer(503, problem, { 'content-type': 'text/plain' }), /content type/],
    [
      'words of the database',
      answer(400, { message: 'syntax error at or near "x"', errors: {} }),
      /internals/,
    ],
    ['a stack', answer(400, { message: 'at take (edge.js:1:2)', errors: {} }), /internals/],
  ])('%s', (_, given, expected) => {
    expect(problemOf(BALANCE, given)).toMatch(expected)
  })

  it('an answer of somebody else', () => {
    const { headers, ...rest } = answer(400, problem)
    const { 'x-request-id': _, ...others } = headers
    expect(problemOf(BALANCE, { ...rest, headers: others })).toMatch(/not the service/)
  })

  it('a page that shows markup of the request', () => {
    const page = answer(404, '<p><fuzz-mark></p>', { 'content-type': 'text/html' })
    expect(problemOf({ method: 'GET', path: '/x' }, page)).toMatch(/markup/)
  })
})

it('a good answer has no fault', () => {
  expect(problemOf(BALANCE, answer(503, problem))).toBeUndefined()
  expect(problemOf({ method: 'GET', path: '/v2/nothing' }, answer(404, problem))).toBeUndefined()
})

it('a mistake in the log is found', () => {
  const lines = [
    '{"level":30,"status":400}',
    '{"level":50,"msg":"unexpected error"}',
    'Uncaught Error',
    '{"status":500}',
  ]
  expect(mistakesIn(lines.join('\n'))).toEqual(lines.slice(1))
})

it('memory that grows without end is found, and garbage is not', () => {
  expect(growthProblem([200, 220, 500, 600, 900, 1_000])).toMatch(/from 200 MB to 900 MB/)
  expect(growthProblem([200, 220, 900, 300, 250, 900])).toBeUndefined()
  expect(growthProblem([])).toBeUndefined()
})

it('findings of one kind are kept a few times, and operations that were never reached are named', () => {
  const recorder = createRecorder(() => {})
  for (let times = 0; times < 10; times += 1) recorder.find({ problem: 'status 500' })
  recorder.expect('portal', 'portalPay', [200])
  recorder.expect('portal', 'portalGetBalance', [200])
  recorder.count('portal', 'portalPay', 400)
  recorder.count('portal', 'portalGetBalance', 200)
  expect(recorder.findings).toHaveLength(3)
  expect(recorder.unreached()).toEqual(['portal portalPay'])
  expect(recorder.requests()).toBe(2)
  expect(recorder.table()).toContain('200×1')
})
