import { afterEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../testing/providers/http-configs.ts'
import { connectHttp, openLoopback } from '../../../testing/providers/http-connection.ts'
import type { SeenRequest } from '../../../testing/providers/http-recorder.ts'
import { recordWith } from '../../../testing/providers/http-recorder.ts'
import { newOrder } from '../../../testing/providers/provider-bench.ts'
import type { Provider } from '../port/types.ts'

const never = new AbortController().signal

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0)) await close()
})

type Answer = readonly [status: number, body: unknown]

const TABLE = {
  ok: { outcome: 'succeeded' },
  wait: { outcome: 'pending' },
  no: { outcome: 'failed', code: 52 },
}
const OUTCOME = { path: 'state', table: TABLE }
const order = newOrder({ reference: 'W1-1', account: '60123456789' })

async function supplier(answerTo: (request: SeenRequest) => Answer, changes: Json, submit: Json = {}) {
  const { url, seen } = await recordWith((request) => {
    const [status, body] = answerTo(request)
    return [status, JSON.stringify(body)]
  })
  const outbound = openLoopback()
  toClose.push(() => outbound.close())
  const config = {
    base_url: url,
    submit: {
      method: 'POST',
      path: '/orders',
      body: { ref: '{{reference}}' },
      response: { outcome: OUTCOME, ...submit },
    },
    ...changes,
  }
  return { provider: connectHttp({ config, outbound }), seen }
}

const query = (response: Json, request: Json = {}) => ({
  query: {
    method: 'GET',
    path: '/orders/{{reference}}',
    ...request,
    response: { outcome: OUTCOME, ...response },
  },
})

describe('the supplier’s own id', () => {
  it('is given with every answer that leaves the order open or ends it well, and asks with it', async () => {
    const { provider, seen } = await supplier(
      ({ method }) => [
        200,
        method === 'POST' ? { state: 'wait', id: 9007199254740991 } : { state: 'ok', id: 'A' },
      ],
      query({ supplier_id: 'id' }, { path: '/by-id/{{supplier_id}}' }),
      { supplier_id: 'id' },
    )
    expect(await provider.submit(order, never)).toEqual({ kind: 'pending', supplierId: '9007199254740991' })
    const supplierId = '77/1'
    expect(await provider.query({ ...order, supplierId }, never)).toMatchObject({
      kind: 'succeeded',
      supplierId: 'A',
    })
    expect(seen.map(({ url }) => url)).toEqual(['/orders', '/by-id/77%2F1'])
  })

  it('is not asked with while it is not known', async () => {
    const { provider, seen } = await supplier(() => [200, {}], query({}, { path: '/by-id/{{supplier_id}}' }))
    const reason = "the supplier's own id is not known"
    expect(await provider.query(order, never)).toEqual({ kind: 'unknown', reason })
    expect(seen).toEqual([])
  })
})

describe('a second call', () => {
  const fetch = {
    fetch: {
      method: 'GET',
      path: '/cards/{{supplier_id}}',
      response: {
        outcome: { path: 'state', table: { ok: { outcome: 'succeeded' }, wait: { outcome: 'pending' } } },
        output: { pin: { path: 'pin', required: true } },
        cost: 'cost',
      },
    },
  }
  const first = { supplier_id: 'id', output: { serial_number: 'serial', pin: 'pin' }, cost: 'cost' }
  const bought = { state: 'ok', id: 'A1', serial: 'S', pin: 'first', cost: 1 }

  async function asked(card: Answer) {
    const { provider } = await supplier(
      ({ url }) => (url.startsWith('/cards/A1') ? card : [200, bought]),
      { ...query(first), ...fetch, currency: 'USD' },
      first,
    )
    const answers = [await provider.submit(order, never), await provider.query(order, never)]
    expect(answers[1]).toEqual(answers[0])
    return answers[0]
  }

  it('completes a success with its output and cost', async () => {
    expect(await asked([200, { state: 'ok', pin: 'card', cost: '2.50' }])).toEqual({
      kind: 'succeeded',
      supplierId: 'A1',
      cost: { amount: 25_000n, currency: 'USD' },
      output: { serialNumber: 'S', pin: 'card', expiry: '', voucherLink: '', note: '' },
    })
  })

  it.each<[string, Answer]>([
    ['waits', [200, { state: 'wait' }]],
    ['fails', [500, {}]],
    ['is refused', [401, { state: 'ok', pin: 'card' }]],
    ['brings no PIN', [200, { state: 'ok' }]],
    ['brings nothing', [204, '']],
  ])('a second call that %s leaves the order pending, with the supplier’s id', async (_, card) => {
    expect(await asked(card)).toEqual({ kind: 'pending', supplierId: 'A1' })
  })

  it('with a word that no table knows says which', async () => {
    expect(await asked([200, { state: 'odd', pin: '123456' }])).toMatchObject({
      kind: 'unknown',
      supplierId: 'A1',
      unmapped: { operation: 'fetch', path: 'state', value: 'odd', sample: '{"state":"odd","pin":"…"}' },
    })
  })

  it('is not made for an order that did not succeed', async () => {
    const { provider, seen } = await supplier(
      () => [200, { state: 'wait', id: 'A1' }],
      { ...query(first), ...fetch },
      first,
    )
    expect(await provider.submit(order, never)).toEqual({ kind: 'pending', supplierId: 'A1' })
    expect(seen).toHaveLength(1)
  })
})

describe('a question that repeats the order', () => {
  const repeated = (response: Json = {}) => ({
    query: {
      repeats_submit: true,
      min_interval_s: 60,
      not_after_days: 80,
      response: { outcome: OUTCOME, ...response },
    },
  })

  it('sends the request of the order, and reads the answer by its own table', async () => {
    const table = { ...TABLE, exists: { outcome: 'pending' } }
    const { provider, seen } = await supplier(
      () => [200, { state: 'exists' }],
      repeated({ outcome: { path: 'state', table } }),
    )
    expect(provider.asksByRepeating).toEqual({ minIntervalMs: 60_000, notAfterMs: 80 * 24 * 3_600_000 })
    expect(await provider.submit(order, never)).toMatchObject({
      kind: 'unknown',
      unmapped: { value: 'exists' },
    })
    expect(await provider.query(order, never)).toEqual({ kind: 'pending' })
    expect(seen[1]).toMatchObject({ method: 'POST', url: '/orders', body: seen[0]?.body })
  })

  it('leaves no byte after its time, as an order does; another question has none', async () => {
    const over = 0
    const { provider, seen } = await supplier(() => [200, { state: 'ok' }], repeated({}))
    expect(await provider.query(order, never, over)).toMatchObject({ kind: 'unknown' })
    expect(seen).toEqual([])
    const asking = await supplier(() => [200, { state: 'ok' }], query({}))
    expect(await asking.provider.query(order, never, over)).toMatchObject({ kind: 'succeeded' })
  })
})

describe('a value of a product', () => {
  it('a value that the code of a product lacks is the usual one, where that can be written', async () => {
    const value = (name: string, more = '') => `{{product.${name}${more}}}`
    const { provider, seen } = await supplier(() => [200, { state: 'ok' }], {
      products: { OWN: { code: 'A', values: { amount: '5', local: 'true' } }, USUAL: 'B' },
      usual_values: {
        amount: '{{face_value|plain}}',
        country: 'MY',
        local: 'false',
        whole: '{{face_value|whole}}',
      },
      submit: {
        method: 'POST',
        path: '/orders',
        body: {
          ref: '{{reference}}',
          amount: value('amount', '|number'),
          country: value('country'),
          local: value('local', '|boolean'),
          whole: value('whole', '|or_absent'),
          plan: value('plan', '|or_absent'),
        },
        response: { outcome: OUTCOME },
      },
    })
    for (const productCode of ['OWN', 'USUAL']) {
      await provider.submit({ ...order, productCode, faceValue: 105_000n }, never)
    }
    expect(seen.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { ref: 'W1-1', amount: 5, country: 'MY', local: true },
      { ref: 'W1-1', amount: 10.5, country: 'MY', local: false },
    ])
  })
})

describe('the form of a reference', () => {
  it('is made of ours and the time of sending', async () => {
    const { provider } = await supplier(() => [200, {}], {
      reference_format: '{{submitted_at|format@+01:00:yyyyMMddHHmm}}{{reference_alnum}}',
      repeats_reference: false,
    })
    const submittedAt = new Date('2026-11-19T23:30:00Z')
    expect(provider.referenceOf?.(newOrder({ reference: 'W123-1', submittedAt }))).toBe('202611200030W123A1')
  })
})

describe('an answer', () => {
  async function said(kind: 'submit' | 'query', answer: Answer, response: Json): Promise<unknown> {
    const isOrder = kind === 'submit'
    const { provider } = await supplier(() => answer, isOrder ? {} : query(response), isOrder ? response : {})
    const ask = (far: Provider) => (kind === 'submit' ? far.submit(order, never) : far.query(order, never))
    return ask(provider)
  }

  it('to a question can say that the order was not taken, or was taken back', async () => {
    const table = { ...TABLE, poor: { outcome: 'not_acted', code: 47 }, back: { outcome: 'reversed' } }
    Object.assign(table, { refunded: { outcome: 'reversed', code: 48 } })
    const response = { outcome: { path: 'state', table }, reason: ['why', 'message'] }
    const read = (state: string, status = 200) => said('query', [status, { state, message: 'x' }], response)
    expect(await read('poor')).toEqual({ kind: 'not_acted', code: 47, reason: 'x', word: 'poor' })
    expect(await read('back')).toEqual({ kind: 'reversed', reason: 'x' })
    expect(await read('refunded')).toEqual({ kind: 'reversed', reason: 'x', code: 48 })
    expect(await read('back', 404)).toMatchObject({ kind: 'unknown' })
    const named = { ...response, reference: 'ref' }
    expect(await said('query', [200, { state: 'poor' }], named)).toMatchObject({ kind: 'unknown' })
  })

  it('without a word of success is one where it has what was bought, and no word at all', async () => {
    const outcome = { ...OUTCOME, present: ['cards.$only.number', 'cards.$only.pin'] }
    const read = (answer: Answer, more: Json = {}) => said('submit', answer, { outcome, ...more })
    expect(await read([200, { cards: [{ pin: '1' }] }])).toMatchObject({ kind: 'succeeded' })
    expect(await read([200, { cards: { number: 5 } }])).toMatchObject({ kind: 'succeeded' })
    for (const answer of [
      [200, { cards: [{ pin: ' ' }] }],
      [200, { cards: [] }],
      [200, { cards: [{ pin: '1' }, { pin: '2' }] }],
      [200, { state: 'odd', cards: [{ pin: '1' }] }],
      [404, { cards: [{ pin: '1' }] }],
    ] as const) {
      expect(await read(answer)).toMatchObject({ kind: 'unknown' })
    }
    expect(await read([200, { state: 'no', cards: [{ pin: '1' }] }])).toMatchObject({ kind: 'failed' })
    expect(await read([200, { cards: [{ pin: '1' }] }], { reference: 'ref' })).toMatchObject({
      kind: 'unknown',
    })
    expect(
      await read([200, { cards: [{ pin: '1' }] }], { outcome: { present: outcome.present } }),
    ).toMatchObject({
      kind: 'succeeded',
    })
  })

  it('with a word that decides nothing is unknown, and nobody need learn the word', async () => {
    const table = { ...TABLE, twice: { outcome: 'unknown', reason: 'used before' } }
    const response = { outcome: { path: ['state', 'errors.$any'], table } }
    expect(await said('submit', [400, { state: 'twice' }], response)).toEqual({
      kind: 'unknown',
      reason: 'used before',
    })
    expect(await said('submit', [400, { errors: ['no', 'twice'] }], response)).toMatchObject({
      kind: 'unknown',
    })
  })

  it('is looked through for our order where it is a list itself, wherever the list usually is', async () => {
    const response = { list: { at: 'content', where: { ref: '{{reference}}' } } }
    const mine = { ref: 'W1-1', state: 'ok' }
    for (const answer of [[mine], { content: [{ ref: 'W1-10', state: 'no' }, mine] }]) {
      expect(await said('query', [200, answer], response)).toMatchObject({ kind: 'succeeded' })
    }
    expect(await said('query', [200, []], response)).toEqual({ kind: 'not_found' })
    expect(await said('query', [200, [mine, mine]], response)).toMatchObject({ isAmbiguous: true })
  })

  it('with 500 is read where it is trusted, whole and in the table, and never succeeds', async () => {
    const table = { ...TABLE, poor: { outcome: 'not_acted', code: 47 } }
    const response = { outcome: { path: 'state', table }, trust_status: [500] }
    expect(await said('submit', [500, { state: 'poor' }], response)).toMatchObject({ kind: 'not_acted' })
    for (const [status, state] of [
      [500, 'ok'],
      [500, 'odd'],
      [500, undefined],
      [502, 'poor'],
    ] as const) {
      expect(await said('submit', [status, { state }], response)).toMatchObject({ kind: 'unknown' })
    }
    expect(await said('submit', [500, { state: 'poor' }], { ...response, trust_status: [] })).toMatchObject({
      kind: 'unknown',
    })
  })

  it('with a status that the supplier does not answer with says nothing, whatever is in it', async () => {
    const response = { only_status: [200, 400], http_status: { 404: { outcome: 'not_acted', code: 47 } } }
    expect(await said('submit', [400, { state: 'no' }], response)).toMatchObject({ kind: 'failed' })
    for (const status of [201, 404, 500]) {
      expect(await said('submit', [status, { state: 'no' }], response)).toMatchObject({ kind: 'unknown' })
    }
    expect(await said('submit', [404, {}], response)).toMatchObject({ kind: 'unknown' })
    expect(await said('query', [404, { state: 'no' }], { only_status: [200] })).toMatchObject({
      kind: 'unknown',
    })
  })

  it('with a list of errors has the meaning of any one of them, unless they differ', async () => {
    const table = {
      ...TABLE,
      poor: { outcome: 'not_acted', code: 47 },
      closed: { outcome: 'not_acted', code: 47 },
      bad: { outcome: 'failed', code: 52 },
    }
    const response = { outcome: { path: ['state', 'errors.$any.code'], table }, reason: 'errors.$any.text' }
    const errors = (...codes: string[]) =>
      said('submit', [400, { errors: codes.map((code) => ({ code, text: code })) }], response)
    expect(await errors('other', 'bad')).toMatchObject({ code: 52, reason: 'other', word: 'bad' })
    expect(await errors('poor', 'closed')).toMatchObject({ kind: 'not_acted', code: 47 })
    expect(await errors('poor', 'bad')).toMatchObject({ kind: 'unknown' })
    expect(await errors('other')).toMatchObject({
      kind: 'unknown',
      unmapped: { path: 'errors.$any.code', value: 'other' },
    })
    expect(await errors()).toMatchObject({ kind: 'unknown' })
  })

  it('with a word that no table knows shows it without account, PIN and other orders', async () => {
    const answer = {
      items: [
        { ref: 'W1-1', state: 'ODD', to: '60123456789', code: 'QWERTYUIOP' },
        { ref: 'W1-10', state: 'ok' },
      ],
    }
    const response = {
      list: { at: 'items', where: { ref: '{{reference}}' } },
      output: { pin: 'code' },
    }
    const unknown = await said('query', [200, answer], response)
    expect(unknown).toMatchObject({
      kind: 'unknown',
      unmapped: { operation: 'query', path: 'state', value: 'ODD' },
    })
    expect((unknown as { unmapped: { sample: string } }).unmapped.sample).toBe(
      '{"ref":"…","state":"ODD","to":"…","code":"…"}',
    )
  })

  it('has what we paid, and the float is cut down, each in its currency', async () => {
    const { provider } = await supplier(
      ({ method }) => [
        200,
        method === 'POST' ? { state: 'ok', price: 2.34565, unit: 'EUR' } : { left: 12.345678, unit: 'IDR' },
      ],
      {
        currency: 'USD',
        float: { method: 'GET', path: '/', response: { amount: 'left', currency: { path: 'unit' } } },
      },
      { cost: { path: 'price', currency: { path: 'unit' } } },
    )
    expect(await provider.submit(order, never)).toMatchObject({ cost: { amount: 23_457n, currency: 'EUR' } })
    expect(await provider.float?.readFloat(never)).toEqual({
      kind: 'known',
      amount: 123_456n,
      currency: 'IDR',
    })
  })
})
