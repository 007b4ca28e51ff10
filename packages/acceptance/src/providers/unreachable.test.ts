import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import type { PayBody, Payer, PaymentData } from '../payments.ts'
import { createPayer, payerAt, reload } from '../payments.ts'
import { openService, until } from '../service.ts'
import type { Simulator } from '../simulator.ts'
import { startSimulator } from '../simulator.ts'
import { connectSupplier } from './matrix.ts'

// An order that could not be sent was certainly not carried out: the payment fails at once, and the money is back.

const tlsFile = (name: string) =>
  fileURLToPath(new URL(`../../../server/src/testing/tls/${name}`, import.meta.url))

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await startDemo({ WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8', WARUNG_LEASE_SECONDS: '12' })
  payer = await createPayer(demo.service, '1000')
})

afterAll(() => demo?.end())

async function ended(at: Payer, body: PayBody): Promise<PaymentData> {
  return until('the payment is final', async () => {
    const data = await at.pay(body)
    return (data.status === 'Succesful' || data.status === 'Failed') && data
  })
}

/** Waits until the node knows which provider fulfils the product. */
async function untilEnds(at: Payer, product: string, statusCode: number): Promise<void> {
  await until(`payments for ${product} end with ${statusCode}`, async () => {
    const data = await ended(at, reload({ product }))
    return data.statusCode === statusCode
  })
}

it('a supplier at whose address nobody listens fails the payment, and serves the next when it is back', async () => {
  const gone = await startSimulator()
  await connectSupplier(demo.service, { code: 'gone', product: 'KITA', url: gone.url })
  await gone.kill9()
  await untilEnds(payer, 'KITA', 47)
  const before = await payer.balance()
  expect(await ended(payer, reload({ product: 'KITA' }))).toMatchObject({ status: 'Failed', statusCode: 47 })
  expect(await payer.balance()).toBe(before)

  const back: Simulator = await startSimulator({ port: Number(new URL(gone.url).port) })
  const body = reload({ product: 'KITA' })
  const { transaction_id } = await payer.untilStatus(body, 'Succesful')
  expect(await back.books()).toMatchObject([{ reference: `W${transaction_id}-1`, status: 'succeeded' }])
})

it('a supplier whose certificate nobody trusts gets nothing, and orders when its authority is trusted', async () => {
  const args = ['--tls-key', tlsFile('server.key'), '--tls-cert', tlsFile('server.pem')]
  const { url } = await startSimulator({ args })
  expect(url).toMatch(/^https:/)
  await connectSupplier(demo.service, { code: 'secure', product: 'NOVA', url })
  await untilEnds(payer, 'NOVA', 47)
  const before = await payer.balance()
  expect(await ended(payer, reload())).toMatchObject({ status: 'Failed', statusCode: 47 })
  expect(await payer.balance()).toBe(before)

  const { environment, dataDir } = demo.service
  await demo.service.stop()
  const kept = Object.entries(environment).filter(([name]) => /^(WARUNG_|DATABASE_URL$)/.test(name))
  const trusting = await openService({
    dataDir,
    environment: {
      ...(Object.fromEntries(kept) as Record<string, string>),
      WARUNG_OUTBOUND_CA: tlsFile('ca.pem'),
    },
  })
  const there = payerAt(trusting, { ...payer.credentials, account: payer.account })
  expect(await ended(there, reload())).toMatchObject({
    status: 'Succesful',
    sn: expect.stringMatching(/^SIM/),
  })
})
