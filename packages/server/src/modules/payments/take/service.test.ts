import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DatabaseClock } from '../../../db/clock.ts'
import { openDatabaseClock } from '../../../db/clock.ts'
import { sampleReseller } from '../../../testing/accounts.ts'
import { startProcessWithProviders } from '../../../testing/payments/payment-lives.ts'
import type { PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  expectSoundMoney,
  LATER,
  NO_EXTRAS,
  newRefid,
  openPaymentsBench,
  until,
} from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import type { RouteChoice, RouteNote, RouteRequest } from '../../providers/connections/routing.types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { listChanges } from '../core/sql.ts'
import { createPaymentListing } from '../read/listing.service.ts'
import type { PayResult } from './service.ts'

// Effect of the choice of a provider on the answer.

let bench: PaymentsBench
let clock: DatabaseClock

beforeAll(async () => {
  bench = await openPaymentsBench()
  clock = await openDatabaseClock(bench.database)
})
afterAll(async () => {
  clock.close()
  await bench.close()
})
afterAll(() => expectSoundMoney(bench.database))

const PROVIDER = createScriptedProvider(SUCCEEDED)

/** Answers each request for a route with the next of these choices; the last one repeats. */
function choosing(...choices: readonly RouteChoice[]): Providers & { asked: RouteRequest[] } {
  const asked: RouteRequest[] = []
  return {
    ...providersOf(PROVIDER),
    asked,
    choose(request) {
      const choice = choices[Math.min(asked.length, choices.length - 1)] as RouteChoice
      asked.push(request)
      return choice
    },
  }
}

const CHOSEN: RouteChoice = { kind: 'chosen', provider: PROVIDER, note: null }

async function payAmong(
  providers: Providers,
  resellerId: bigint,
  {
    refid = newRefid(),
    requestId,
    account = '60129001000',
  }: { refid?: string; requestId?: string; account?: string } = {},
): Promise<PayResult> {
  const life = startProcessWithProviders(bench, clock, providers)
  const result = await life.payments.pay({
    caller: {
      reseller: sampleReseller({ id: resellerId }),
      kind: 'key',
      memberId: '1',
      scopes: new Set(['pay']),
    },
    request: {
      refid,
      product: 'KITA',
      account,
      amount: 100_000n,
      remarks: '',
      extras: NO_EXTRAS,
      problems: {},
    },
    requestId,
    sender: '203.0.113.7',
    deadlineMs: LATER,
  })
  await until('it is written down', () => life.dispatcher.underway === 0)
  await life.recovery.stop()
  return result
}

it('a provider is chosen once for a payment, by its product and face value', async () => {
  const providers = choosing(CHOSEN)
  await payAmong(providers, await bench.newReseller(100_000n))
  expect(providers.asked).toEqual([expect.objectContaining({ productCode: 'KITA', faceValue: 100_000n })])
})

it.each([
  ['nobody fulfils', { kind: 'none' }, 44, 'Product_Unavailable'],
  ['nobody fulfils just now', { kind: 'closed', passedOver: [] }, 49, 'Temporary_Error_Please_Try_Again'],
  [
    'only the stock has, which cannot tell its plans apart,',
    { kind: 'closed', passedOver: [{ provider: 'shelf', obstacle: 'stock_not_reserved' }] },
    45,
    'Out_Of_Stock',
  ],
] as const)('a product that %s is refused, and nothing exists', async (_, choice, code, remarks) => {
  const resellerId = await bench.newReseller(100_000n)
  const result = await payAmong(choosing(choice), resellerId)
  expect(result).toMatchObject({ kind: 'rejected', rejection: { code, remarks }, balance: 100_000n })
  expect(await bench.refidsOf(resellerId)).toEqual([])
})

it.each([
  ['nobody fulfils', { kind: 'none' }],
  ['nobody fulfils just now', { kind: 'closed', passedOver: [] }],
] as const)(
  'a payment that exists is answered with what it is, though its product is one that %s',
  async (_, choice) => {
    const resellerId = await bench.newReseller(100_000n)
    const refid = newRefid()
    await payAmong(choosing(CHOSEN), resellerId, { refid })
    const again = await payAmong(choosing(choice), resellerId, { refid })
    expect(again).toMatchObject({ kind: 'payment', payment: { refid, code: 20 } })
  },
)

it('a number in another spelling is the same payment, sent to its provider as digits and found by any spelling', async () => {
  const provider = createScriptedProvider(SUCCEEDED)
  const resellerId = await bench.newReseller(1_000_000n)
  const refid = newRefid()
  const pay = (account: string) => payAmong(providersOf(provider), resellerId, { refid, account })
  const first = await pay('012-900 1000')
  if (first.kind !== 'payment') throw new Error(first.kind)
  for (const account of ['+60 (0)12 900 1000', '129001000', '60129001000']) {
    expect(await pay(account)).toMatchObject({
      kind: 'payment',
      payment: { id: first.payment.id, account: '012-900 1000' },
    })
  }
  expect(await pay('60129001001')).toMatchObject({
    kind: 'conflict',
    differences: { account: [expect.any(String)] },
  })
  expect(provider.submitted.map(({ account }) => account)).toEqual(['60129001000'])
  await payAmong(providersOf(provider), resellerId, { account: '60129001000' })
  const listing = createPaymentListing(bench)
  const days = { from: 0, to: 84_006 }
  for (const account of ['012-900 1000', '+60129001000', '129001000']) {
    const filter = { days, statuses: [], account, product: null }
    const { payments } = await listing.list(resellerId, filter, { before: null, limit: 10 })
    expect(payments.map((each) => each.account)).toEqual(['60129001000', '012-900 1000'])
    expect((await listing.sum(resellerId, filter)).cost).toBe(2n * first.payment.cost)
  }
})

it('why it was not simply the first is on the timeline', async () => {
  const resellerId = await bench.newReseller(100_000n)
  const note: RouteNote = { passedOver: [{ provider: 'other', obstacle: 'interrupted' }], pick: null }
  const result = await payAmong(choosing({ ...CHOSEN, note }), resellerId)
  if (result.kind !== 'payment') throw new Error('not taken')
  const changes = await listChanges(bench.database, resellerId, result.payment.id, 10)
  expect(changes.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
    'route: scripted: other is interrupted',
    'state: ',
  ])
})

it('a shelf that is empty leaves the order to whoever else sells the product, and is 45 where nobody does', async () => {
  const shelf = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'shelf', reservesStock: true })
  const empty: RouteChoice = { kind: 'chosen', provider: shelf, note: null }
  const resellerId = await bench.newReseller(100_000n)
  const providers = choosing(empty, { kind: 'closed', passedOver: [] })
  expect(await payAmong(providers, resellerId)).toMatchObject({ kind: 'rejected', rejection: { code: 45 } })
  expect(await bench.refidsOf(resellerId)).toEqual([])

  const others = choosing(empty, CHOSEN)
  expect(await payAmong(others, resellerId)).toMatchObject({ kind: 'payment' })
  expect(others.asked[1]?.tried).toEqual(new Set(['shelf']))
  expect(await bench.refidsOf(resellerId)).toHaveLength(1)
  expect(shelf.submitted).toEqual([])
})

it('a payment without a signature names its request, by which a commit that got no answer finds it again', async () => {
  const reseller = await bench.newReseller(1_000_000n)
  const requestId = randomUUID()
  const provider = createScriptedProvider(UNKNOWN)
  await payAmong(providersOf(provider), reseller, { requestId })
  const { rows } = await bench.database.query('select request_id from payment_work where reseller_id = $1', [
    reseller,
  ])
  expect(rows).toEqual([{ request_id: requestId }])
})
