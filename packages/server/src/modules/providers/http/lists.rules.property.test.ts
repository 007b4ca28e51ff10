import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HttpConfig } from './config.rules.ts'
import { parseHttpConfig } from './config.rules.ts'
import { judgeQuestion } from './mapping.rules.ts'

const OURS = 'W1-1'
const VALUES = { reference: OURS }
const TABLE = {
  ok: { outcome: 'succeeded' },
  no: { outcome: 'failed', code: 48 },
  wait: { outcome: 'pending' },
}
const MEANING: Readonly<Record<string, string>> = { ok: 'succeeded', no: 'failed', wait: 'pending' }

function queryOf(response: object): NonNullable<HttpConfig['query']>['response'] {
  const submit = { outcome: { path: 'state', table: TABLE } }
  const reading = parseHttpConfig(
    {
      base_url: 'https://supplier.example',
      submit: { method: 'POST', path: '/', body: { ref: '{{reference}}' }, response: submit },
      query: { method: 'GET', path: '/orders', query: { search: '{{reference}}' }, response },
    },
    [],
  )
  if (!reading.ok || reading.config.query === null) throw new Error(JSON.stringify(reading))
  return reading.config.query.response
}

function said(response: NonNullable<HttpConfig['query']>['response'], json: unknown) {
  const judged = judgeQuestion(response, { status: 200, json }, VALUES)
  if (judged.kind === 'decided') return judged.verdict.outcome
  return judged.isAmbiguous === true ? 'ambiguous' : 'unknown'
}

const state = fc.constantFrom('ok', 'no', 'wait')
const reference = fc.constantFrom(OURS, OURS, 'W1-10', 'W11-1', 'w1-1', ' W1-1', '')
const order = fc.record({ ref: reference, state })
const orders = fc.array(order, { maxLength: 6 })

describe('an answer that is a list', () => {
  it('is read by the one element with our reference, wherever it stands', () => {
    const response = queryOf({
      list: { at: 'data', where: { ref: '{{reference}}' } },
      outcome: { path: 'state', table: TABLE },
    })
    fc.assert(
      fc.property(orders, (data) => {
        const ours = data.filter(({ ref }) => ref === OURS)
        const expected =
          ours.length > 1 ? 'ambiguous' : ours[0] === undefined ? 'not_found' : MEANING[ours[0].state]
        expect(said(response, { data })).toBe(expected)
      }),
    )
  })

  it('never decides by an element that cannot be told from ours, or that is none', () => {
    const response = queryOf({
      list: { where: { ref: '{{reference}}' } },
      outcome: { path: 'state', table: TABLE },
    })
    const strange = fc.constantFrom<unknown>(
      null,
      5,
      'W1-1',
      [],
      {},
      { state: 'no' },
      { ref: null, state: 'no' },
      {
        ref: { W: 1 },
        state: 'ok',
      },
    )
    fc.assert(
      fc.property(fc.array(strange, { minLength: 1, maxLength: 4 }), (items) => {
        expect(said(response, items)).toBe('unknown')
      }),
    )
  })

  it('by position decides nothing while it has several elements, whatever they are', () => {
    const several = fc.array(order, { minLength: 2, maxLength: 6 })
    const position = fc.constantFrom('0', '1', '2')
    fc.assert(
      fc.property(several, position, (data, at) => {
        const response = queryOf({ outcome: { path: `data.${at}.state`, table: TABLE } })
        expect(said(response, { data })).toBe('ambiguous')
      }),
    )
  })

  it('with one element by position is still read, by a configuration that was saved with it', () => {
    const response = queryOf({ outcome: { path: '0.state', table: TABLE } })
    fc.assert(
      fc.property(state, (word) => {
        expect(said(response, [{ state: word }])).toBe(MEANING[word])
      }),
    )
  })

  it('as the only element is believed when it names our order', () => {
    const response = queryOf({
      reference: 'data.$only.ref',
      outcome: { path: 'data.$only.state', table: TABLE },
    })
    fc.assert(
      fc.property(orders, (data) => {
        const expected =
          data.length > 1 ? 'ambiguous' : data[0]?.ref === OURS ? MEANING[data[0].state] : 'unknown'
        expect(said(response, { data })).toBe(expected)
      }),
    )
  })
})

describe('an answer without its list', () => {
  const response = queryOf({
    list: { at: 'data', where: { ref: '{{reference}}' } },
    outcome: { path: ['state', 'error'], table: { ...TABLE, unknown_ref: { outcome: 'not_found' } } },
  })

  it('can say that there is no such order, and nothing else about it', () => {
    expect(said(response, { error: 'unknown_ref' })).toBe('not_found')
    for (const word of ['ok', 'no', 'wait']) {
      expect(said(response, { error: word })).toBe('unknown')
      expect(said(response, { state: word, ref: OURS })).toBe('unknown')
    }
  })

  it('an empty list in a refusal is not an order that does not exist', () => {
    expect(judgeQuestion(response, { status: 200, json: { data: [] } }, VALUES)).toMatchObject({
      verdict: { outcome: 'not_found' },
    })
    for (const status of [400, 404, 500, 502]) {
      expect(judgeQuestion(response, { status, json: { data: [] } }, VALUES).kind).toBe('undecided')
    }
  })
})
