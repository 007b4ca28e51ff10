import { describe, expect, it } from 'vitest'
import type { Json } from '../../../testing/providers/http-configs.ts'
import {
  changed,
  fullConfig,
  leastConfig,
  problemsOf,
  readConfig,
} from '../../../testing/providers/http-configs.ts'
import { parseHttpConfig } from './config.rules.ts'

describe('a supplier’s configuration', () => {
  it('needs an address and how to order, and has defaults for the rest', () => {
    expect(readConfig(leastConfig())).toMatchObject({
      baseUrl: 'https://api.supplier.example/v1',
      submitMs: 20_000,
      queryMs: 10_000,
      concurrencyMax: 32,
      ratePerSecond: null,
      notFoundProvesAfterMs: null,
      auth: { type: 'none' },
      query: null,
      callback: null,
    })
  })

  it('the configuration of the simulator is right', () => {
    expect(problemsOf(fullConfig())).toEqual([])
  })

  it.each([null, undefined, 'text', 5, []])('a supplier’s configuration that is %s is refused', (config) => {
    expect(problemsOf(config)).toEqual([{ path: '$', message: 'must be an object' }])
  })

  it('has every mistake reported at once, each by its path', () => {
    const config = fullConfig()
    changed(config, 'base_url', 'ftp://supplier.example')
    changed(config, 'limits.concurrency', 0)
    changed(config, 'submit.body.reference', '{{refrence}}')
    changed(config, 'submit.response.outcome.table.failed.table.45.code', 99)
    changed(config, 'query.path', undefined)
    changed(config, 'colour', 'red')
    expect(
      problemsOf(config)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([
      'base_url',
      'colour',
      'limits.concurrency',
      'query.path',
      'submit',
      'submit.body.reference',
      'submit.response.outcome.table.failed.table.45.code',
    ])
  })
})

describe('a mistake is found where it is', () => {
  it.each<[string, unknown, string]>([
    // addresses
    ['base_url', 'http://api.supplier.example', 'https'],
    ['base_url', 'https://user:pass@api.supplier.example', 'credentials'],
    ['base_url', 'https://api.supplier.example/#x', 'fragment'],
    ['base_url', 'https://api.supplier.example/?a=b', 'query'],
    ['base_url', 'https://api.supplier.example/v1?', 'query'],
    ['base_url', 'https://api.supplier.example ', 'spaces'],
    ['base_url', 'https://api.supplier.example/v1\t', 'spaces'],
    ['base_url', 'api.supplier.example', 'absolute'],
    ['base_url', 5, 'text'],
    // paths
    ['submit.path', 'orders', 'slash'],
    ['submit.path', '//evil.example/orders', 'slash'],
    ['submit.path', '/../admin', 'leave base_url'],
    ['submit.path', '/a/%2e%2E/b', 'leave base_url'],
    ['submit.path', '/a/./b', 'leave base_url'],
    ['submit.path', '/orders?x=1', 'query'],
    ['submit.path', '/orders#x', '#'],
    ['submit.path', '/a\\b', '\\'],
    ['submit.path', '/a b', 'percent-encoded'],
    ['submit.path', '/a"b', 'percent-encoded'],
    ['submit.path', '/a<b>', 'percent-encoded'],
    ['submit.path', '/{{nothing}}', 'no placeholder'],
    ['submit.path', '/{{reference|or_null}}', 'one placeholder'],
    // the reference
    ['submit.body', { to: '{{account}}' }, '{{reference}}'],
    ['submit.body', { ref: '{{reference|first:4}}' }, '{{reference}}'],
    ['submit.body', { ref: '{{reference|digits}}' }, '{{reference}}'],
    ['query.path', '/orders/{{account}}', '{{reference}}'],
    ['void.path', '/voids', '{{reference}}'],
    // requests
    ['submit.method', 'FETCH', 'one of'],
    ['query.body', { a: 1 }, 'GET'],
    ['submit.form', { a: '1' }, 'body already'],
    ['submit.headers', { 'Bad Name': 'x' }, 'no name of a header'],
    ['submit.headers', { Host: 'x' }, 'client itself'],
    ['submit.headers', { 'Content-Length': '1' }, 'client itself'],
    ['submit.headers', { 'X-A': 'a\r\nX-B: c' }, 'ASCII'],
    ['submit.headers', { 'X-A': { secret: 'other' } }, 'no secret "other"'],
    ['submit.headers', { 'X-A': '{{ic_numbr}}' }, 'no placeholder'],
    ['headers', { 'X-A': '{{reference}}' }, 'no placeholder'],
    ['submit.body', { a: { b: ['{{amount|cents', 1] } }, 'counterpart'],
    ['submit.body', { sku: '{{supplier_code}}' }, 'products'],
    ['products', { NOVA: { by_amount: { ten: 'x' } } }, 'amount'],
    ['products', { NOVA: {} }, 'either'],
    // authentication
    ['auth', { type: 'magic' }, 'one of'],
    ['auth', { type: 'bearer', token: 'the-token-itself' }, 'secret'],
    ['auth', { type: 'bearer', token: { secret: 'other' } }, 'no secret'],
    ['auth', { type: 'basic', username: 'u' }, 'missing'],
    ['auth', { type: 'none', token: { secret: 'callback' } }, 'not known'],
    ['auth', { type: 'hmac', secret: { secret: 'callback' }, header: 'X-S', payload: '{{nonce}}' }, 'proves'],
    [
      'auth',
      { type: 'hmac', secret: { secret: 'callback' }, header: 'X-S', payload: '{{body}}', value: 'v1' },
      'signature',
    ],
    [
      'auth',
      {
        type: 'oauth2_client_credentials',
        token_url: 'http://auth.supplier.example',
        client_id: 'c',
        client_secret: { secret: 'callback' },
      },
      'https',
    ],
    [
      'auth',
      {
        type: 'oauth2_client_credentials',
        token_url: 'https://auth.supplier.example',
        client_id: 'c',
        client_secret: { secret: 'callback' },
        extra: { grant_type: 'password' },
      },
      'always sent',
    ],
    // responses
    ['submit.response.outcome.table', { a: { outcome: 'failed', code: 48 } }, 'succeeded or pending'],
    ['query.response.outcome.table', { a: { outcome: 'pending' } }, 'maps nothing to succeeded'],
    ['query.response.outcome.table.pending.outcome', 'approved', 'one of'],
    ['submit.response.outcome.table.pending.outcome', 'not_found', 'one of'],
    ['submit.response.outcome.table.pending.code', 48, 'no code'],
    ['submit.response.outcome.table.pending', { outcome: 'failed' }, 'missing'],
    ['submit.response.outcome.table', {}, 'empty'],
    ['submit.response.outcome.otherwise', { outcome: 'failed', code: 48 }, 'inside a table'],
    ['submit.response.outcome.table.failed.otherwise', { outcome: 'succeeded' }, 'too much'],
    ['submit.response.outcome.table.failed.otherwise', { outcome: 'not_acted' }, 'too much'],
    ['submit.response.outcome.path', '$status', 'cannot decide'],
    ['submit.response.outcome.path', 'a..b', 'dots'],
    ['submit.response.outcome.path', [], 'at least one'],
    ['submit.response.http_status', { 503: { outcome: 'not_acted' } }, 'proves nothing'],
    ['submit.response.http_status', { 302: { outcome: 'pending' } }, 'proves nothing'],
    ['submit.response.http_status', { 200: { outcome: 'succeeded' } }, 'bare status'],
    ['submit.response.http_status', { 404: { outcome: 'failed', code: 48 } }, 'bare status'],
    ['query.response.http_status', { 404: { outcome: 'not_found' } }, 'bare status'],
    ['query.response.http_status', { 410: { outcome: 'failed', code: 48 } }, 'bare status'],
    ['submit.response.output.expiry', { path: 'a', format: 'dd-MM' }, 'yyyy'],
    ['submit.response.output.puk', 'a', 'not known'],
    ['float.response.amount', { path: 'a', unit: 'dollars' }, 'one of'],
    ['options.response.option.code', undefined, 'missing'],
    ['bill.response.bill', 5, 'object'],
    // lists
    ['query.response.outcome.path', '0.status', '"list": { "where": { "reference": "{{reference}}" } }'],
    ['query.response.outcome.path', ['a.b.1.status', 'error'], '"list": { "at": "a.b", "where"'],
    ['query.response.outcome.table.failed.path', 'items.0.code', 'position'],
    ['query.response.reference', '0.ref', 'position'],
    ['query.response.output.pin', 'cards.0.pin', '$only'],
    ['query.response.reason', 'errors.0.message', 'position'],
    ['submit.response.outcome.path', 'errors.0.code', 'position'],
    ['void.response.outcome.path', '0.status', 'position'],
    ['bill.response.bill', 'bills.0', 'position'],
    ['bill.response.bill', { due: 'bills.0.due' }, 'position'],
    ['options.response.list', 'groups.0.options', 'position'],
    ['options.response.option.denomination', 'prices.0', 'position'],
    ['float.response.amount', { path: 'accounts.0.balance', unit: 'cents' }, 'position'],
    ['callback.reference', 'orders.0.ref', 'position'],
    ['callback.outcome', { path: '0.state', table: { ok: { outcome: 'succeeded' } } }, 'position'],
    ['query.response.outcome.path', 'data.$only.status', 'somebody else'],
    ['void.response.outcome.path', '$only.status', 'somebody else'],
    ['query.response.list', { at: 'data', where: {} }, 'one member'],
    ['query.response.list', { where: { a: '{{reference}}', b: '{{account}}' } }, 'one member'],
    ['query.response.list', { where: { ref: '{{account}}' } }, '{{reference}}, whole'],
    ['query.response.list', { where: { ref: '{{reference|first:4}}' } }, '{{reference}}, whole'],
    ['query.response.list', { at: '0', where: { ref: '{{reference}}' } }, 'position'],
    ['query.response.list', { where: { '0.ref': '{{reference}}' } }, 'position'],
    ['query.response.list', 'data', 'object'],
    ['bill.response.list', { where: { ref: '{{reference}}' } }, 'no placeholder'],
    ['float.response.list', { where: { owner: '{{account}}' } }, 'no placeholder'],
    // numbers
    ['timeouts.submit_ms', 60_000, 'from 100 to 50000'],
    ['not_found_proves_after_ms', -1, 'whole number'],
    ['limits.rate_per_second', 0.5, 'whole number'],
    // callbacks
    ['callback.verification.payload', '{{timestamp}}', 'proves'],
    ['callback.verification.payload', '{{body}}', 'timestamp'],
    ['callback.verification.payload', '{{timestamp}}.{{query}}', 'must hold {{body}}'],
    ['callback.verification.payload', '{{timestamp}}.{{body|first:9}}', 'must hold {{body}}'],
    ['callback.verification.payload', '{{timestamp}}.{{body|with_prefix:x}}', 'must hold {{body}}'],
    [
      'callback',
      {
        verification: {
          type: 'hmac',
          algorithm: 'sha1',
          secret: { secret: 'callback' },
          header: 'X-Hub-Signature',
          payload: '{{body}}',
        },
        reference: 'ref',
        output: { pin: 'pin', voucher_link: 'link' },
        outcome: { path: 'state', table: { ok: { outcome: 'succeeded' } } },
      },
      'too weak',
    ],
    [
      'callback.verification',
      { type: 'secret_query', parameter: 'k', secret: { secret: 'no' } },
      'no secret',
    ],
    [
      'callback.verification',
      { type: 'digest_field', path: 'sign', digest: { digest: 'md5', of: [{ secret: 'callback' }] } },
      'both are what it proves',
    ],
    [
      'callback.verification',
      { type: 'digest_field', path: 'sign', digest: { digest: 'md5', of: ['{{reference}}'] } },
      'both are what it proves',
    ],
    ['callback.content', 'query', 'must hold {{query}}'],
    ['callback.verification.timestamp', undefined, 'missing'],
    ['callback.verification', { type: 'none' }, 'one of'],
    ['callback.reference', undefined, 'missing'],
    ['callback.outcome', { path: 'a', table: { b: { outcome: 'not_found' } } }, 'one of'],
  ])('%s = %j', (path, value, words) => {
    const problems = problemsOf(changed(fullConfig(), path, value))
    expect(problems.length).toBeGreaterThan(0)
    for (const problem of problems) expect(problem.path.startsWith(path.split('.')[0] ?? '')).toBe(true)
    expect(problems.map(({ message }) => message).join('\n')).toContain(words)
  })

  it.each([
    [
      'submit.response.outcome',
      { path: 'status', table: { ok: { outcome: 'success', code: 48 } } },
      'submit.response.outcome.table.ok.outcome',
    ],
    [
      'query.response.outcome.table.pending',
      { outcome: 'fail' },
      'query.response.outcome.table.pending.outcome',
    ],
    [
      'submit.response.outcome.table.failed.otherwise',
      { outcome: 'unsure' },
      'submit.response.outcome.table.failed.otherwise.outcome',
    ],
    ['submit.response.http_status', { 404: { outcome: 'lost' } }, 'submit.response.http_status.404.outcome'],
  ])('a wrong word in %s = %j is one message, at its place', (path, value, place) => {
    expect(problemsOf(changed(fullConfig(), path, value))).toEqual([
      { path: place, message: expect.stringMatching(/^must be one of /) },
    ])
  })

  it('a callback without a table needs a supplier that can be asked', () => {
    const config = changed(changed(fullConfig(), 'query', undefined), 'not_found_proves_after_ms', undefined)
    expect(problemsOf(config).map(({ path }) => path)).toEqual(['callback.outcome'])
    expect(problemsOf(changed(fullConfig(), 'query', undefined)).map(({ path }) => path)).toContain(
      'not_found_proves_after_ms',
    )
  })

  it('a callback that settles an order brings the PIN and the link that other answers have', () => {
    const table = { path: 'state', table: { ok: { outcome: 'succeeded' } } }
    const settling = (output: Json) =>
      problemsOf(changed(changed(fullConfig(), 'callback.outcome', table), 'callback.output', output))
    expect(settling({}).map(({ path }) => path)).toEqual([
      'callback.output.pin',
      'callback.output.voucher_link',
    ])
    expect(settling({ pin: 'pin', voucher_link: 'link' })).toEqual([])
    const strict = changed(fullConfig(), 'query.response.output.pin', { path: 'output.pin', required: true })
    changed(strict, 'callback.output', { pin: 'pin', voucher_link: 'link' })
    expect(problemsOf(strict)).toEqual([])
    expect(problemsOf(changed(strict, 'callback.outcome', table)).map(({ path }) => path)).toEqual([
      'callback.output.pin',
    ])
  })

  it('the reference may be anywhere in a request, in a form that keeps it one', () => {
    const sent = { body: undefined, query: undefined, headers: undefined, form: undefined }
    for (const place of [
      { headers: { 'Idempotency-Key': '{{reference}}' } },
      { query: { ref: '{{reference|lower}}' } },
      { form: { ref: 'X{{reference}}' } },
      { path: '/orders/{{reference|without_prefix:W}}' },
      { body: { order: [{ ref: '{{reference}}' }] } },
    ]) {
      const submit = { ...(leastConfig().submit as Json), ...sent, ...place }
      expect(problemsOf({ ...leastConfig(), submit })).toEqual([])
    }
  })

  it('a list is read by the value that tells ours from others, and by the only element', () => {
    for (const [path, value] of [
      ['query.response.list', { at: 'data.items', where: { 'order.ref': '{{reference|lower}}' } }],
      ['query.response.list', { where: { ref: 'X-{{reference}}' } }],
      ['submit.response.list', { at: 'orders', where: { ref: '{{reference}}' } }],
      ['submit.response.outcome.path', ['status', 'errors.$only.code']],
      ['void.response.list', { at: 'voids', where: { ref: '{{reference}}' } }],
      ['bill.response.list', { at: 'bills', where: { account: '{{account}}' } }],
      ['float.response.list', { where: { currency: 'MYR' } }],
      ['query.response.output.pin', 'cards.$only.pin'],
    ] as const) {
      expect(problemsOf(changed(fullConfig(), path, value))).toEqual([])
    }
  })

  it('a position that was saved before goes on being read, and is reported', () => {
    const reading = parseHttpConfig(changed(fullConfig(), 'query.response.outcome.path', '0.status'), [
      'callback',
    ])
    expect(reading).toMatchObject({
      ok: true,
      outdated: [{ path: 'query.response.outcome.path', isOutdated: true }],
    })
  })

  it('an address is kept as it will be used', () => {
    expect(readConfig({ ...leastConfig(), base_url: 'HTTPS://API.Supplier.Example:443/v1/' }).baseUrl).toBe(
      'https://api.supplier.example/v1',
    )
    expect(readConfig({ ...leastConfig(), base_url: 'https://api.supplier.example/a"b' }).baseUrl).toBe(
      'https://api.supplier.example/a%22b',
    )
  })

  it('names that every object has are names like others', () => {
    const config = JSON.parse('{"base_url":"https://a.example","submit":{"__proto__":{"method":"GET"}}}')
    expect(problemsOf(config).map(({ path }) => path)).toContain('submit.__proto__')
    expect(problemsOf({ ...leastConfig(), constructor: 1 })).toEqual([
      { path: 'constructor', message: expect.stringContaining('not known') },
    ])
  })

  it('a mistake is told without a value that could be a secret put in the wrong place', () => {
    const config = changed(fullConfig(), 'auth', { type: 'bearer', token: 'hunter2hunter2' })
    expect(JSON.stringify(problemsOf(config))).not.toContain('hunter2')
  })
})
