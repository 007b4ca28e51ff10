import { createServer as createHttpsServer } from 'node:https'
import { afterEach, describe, expect, it } from 'vitest'
import { listen, serve, serveTcp, tlsFile } from '../../../testing/outbound.ts'
import { connectHttp, openLoopback, simulatorConnection } from '../../../testing/providers/http-connection.ts'
import { record } from '../../../testing/providers/http-recorder.ts'
import { IC_NUMBER, newOrder } from '../../../testing/providers/provider-bench.ts'
import type { Provider } from '../port/types.ts'
import { startSimulatorServer } from '../simulator/server.service.ts'
import { parseHttpConfig } from './config.rules.ts'
import { createHttpProvider } from './service.ts'

const never = new AbortController().signal
const SECRETS = { callback: 'x'.repeat(20), password: 'p@ss word' }

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

type Changes = Record<string, unknown>

function connect(url: string, changes: Changes = {}, ca?: string): Provider {
  const outbound = openLoopback(ca === undefined ? {} : { ca })
  toClose.push(() => outbound.close())
  const config = { ...simulatorConnection(url), ...changes }
  return connectHttp({ config, secrets: SECRETS, outbound })
}

const NO = { outcome: 'failed', code: 48 }

it('an address that is none sends nothing, and nothing rejects', async () => {
  const reading = parseHttpConfig(simulatorConnection('https://supplier.example'), Object.keys(SECRETS))
  if (!reading.ok) throw new Error('a right configuration')
  const outbound = openLoopback()
  toClose.push(() => outbound.close())
  for (const baseUrl of ['https://supplier .example', 'https://supplier.example/v1?', '']) {
    const config = { ...reading.config, baseUrl }
    const provider = createHttpProvider({ code: 'supplier', config, secrets: SECRETS, outbound })
    expect(await provider.submit(newOrder(), never)).toMatchObject({ kind: 'not_acted', code: 48 })
    expect(await provider.query(newOrder(), never)).toMatchObject({ kind: 'unknown' })
  }
})

describe('an answer of the supplier', () => {
  it.each([
    ['another value', '{"status":"weird"}', 200],
    ['a success in a server error', '{"status":"succeeded","output":{"serial_number":"S"}}', 500],
    ['a failure in a server error', '{"status":"failed","code":52}', 503],
    ['a success without its serial number', '{"status":"succeeded","output":{}}', 200],
    ['half a JSON', '{"status":"pend', 200],
    ['no UTF-8', Buffer.from('7b22737461747573223a22ff22', 'hex'), 200],
    ['a redirect', '{"status":"succeeded"}', 302],
    ['nothing', '', 204],
  ])('is unknown for an order and for a question when it is %s', async (_, answer, status) => {
    const { url } = await record(answer as string, status)
    const provider = connect(url)
    expect(await provider.submit(newOrder(), never)).toMatchObject({ kind: 'unknown' })
    expect(await provider.query(newOrder(), never)).toMatchObject({ kind: 'unknown' })
  })

  it('an answer in a supplier’s own words is not passed on when it quotes a secret', async () => {
    const words = `customer ${IC_NUMBER} is unknown`
    const { url } = await record(JSON.stringify({ status: 'failed', code: 52, reason: words }))
    const outcome = await connect(url).submit(newOrder(), never)
    expect(outcome).toMatchObject({ kind: 'failed', code: 52 })
    expect(JSON.stringify(outcome)).not.toContain(IC_NUMBER)
    const plain = await record('{"status":"failed","code":52,"reason":"number unknown"}')
    expect(await connect(plain.url).submit(newOrder(), never)).toMatchObject({ reason: 'number unknown' })
  })

  it('is not passed on when an identity number is written in another way, also about a void', async () => {
    const dashed = `${IC_NUMBER.slice(0, 6)}-${IC_NUMBER.slice(6, 8)}-${IC_NUMBER.slice(8)}`
    const failed = await record(JSON.stringify({ status: 'failed', code: 52, reason: `no ${dashed} here` }))
    expect(JSON.stringify(await connect(failed.url).submit(newOrder(), never))).not.toContain(dashed)
    for (const spelling of [IC_NUMBER, dashed]) {
      const refused = await record(JSON.stringify({ status: 'refused', reason: `not for ${spelling}` }))
      const answer = await connect(refused.url).voids?.requestVoid(newOrder(), never)
      expect(answer).toMatchObject({ kind: 'refused' })
      expect(JSON.stringify(answer)).not.toContain(spelling)
    }
  })

  it('is not passed on when a callback’s reason quotes a secret', () => {
    const verification = { type: 'secret_header', header: 'X-Token', secret: { secret: 'callback' } }
    const outcome = { path: 'state', table: { ok: { outcome: 'succeeded' }, no: NO } }
    const output = { pin: 'pin', voucher_link: 'link' }
    const provider = connect('https://supplier.example', {
      callback: { verification, reference: 'ref', outcome, reason: 'why', output },
    })
    const read = (why: string) =>
      provider.callbacks?.readCallback(
        {
          headers: { 'x-token': SECRETS.callback },
          query: '',
          body: Buffer.from(JSON.stringify({ ref: 'a', state: 'no', why })),
        },
        0,
      )
    expect(read('bad number')).toMatchObject({ outcome: { kind: 'failed', reason: 'bad number' } })
    const quoting = read(`with ${SECRETS.password} it fails`)
    expect(quoting).toMatchObject({ outcome: { kind: 'failed', code: 48 } })
    expect(JSON.stringify(quoting)).not.toContain(SECRETS.password)
  })

  it('a proxy’s page about an unknown path is not an order that does not exist', async () => {
    const { url } = await record('<html>404</html>', 404)
    expect(await connect(url).query(newOrder(), never)).toMatchObject({ kind: 'unknown' })
    expect(await connect(url).submit(newOrder(), never)).toMatchObject({ kind: 'unknown' })
  })

  it.each([401, 429])('a question refused with %i says nothing about the order', async (status) => {
    const { url } = await record('{"status":"failed","code":48,"reason":"no"}', status)
    expect(await connect(url).query(newOrder(), never)).toMatchObject({ kind: 'unknown' })
    const refused = await record('{"status":"refused","reason":"no"}', status)
    expect(await connect(refused.url).voids?.requestVoid(newOrder(), never)).toMatchObject({
      kind: 'unknown',
    })
  })

  it('an answer to a question whose way is unknown is unknown, not found nowhere', async () => {
    const { url } = await record('{"error":"no_such_address"}', 404)
    expect(await connect(url).query(newOrder(), never)).toMatchObject({ kind: 'unknown' })
    const known = await record('{"error":"not_found"}', 404)
    expect(await connect(known.url).query(newOrder(), never)).toEqual({ kind: 'not_found' })
  })

  it('cannot be had from a supplier that cannot be asked', async () => {
    const { url, seen } = await record()
    const provider = connect(url, { query: null, not_found_proves_after_ms: null, callback: null })
    expect(await provider.query(newOrder(), never)).toMatchObject({ kind: 'unknown' })
    expect(provider.callbacks).toBeUndefined()
    expect(seen).toEqual([])
  })
})

it('a PIN that is a number keeps all of its digits', async () => {
  const { url } = await record(
    '{"status":"succeeded","output":{"serial_number":7,"pin":12345678901234567890}}',
  )
  const output = { serialNumber: '7', pin: '12345678901234567890' }
  expect(await connect(url).submit(newOrder(), never)).toMatchObject({ kind: 'succeeded', output })
})

describe('a list of the supplier', () => {
  const bought = { ref: 'W1-1', state: 'ok', pin: '1234', why: 'none' }
  const others = [
    { ref: 'W1-10', state: 'no', pin: '9', why: 'not ours' },
    { ref: 'W11-1', state: 'no', pin: '9', why: 'not ours' },
  ]
  const outcome = { path: 'state', table: { ok: { outcome: 'succeeded' }, no: NO } }
  const list = { at: 'data', where: { ref: '{{reference}}' } }
  const order = newOrder({ reference: 'W1-1' })

  async function asked(data: readonly object[], response: object, changes: Changes = {}) {
    const { url } = await record(JSON.stringify({ data }))
    const request = { method: 'GET', path: '/orders', query: { search: '{{reference}}' } }
    return connect(url, { query: { ...request, response: { outcome, list, ...response } }, ...changes })
  }

  it('gives outcome, output and reason of our order alone, at every place', async () => {
    const response = { reason: 'why', output: { pin: { path: 'pin', required: true } } }
    for (const data of [[bought, ...others], [...others, bought], [bought]]) {
      const answer = await (await asked(data, response)).query(order, never)
      expect(answer).toMatchObject({ kind: 'succeeded', output: { pin: '1234' } })
    }
    const failed = [...others, { ...bought, state: 'no', why: 'bad number' }]
    expect(await (await asked(failed, response)).query(order, never)).toEqual({
      kind: 'failed',
      code: 48,
      reason: 'bad number',
      word: 'no',
    })
  })

  it('without our order is not found, and with two of it is for a person to judge', async () => {
    expect(await (await asked(others, {})).query(order, never)).toEqual({ kind: 'not_found' })
    expect(await (await asked([], {})).query(order, never)).toEqual({ kind: 'not_found' })
    const twice = [{ ...bought, state: 'no' }, ...others, bought]
    expect(await (await asked(twice, {})).query(order, never)).toMatchObject({
      kind: 'unknown',
      isAmbiguous: true,
    })
  })

  it('is read in the answers to an order and to a void, where its absence says nothing', async () => {
    const submit = (data: readonly object[]) =>
      asked(
        data,
        {},
        {
          submit: { method: 'POST', path: '/', body: { ref: '{{reference}}' }, response: { outcome, list } },
        },
      )
    expect(await (await submit([...others, bought])).submit(order, never)).toMatchObject({
      kind: 'succeeded',
    })
    expect(await (await submit(others)).submit(order, never)).toMatchObject({ kind: 'unknown' })
    expect(await (await submit([bought, bought])).submit(order, never)).toMatchObject({ isAmbiguous: true })
    const voids = (data: readonly object[]) => {
      const table = { ok: { outcome: 'approved' }, no: { outcome: 'refused' } }
      const response = { outcome: { path: 'state', table }, list }
      return asked(data, {}, { void: { method: 'POST', path: '/voids/{{reference}}', response } })
    }
    const requestVoid = async (data: readonly object[]) =>
      (await voids(data)).voids?.requestVoid(order, never)
    expect(await requestVoid([...others, bought])).toEqual({ kind: 'approved' })
    expect(await requestVoid(others)).toMatchObject({ kind: 'unknown' })
    expect(await requestVoid([bought, bought])).toMatchObject({ kind: 'unknown', isAmbiguous: true })
  })

  it('a list of balances or of bills is read by the currency or the account', async () => {
    const accounts = [
      { unit: 'USD', account: '5', left: '9.00' },
      { unit: 'MYR', account: '7', left: '1.00' },
    ]
    const float = (where: object) => ({
      float: { method: 'GET', path: '/', response: { list: { at: 'data', where }, amount: 'left' } },
    })
    const read = async (data: readonly object[], where: object) =>
      (await asked(data, {}, float(where))).float?.readFloat(never)
    expect(await read(accounts, { unit: 'MYR' })).toEqual({ kind: 'known', amount: 10_000n })
    expect(await read(accounts, { unit: 'SGD' })).toMatchObject({ kind: 'unknown' })
    expect(await read([...accounts, ...accounts], { unit: 'MYR' })).toMatchObject({ kind: 'unknown' })
    const bill = {
      method: 'POST',
      path: '/bills',
      response: {
        outcome: { path: '$status', table: { 200: { outcome: 'found' } } },
        list: { at: 'data', where: { account: '{{account}}' } },
        bill: { Outstanding: 'left' },
      },
    }
    const request = { productCode: 'VOLT', account: '7', billerCode: null, ref2: null, amount: null }
    const presented = async (data: readonly object[]) =>
      (await asked(data, {}, { bill })).bills?.presentBill(request, never)
    expect(await presented(accounts)).toEqual({ kind: 'found', bill: { Outstanding: '1.00' } })
    expect(await presented([{ unit: 'USD', account: '5', left: '9.00' }])).toMatchObject({
      kind: 'unavailable',
    })
    expect(await presented([...accounts, ...accounts])).toMatchObject({ kind: 'unavailable' })
  })

  it('a list that is taken by its position, as a saved configuration may do, says nothing with two orders', async () => {
    const byPosition = { list: undefined, outcome: { ...outcome, path: 'data.0.state' } }
    expect(await (await asked([bought], byPosition)).query(order, never)).toMatchObject({ kind: 'succeeded' })
    for (const data of [
      [others[0] ?? {}, bought],
      [bought, others[0] ?? {}],
    ]) {
      expect(await (await asked(data, byPosition)).query(order, never)).toMatchObject({
        kind: 'unknown',
        isAmbiguous: true,
      })
    }
    const output = { pin: { path: 'pins.0', required: true } }
    const twoPins = { ...bought, pins: ['1', '2'] }
    expect(await (await asked([twoPins], { output })).query(order, never)).toMatchObject({
      isAmbiguous: true,
    })
    const float = { method: 'GET', path: '/', response: { amount: 'data.0.left' } }
    const two = await asked([{ left: '9.00' }, { left: '1.00' }], {}, { float })
    expect(await two.float?.readFloat(never)).toMatchObject({ kind: 'unknown' })
  })
})

describe('its own deadline', () => {
  it('passes before the dispatcher’s, so that it can say that nothing was sent', async () => {
    const silent = await serveTcp(() => {})
    const provider = connect(`https://127.0.0.1:${silent}`, { timeouts: { submit_ms: 100, query_ms: 100 } })
    expect(provider.submitTimeoutMs).toBeGreaterThan(100)
    expect(await provider.submit(newOrder(), never)).toMatchObject({ kind: 'not_acted' })
    expect(await provider.query(newOrder(), never)).toMatchObject({ kind: 'unknown' })
  })

  it('after the order was sent leaves it unknown', async () => {
    const port = await serve(() => {})
    const provider = connect(`http://127.0.0.1:${port}`, { timeouts: { submit_ms: 1_500 } })
    expect(await provider.submit(newOrder(), never)).toMatchObject({ kind: 'unknown' })
  })

  it('a deadline for orders that hang leaves room to ask about them', async () => {
    const port = await serve((request, response) => {
      if (request.method === 'GET') response.end('{"status":"pending"}')
    })
    const provider = connect(`http://127.0.0.1:${port}`, { limits: { concurrency: 2 } })
    const hanging = new AbortController()
    const orders = [newOrder(), newOrder()]
    const submitted = orders.map((order) => provider.submit(order, hanging.signal))
    for (const order of orders) expect(await provider.query(order, never)).toEqual({ kind: 'pending' })
    hanging.abort()
    await Promise.all(submitted)
  })
})

describe('over TLS', () => {
  it('a supplier that is proven gets its orders', async () => {
    const tls = { key: tlsFile('server.key'), cert: tlsFile('server.pem') }
    const server = await startSimulatorServer({ port: 0, host: '127.0.0.1', tls })
    toClose.push(() => server.close())
    const provider = connect(server.url, {}, tlsFile('ca.pem'))
    expect(await provider.submit(newOrder(), never)).toMatchObject({ kind: 'succeeded' })
  })

  it('a supplier that is not gets nothing, and another may', async () => {
    let requests = 0
    const port = await listen(
      createHttpsServer({ key: tlsFile('server.key'), cert: tlsFile('server.pem') }, () => {
        requests += 1
      }),
    )
    const provider = connect(`https://127.0.0.1:${port}`)
    expect(await provider.submit(newOrder(), never)).toMatchObject({ kind: 'not_acted', code: 47 })
    expect(await provider.query(newOrder(), never)).toMatchObject({ kind: 'unknown' })
    expect(requests).toBe(0)
  })
})
