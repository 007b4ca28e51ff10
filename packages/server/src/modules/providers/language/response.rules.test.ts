import { describe, expect, it } from 'vitest'
import { changed, fullConfig, problemsOf } from '../../../testing/providers/http-configs.ts'

const TABLE = { ok: { outcome: 'succeeded' }, no: { outcome: 'not_found' } }
const OUTCOME = { path: 'state', table: { ok: { outcome: 'succeeded' } } }
const FETCH = { method: 'GET', path: '/cards/{{supplier_id}}', response: { outcome: OUTCOME } }
const REPEATED = {
  repeats_submit: true,
  min_interval_s: 60,
  not_after_days: 80,
  response: { outcome: OUTCOME },
}
const ASK = {
  verification: { type: 'secret_header', header: 'X-T', secret: { secret: 'callback' } },
  reference: 'ref',
}

describe('a mistake in what was said of answers is found', () => {
  it.each<[string, unknown, string]>([
    // the supplier's own id
    ['submit.path', '/orders/{{supplier_id}}', 'no placeholder'],
    ['query.path', '/orders/{{supplier_id}}', 'sends {{reference}}'],
    ['query.path', '/orders/{{supplier_id|first:4}}', 'or {{supplier_id}}, whole'],
    ['query.response.supplier_id', 'items.$any.id', 'takes no $any'],
    // the second call
    ['fetch', { ...FETCH, path: '/cards' }, 'or {{supplier_id}}, whole'],
    [
      'fetch',
      { ...FETCH, response: { outcome: { path: 'a', table: { a: { outcome: 'failed', code: 48 } } } } },
      'one of',
    ],
    // the question that repeats the order
    ['query', { ...REPEATED, not_after_days: undefined }, 'missing'],
    ['query', { ...REPEATED, not_after_days: 366 }, '1 to 365'],
    ['query', { ...REPEATED, path: '/x' }, 'not known'],
    ['query', { ...REPEATED, response: { outcome: { path: 'state', table: TABLE } } }, 'one of'],
    ['query', REPEATED, 'the order itself'],
    // the form of references
    ['reference_format', 'X{{submitted_at|unix}}', 'whole'],
    ['reference_format', '{{reference|alnum}}', 'whole'],
    ['reference_format', '{{submitted_at|unix}}-{{reference}}', 'repeats_reference'],
    ['reference_format', `${'x'.repeat(41)}{{reference}}`, 'at most 40'],
    ['reference_format', '{{account}}{{reference}}', 'no placeholder'],
    // currencies
    ['currency', 'RM', 'ISO 4217'],
    ['float.response.currency', 'usd', 'ISO 4217'],
    ['submit.response.cost', { path: 'a', unit: 'cents', divisor: { path: 'b' } }, 'divisor says it'],
    ['submit.response.cost', { path: 'a', divisor: 100 }, 'text'],
    ['float.response.amount', { path: 'a', unit: 'cents', divisor: 'b' }, 'divisor says it'],
    // success without a word, and words that decide nothing
    [
      'submit.response.outcome',
      { present: 'id', table: { a: { outcome: 'pending' } } },
      'both path and table',
    ],
    ['void.response.outcome', { present: 'id' }, 'is not known here'],
    ['query.response.outcome.table.odd', { outcome: 'unknown', code: 48 }, 'is not known here'],
    ['submit.response.outcome.table.failed.otherwise', { outcome: 'unknown' }, 'one of'],
    // usual values
    ['usual_values', { 'Send Value': 'x' }, 'lower-case'],
    ['usual_values', { amount: '{{product.amount}}' }, 'no placeholder'],
    // statuses and elements
    ['submit.response.trust_status', [404], 'from 500 to 599'],
    ['submit.response.trust_status', 500, 'list'],
    ['submit.response.only_status', [], 'list'],
    ['submit.response.only_status', [100], 'from 200'],
    ['query.response.outcome.path', 'data.$any.status', 'somebody else'],
    ['query.response.reference', '$any.ref', 'takes no $any'],
    ['query.response.http_status', { 404: { outcome: 'not_acted' } }, 'bare status'],
    ['query.response.http_status', { 404: { outcome: 'reversed' } }, 'bare status'],
    ['submit.response.outcome.table.pending.outcome', 'reversed', 'one of'],
    // callbacks
    ['callback', { ...ASK, answer: { text: '{{reference}}' } }, 'no placeholders'],
    ['callback', { ...ASK, answer: 'x'.repeat(5_000) }, 'longer'],
    ['callback', { ...ASK, ping: { path: 'event', values: [] } }, 'list'],
    ['callback', { ...ASK, ping: { path: '$header.bad name', values: ['a'] } }, 'no name of a header'],
    [
      'callback',
      { ...ASK, outcome: { ...OUTCOME, path: 'data.$any.state' }, output: { pin: 'p', voucher_link: 'l' } },
      'somebody else',
    ],
  ])('%s = %j', (path, value, words) => {
    const problems = problemsOf(changed(fullConfig(), path, value))
    expect(problems.map(({ message }) => message).join('\n')).toContain(words)
  })
})

it('a second call needs a supplier that can be asked, and callbacks that only cause a question', () => {
  const settling = { ...ASK, outcome: OUTCOME, output: { pin: 'p', voucher_link: 'l' } }
  const config = changed(changed(fullConfig(), 'fetch', FETCH), 'callback', settling)
  expect(problemsOf(config)).toEqual([
    { path: 'callback.outcome', message: expect.stringContaining('"ask"') },
  ])
  const unasked = changed(
    changed(changed(fullConfig(), 'fetch', FETCH), 'query', undefined),
    'callback',
    undefined,
  )
  expect(problemsOf(unasked).map(({ path }) => path)).toContain('fetch')
})

it('every addition has a right form', () => {
  const config = fullConfig()
  for (const [path, value] of [
    ['reference_format', '{{submitted_at|format@+01:00:yyyyMMddHHmm}}{{reference_alnum}}'],
    ['repeats_reference', false],
    ['currency', 'USD'],
    ['fetch', FETCH],
    ['not_found_proves_after_ms', undefined],
    ['query.path', '/orders/{{supplier_id}}'],
    ['query.response.supplier_id', 'data.id'],
    ['query.response.outcome.table.poor', { outcome: 'not_acted', code: 47 }],
    ['query.response.outcome.table.back', { outcome: 'reversed' }],
    ['query.response.outcome.table.refunded', { outcome: 'reversed', code: 48 }],
    ['query.response.outcome.table.twice', { outcome: 'unknown', reason: 'the reference was used before' }],
    ['query.response.outcome.present', 'data.id'],
    ['query.response.output.pin', { path: ['data.pin', 'data.card'], required: true }],
    ['usual_values', { amount: '{{face_value|plain}}', country: 'MY' }],
    ['query.response.reason', ['errors.$any.message', 'message']],
    ['submit.response.outcome.path', ['status', 'errors.$any.code']],
    ['submit.response.trust_status', [500]],
    [
      'submit.response.cost',
      { path: 'cost.fixed', divisor: { path: 'cost.divisor' }, currency: { path: 'unit' } },
    ],
    ['float.response.currency', { path: 'currencyCode' }],
    [
      'callback',
      { ...ASK, answer: { response: 'success' }, ping: { path: '$header.X-Event', values: ['ping'] } },
    ],
  ] as const) {
    changed(config, path, value)
  }
  expect(problemsOf(config)).toEqual([])
  expect(
    problemsOf(changed(changed(fullConfig(), 'not_found_proves_after_ms', undefined), 'query', REPEATED)),
  ).toEqual([])
})
