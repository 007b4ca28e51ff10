import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { Server } from 'node:tls'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { createSubscriber } from '../events/subscriber.ts'
import type { NameServer } from '../name-server.ts'
import { startNameServer } from '../name-server.ts'
import { createPayer, reload } from '../payments.ts'
import { until } from '../service.ts'
import type { Simulator } from '../simulator.ts'
import { startSimulator } from '../simulator.ts'
import { connectSupplier } from './matrix.ts'

// A supplier that is reached by its name, and name servers that fail.

const tlsFile = (name: string) =>
  fileURLToPath(new URL(`../../../server/src/testing/tls/${name}`, import.meta.url))
/** Name in the supplier's certificate. */
const SUPPLIER = 'supplier.test'

let demo: Demo
let names: NameServer
let supplier: Simulator
let listener: Server
let supplierIs: (times: number) => 'there' | 'absent' = () => 'there'

/** Starts a TLS server, which names require. It forwards the bytes to the supplier without TLS. */
async function secure({ hostname, port }: URL): Promise<number> {
  const proof = { key: readFileSync(tlsFile('server.key')), cert: readFileSync(tlsFile('server.pem')) }
  listener = createServer(proof, (socket) => {
    const onwards = connect(Number(port), hostname)
    socket.on('error', () => onwards.destroy())
    onwards.on('error', () => socket.destroy())
    socket.pipe(onwards).pipe(socket)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return (listener.address() as AddressInfo).port
}

beforeAll(async () => {
  names = await startNameServer((name, times) => {
    if (name === SUPPLIER) return supplierIs(times) === 'there' ? '127.0.0.1' : 'absent'
    return name.endsWith('.dead.net') ? 'silent' : 'absent'
  })
  demo = await openDemo({
    WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8',
    WARUNG_OUTBOUND_CA: tlsFile('ca.pem'),
    WARUNG_DNS_SERVERS: names.address,
  })
  supplier = await startSimulator()
  const url = `https://${SUPPLIER}:${await secure(new URL(supplier.url))}`
  await connectSupplier(demo.service, { code: 'named', product: 'KITA', url, submitMs: 20_000 })
  const payer = await createPayer(demo.service, '1000')
  await until('payments go to the supplier', async () => {
    await payer.untilStatus(reload({ product: 'KITA' }), 'Succesful')
    return (await supplier.books()).length > 0
  })
})

afterAll(async () => {
  await demo?.end()
  names?.close()
  listener?.close()
})

it('receivers of one reseller whose names are dead cost another reseller no payment', async () => {
  const noisy = await createSubscriber(demo.service, '1000')
  const payer = await createPayer(demo.service, '1000')
  let count = 0
  const nextUrl = () => {
    count += 1
    return `https://shop${count}.dead.net/hook`
  }
  const rename = async () => {
    await noisy.ask('POST', `/v2/callback-url?method=POST&url=${encodeURIComponent(nextUrl())}`)
    await noisy.ask('PUT', '/v2/balance-webhook', { url: nextUrl() })
  }
  await rename()
  const noise = Promise.all([
    ...Array.from({ length: 20 }, () => noisy.untilStatus(reload(), 'Succesful')),
    ...Array.from({ length: 5 }, rename),
  ])
  await until('dead names are asked for', async () => names.asked('.dead.net') >= 4)
  const bodies = Array.from({ length: 16 }, () => reload({ product: 'KITA' }))
  for (const data of await Promise.all(bodies.map((body) => payer.untilStatus(body, 'Succesful')))) {
    expect(await supplier.find(`W${data.transaction_id}-1`)).toMatchObject({ status: 'succeeded' })
  }
  await noise
})

it('a payment whose supplier’s name resolves only at the second try is paid, under its first reference', async () => {
  const payer = await createPayer(demo.service, '1000')
  const before = names.asked(SUPPLIER)
  supplierIs = (times) => (times <= before ? 'absent' : 'there')
  const { transaction_id } = await until('the name was not found at first', async () => {
    const data = await payer.untilStatus(reload({ product: 'KITA' }), 'Succesful')
    return names.asked(SUPPLIER) > before + 1 && data
  })
  expect(await supplier.find(`W${transaction_id}-1`)).toMatchObject({
    status: 'succeeded',
    times_received: 1,
  })
})
