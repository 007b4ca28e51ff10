import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import type { PayBody, Payer, PaymentData } from '../../payments.ts'
import { createPayer, reload } from '../../payments.ts'
import { makeDirectory, until } from '../../service.ts'

let demo: Demo

beforeAll(async () => {
  demo = await openDemo()
})

afterAll(() => demo?.end())

/** Account whose payment succeeds after 999 seconds: no test waits for that. */
const SLOW = '60123451999'

type Kept = { body: PayBody; before: PaymentData }

/** Makes one payment that is in progress and one that has ended, of the same kind. */
async function payBoth(payer: Payer, changes: PayBody): Promise<Kept[]> {
  const bodies = [reload({ ...changes, account: SLOW }), reload(changes)]
  const [slow, fast] = bodies as [PayBody, PayBody]
  const states = await Promise.all([
    payer.untilStatus(slow, 'Processing'),
    payer.untilStatus(fast, 'Succesful'),
  ])
  return bodies.map((body, index) => ({ body, before: states[index] as PaymentData }))
}

/** Expects a new payment of this kind to be rejected with this code, and the old ones to be unchanged. */
async function expectKept(payer: Payer, kept: Kept[], objection: Partial<PaymentData>): Promise<void> {
  const [{ body: like }] = kept as [Kept]
  await until('new payments are turned away', async () => {
    const answer = await payer.send({ ...like, ...reload(), product: like.product, amount: like.amount })
    // Payments that are still taken spend the wallet: another rejection is not the one that is waited for.
    return answer.json<{ data: PaymentData }>().data.statusCode === objection.statusCode
  })
  const fresh = await payer.send({ ...like, refid: reload().refid })
  expect(fresh.json()).toMatchObject({ data: objection })
  for (const { body, before } of kept) expect(await payer.pay(body)).toEqual(before)
}

function overlay(payer: Payer, ...options: string[]) {
  return demo.service.warungd('overlay', 'set', '--reseller', payer.account, ...options)
}

/** Imports the exported rows of one product, or of one option of it, with changes. */
async function importChanged(kind: string, matches: PayBody, changes: PayBody): Promise<void> {
  const file = join(await makeDirectory(), 'change.json')
  await demo.service.warungd('catalog', 'export', '--file', file)
  const rows = (JSON.parse(await readFile(file, 'utf8')) as Record<string, PayBody[]>)[kind] ?? []
  const chosen = rows.filter((row) => Object.entries(matches).every(([name, value]) => row[name] === value))
  expect(chosen).toHaveLength(1)
  await writeFile(file, JSON.stringify({ [kind]: chosen.map((row) => ({ ...row, ...changes })) }))
  await demo.service.warungd('catalog', 'import', '--file', file)
}

it('a payment is answered after its product was withdrawn from everybody', async () => {
  const payer = await createPayer(demo.service, '10000')
  const kept = await payBoth(payer, { product: 'LANGIT' })
  await importChanged('products', { code: 'LANGIT' }, { is_active: false })
  await expectKept(payer, kept, { statusCode: 44, remarks: 'Product_Unavailable' })
})

it('a payment is answered after the reseller switched its product off, and after it lost the right to it', async () => {
  const payer = await createPayer(demo.service, '10000')
  const kept = await payBoth(payer, { product: 'SELAT' })
  await overlay(payer, '--product', 'SELAT', '--off')
  await expectKept(payer, kept, { statusCode: 44, remarks: 'Product_Unavailable' })
  await overlay(payer, '--product', 'SELAT', '--on')
  await demo.service.warungd('catalog', 'forbid', '--reseller', payer.account, '--product', 'SELAT')
  await until('it is forbidden', async () => {
    const answer = await payer.send(reload({ product: 'SELAT', amount: 7 }))
    return answer.json<{ data: PaymentData }>().data.remarks === 'Invalid_Product'
  })
  await expectKept(payer, kept, { statusCode: 44, remarks: 'Invalid_Product' })
})

it('a payment is answered after its plan was taken away', async () => {
  const payer = await createPayer(demo.service, '10000')
  const plan = { product: 'NOVAD', amount: 35, extras: { subproduct_code: 'ND35' } }
  const withCode = await payBoth(payer, plan)
  const without = await payBoth(payer, { product: 'NOVAD', amount: 35 })
  await overlay(payer, '--product', 'NOVAD', '--option', 'ND35', '--off')
  await expectKept(payer, withCode, { statusCode: 44, remarks: 'Unknown or inactive option code' })
  await expectKept(payer, without, { statusCode: 58, remarks: 'Invalid_Denomination' })
})

it('a payment keeps its cost after the price changed, and its name after the product was renamed', async () => {
  const payer = await createPayer(demo.service, '10000')
  const kept = await payBoth(payer, { product: 'ZAMRUD' })
  expect(kept[0]?.before).toMatchObject({ cost: 9.68, productName: 'Zamrud Prepaid' })
  await demo.service.warungd(
    'catalog',
    'price',
    '--level',
    'STANDARD',
    '--product',
    'ZAMRUD',
    '--percentage',
    '0.96',
  )
  await overlay(payer, '--product', 'ZAMRUD', '--name', 'Green')
  await until('the new price and name hold', async () => {
    const { cost, productName } = await payer.pay(reload({ product: 'ZAMRUD' }))
    return cost === 9.6 && productName === 'Green'
  })
  for (const { body, before } of kept) expect(await payer.pay(body)).toEqual(before)
})

it('a payment is answered after the reseller was suspended, and while it may only read', async () => {
  const payer = await createPayer(demo.service, '10000')
  const kept = await payBoth(payer, {})
  const whose = ['--reseller', payer.account]
  await demo.service.warungd('reseller', 'suspend', ...whose)
  await expectKept(payer, kept, { statusCode: 41, remarks: 'Account_Suspended' })
  await demo.service.warungd('reseller', 'update', ...whose, '--access', '50')
  await demo.service.warungd('reseller', 'activate', ...whose)
  await expectKept(payer, kept, { statusCode: 41, remarks: 'Account_Suspended' })
})

it('a payment is answered after the wallet was emptied', async () => {
  const payer = await createPayer(demo.service, '19.40')
  const kept = await payBoth(payer, {})
  expect(await payer.balance()).toBe(0)
  await expectKept(payer, kept, { statusCode: 43, remarks: 'Insufficient_Balance' })
})
