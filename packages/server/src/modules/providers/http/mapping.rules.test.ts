import { describe, expect, it } from 'vitest'
import { textAt, valueAt } from '../language/paths.rules.ts'
import type { Decision, ResponseReading, SubmitName, Verdict } from '../language/types.ts'
import { judge, judgeQuestion, messageAt } from './mapping.rules.ts'

function verdict(outcome: SubmitName, code: Verdict['code'] = null): Verdict<SubmitName> {
  return { outcome, code, reason: null }
}

const CODES: Decision<SubmitName> = {
  paths: [['code']],
  table: new Map([['E7', verdict('not_acted', 45)]]),
  otherwise: verdict('failed', 48),
}

const RESPONSE: ResponseReading<SubmitName> = {
  outcome: {
    paths: [['data', 'status'], ['error']],
    table: new Map<string, Verdict<SubmitName> | Decision<SubmitName>>([
      ['00', verdict('succeeded')],
      ['7', verdict('pending')],
      ['true', verdict('succeeded')],
      ['bad', CODES],
      ['closed', verdict('not_acted', 47)],
    ]),
    otherwise: null,
  },
  httpStatus: new Map([[429, verdict('not_acted', 47)]]),
  trusted: new Set(),
  read: null,
  reason: [['message']],
  reference: null,
  list: null,
  positions: [],
}
const VALUES = { reference: 'W1-1' }

const said = (json: unknown, status = 200, response = RESPONSE) => {
  const judged = judge(response, { status, json }, VALUES)
  return judged.kind === 'decided' ? judged.verdict.outcome : 'undecided'
}

describe('an answer', () => {
  it.each<[string, unknown, number, string]>([
    ['a mapped value', { data: { status: '00' } }, 200, 'succeeded'],
    ['a mapped number', { data: { status: 7 } }, 200, 'pending'],
    ['a mapped boolean', { data: { status: true } }, 201, 'succeeded'],
    ['the second path, when the first leads nowhere', { error: 'closed' }, 412, 'not_acted'],
    [
      'the first path, when both lead somewhere',
      { data: { status: '00' }, error: 'closed' },
      200,
      'succeeded',
    ],
    ['an inner table', { error: 'bad', code: 'E7' }, 400, 'not_acted'],
    ['an inner value that nobody knows', { error: 'bad', code: 'E9' }, 400, 'failed'],
    ['an inner silence', { error: 'bad' }, 400, 'failed'],
    ['a listed status, when nothing else speaks', undefined, 429, 'not_acted'],
    ['a listed status, beside JSON without an outcome', { hello: 1 }, 429, 'not_acted'],
  ])('%s decides', (_, json, status, outcome) => {
    expect(said(json, status)).toBe(outcome)
  })

  it.each<[string, unknown, number]>([
    ['a value that is not in the table', { data: { status: '01' } }, 200],
    ['a value that is nearly in the table', { data: { status: '00 ' } }, 200],
    ['an object where a value should be', { data: { status: { '00': 1 } } }, 200],
    ['a list where a value should be', { data: { status: ['00'] } }, 200],
    ['null', { data: { status: null } }, 200],
    ['no JSON', undefined, 200],
    ['JSON that is no object', '00', 200],
    ['an empty object', {}, 200],
    ['a success in a refusal', { data: { status: '00' } }, 400],
    ['anything in a server error', { data: { status: '00' } }, 500],
    ['a failure in a server error', { error: 'bad', code: 'E9' }, 502],
    ['anything in a redirect', { data: { status: '00' } }, 302],
    ['a value that is not in the table, with a listed status', { error: 'slow down' }, 429],
    ['a name that every object has', { data: { status: 'constructor' } }, 200],
  ])('%s decides nothing', (_, json, status) => {
    expect(said(json, status)).toBe('undecided')
  })

  it('about another order decides nothing; one that has none need not name it', () => {
    const response = { ...RESPONSE, reference: ['ref'] }
    expect(said({ data: { status: '00' }, ref: 'W1-1' }, 200, response)).toBe('succeeded')
    expect(said({ data: { status: '00' }, ref: 'W2-1' }, 200, response)).toBe('undecided')
    expect(said({ data: { status: '00' } }, 200, response)).toBe('undecided')
    expect(said({ error: 'closed' }, 400, response)).toBe('not_acted')
    expect(said({ error: 'closed', ref: 'W2-1' }, 400, response)).toBe('undecided')
  })
})

describe('an answer to a question', () => {
  const asked = (status: number, json: unknown, response = RESPONSE) => {
    const judged = judgeQuestion(response, { status, json }, VALUES)
    return judged.kind === 'decided' ? judged.verdict.outcome : judged.reason
  }
  const FAILURE = { error: 'bad', code: 'E9' }

  it.each([401, 403, 407, 408, 425])('with %i decides nothing about the order', (status) => {
    expect(said(FAILURE, status)).toBe('failed')
    expect(asked(status, FAILURE)).toBe(`the supplier refused the question with ${status}`)
  })

  it('a refused question decides by the status alone, where the configuration lists it', () => {
    expect(asked(429, FAILURE)).toBe('not_acted')
    const outcome = {
      ...RESPONSE.outcome,
      paths: [['$status']],
      table: new Map([['403', verdict('failed', 48)]]),
    }
    expect(asked(403, {}, { ...RESPONSE, outcome })).toBe('failed')
  })

  it.each([200, 400, 404, 422])('with %i decides as any answer does', (status) => {
    expect(asked(status, FAILURE)).toBe('failed')
  })
})

describe('a path', () => {
  it('leads through objects and lists to what was sent, and to nothing else', () => {
    const json = JSON.parse('{"a":[{"b":"c"}],"__proto__":{"x":1}}')
    expect(valueAt(json, ['a', '0', 'b'])).toBe('c')
    expect(valueAt(json, ['a', '$only', 'b'])).toBe('c')
    expect(valueAt(json, ['__proto__', 'x'])).toBe(1)
    expect(valueAt(json, ['a', '$only', '$only', 'b'])).toBe('c')
    for (const path of [
      ['a', 'length'],
      ['a', '1'],
      ['a', '00'],
      ['a', 'b'],
      ['a', '0', 'b', '$only'],
      ['toString'],
      ['a', '0', 'b', '0'],
      ['constructor', 'name'],
    ]) {
      expect(valueAt(json, path)).toBeUndefined()
    }
  })

  it('a path to a number that was not read exactly leads to nothing', () => {
    expect(textAt({ n: 9007199254740991 }, ['n'])).toBe('9007199254740991')
    expect(textAt(JSON.parse('{"n":12345678901234567890}'), ['n'])).toBeUndefined()
    expect(textAt({ n: 1e21 }, ['n'])).toBeUndefined()
    expect(textAt({ n: 10.5 }, ['n'])).toBe('10.5')
  })

  it('a path to text gives one line', () => {
    expect(messageAt({ m: ' a\r\n\u0000b\u202e ' }, [['m']])).toBe('a b')
    expect(messageAt({ m: ' ' }, [['m']])).toBeUndefined()
    expect(messageAt({ m: ' ', why: 5, n: 'x' }, [['no'], ['m'], ['why'], ['n']])).toBe('5')
  })
})
