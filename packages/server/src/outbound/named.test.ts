import { pbkdf2 } from 'node:crypto'
import { createServer as createHttpsServer } from 'node:https'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseNetwork } from '../lib/addresses.ts'
import type { DnsServer } from '../testing/network/dns-server.ts'
import { startDnsServer } from '../testing/network/dns-server.ts'
import { failure, listen, open, request, serve, tlsFile } from '../testing/outbound.ts'
import { until } from '../testing/payments/payments.ts'
import { connectHttp, simulatorConnection } from '../testing/providers/http-connection.ts'
import { newOrder } from '../testing/providers/provider-bench.ts'
import { startDeadline } from './deadline.ts'
import type { Names } from './names.ts'
import { namesOfSuppliers, namesOfWebhooks } from './purposes.ts'

// Servers that are known by name, with a name server of our own.

let dns: DnsServer

beforeEach(async () => {
  dns = await startDnsServer()
})
afterEach(() => dns.close())

const never = new AbortController().signal
const openSuppliers = () => open({ ca: tlsFile('ca.pem'), names: namesOfSuppliers([dns.address]) })
const openWebhooks = () => open({ names: namesOfWebhooks([dns.address]) })

it('dead names of one reseller hold up neither suppliers nor the receivers of another', async () => {
  const port = await serve((_, response) => response.end('served'))
  const [suppliers, webhooks] = [openSuppliers(), openWebhooks()]
  const deadline = startDeadline(60_000)
  const dead = Array.from({ length: 600 }, (_, index) => `dead${index}.net`)
  for (const name of dead) dns.set(name, 'silent')
  dns.set('supplier.net', { addresses: ['127.0.0.1'] })
  dns.set('shop.net', { addresses: ['127.0.0.1'] })
  const waiting = dead.map((name) =>
    webhooks.send(request(`http://${name}/`, { owner: 'one', signal: deadline })),
  )
  await until('dead names are asked for', () => dead.some((name) => dns.asked(name) > 0))
  expect(await suppliers.send(request(`http://supplier.net:${port}/`))).toMatchObject({ kind: 'answered' })
  expect(await webhooks.send(request(`http://shop.net:${port}/`, { owner: 'two' }))).toMatchObject({
    kind: 'answered',
  })
  deadline.end()
  for (const result of await Promise.all(waiting)) expect(failure(result)).toMatchObject({ wasSent: false })
})

it('a name is found while every background thread of the process is busy', async () => {
  const port = await serve((_, response) => response.end('served'))
  let done = 0
  const busy = Array.from({ length: 8 }, async () => {
    await promisify(pbkdf2)('password', 'salt', 300_000, 64, 'sha512')
    done += 1
  })
  expect(await open().send(request(`http://localhost:${port}/`))).toMatchObject({ kind: 'answered' })
  expect(done).toBe(0)
  await Promise.all(busy)
})

it('a name that does not resolve was certainly not reached', async () => {
  dns.set('gone.net', 'absent')
  dns.set('broken.net', 'broken')
  for (const name of ['gone.net', 'broken.net']) {
    expect(failure(await openWebhooks().send(request(`http://${name}/`)))).toEqual({
      stage: 'not_connected',
      wasSent: false,
    })
  }
})

it('a supplier whose name resolves only at the second try gets the order', async () => {
  dns.set('supplier.test', (_, times) => (times === 0 ? 'absent' : { addresses: ['127.0.0.1'] }))
  let orders = 0
  const proof = { key: tlsFile('server.key'), cert: tlsFile('server.pem') }
  const port = await listen(
    createHttpsServer(proof, (_, response) => {
      orders += 1
      response.end('{"status":"pending"}')
    }),
  )
  const config = simulatorConnection(`https://supplier.test:${port}`)
  const provider = connectHttp({ config, secrets: { callback: 'x'.repeat(20) }, outbound: openSuppliers() })
  expect(await provider.submit(newOrder(), never)).toEqual({ kind: 'pending' })
  expect(orders).toBe(1)
})

it('a supplier whose known address expires before the connection, and is then not found once, gets the order', async () => {
  const port = await serve((_, response) => response.end('served'))
  let lookups = 0
  const expiring: Names = {
    isKnown: () => lookups === 0,
    async resolve() {
      lookups += 1
      if (lookups === 1) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return [{ address: '127.0.0.1', family: 4 }]
    },
  }
  const supplier = open({ names: expiring })
  const url = `http://supplier.net:${port}/`
  expect(await supplier.send(request(url, { resolvesWithinMs: 30_000 }))).toMatchObject({ kind: 'answered' })
  lookups = 0
  expect(failure(await supplier.send(request(url.replace('supplier', 'other'))))).toMatchObject({
    wasSent: false,
  })
})

it('a supplier whose name never resolves did not act, and time for the exchange was left', async () => {
  dns.set('supplier.test', 'absent')
  const config = { ...simulatorConnection('https://supplier.test'), timeouts: { submit_ms: 3_000 } }
  const provider = connectHttp({ config, secrets: { callback: 'x'.repeat(20) }, outbound: openSuppliers() })
  expect(await provider.submit(newOrder(), never)).toMatchObject({ kind: 'not_acted', reason: 'ENOTFOUND' })
  expect(dns.asked('supplier.test')).toBeGreaterThan(2)
})

it('the addresses of a name are judged whoever says them, and again when it is rebound', async () => {
  let served = 0
  const port = await serve((_, response) => {
    served += 1
    response.setHeader('connection', 'close')
    response.end()
  })
  dns.set('inside.net', { addresses: ['10.0.0.1', '169.254.169.254', 'fd00::1', '::ffff:127.0.0.1'] })
  dns.set('rebound.net', (_, times) => ({ addresses: [times === 0 ? '127.0.0.1' : '127.0.0.2'], ttlS: 0 }))
  const allow = [parseNetwork('127.0.0.1/32')].filter((each) => each !== undefined)
  const outbound = open({ allow, names: namesOfWebhooks([dns.address]) })
  expect(failure(await outbound.send(request('http://inside.net/')))).toEqual({
    stage: 'refused_address',
    wasSent: false,
  })
  const url = `http://rebound.net:${port}/`
  expect(await outbound.send(request(url))).toMatchObject({ kind: 'answered' })
  await until('the rebound name is refused', async () => {
    const before = served
    const result = await outbound.send(request(url))
    if (result.kind === 'answered') return false
    expect(failure(result)).toEqual({ stage: 'refused_address', wasSent: false })
    return served === before
  })
})
