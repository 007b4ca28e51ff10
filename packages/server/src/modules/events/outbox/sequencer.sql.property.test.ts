import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ReceivedEvent } from '../../../testing/events/feed.ts'
import {
  addEndpoint,
  addThreshold,
  expectDeliveries,
  expectTrueFeed,
  sequenceAll,
} from '../../../testing/events/feed.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { commandFor, expectSoundMoney, LATER, openPaymentsBench } from '../../../testing/payments/payments.ts'
import { runs } from '../../../testing/runs.ts'
import type { ResolveCommand } from '../../payments/outcomes/resolve.service.ts'
import { adjust, commission, deposit } from '../../wallet/balance/service.ts'
import { sequenceFacts } from './sequencer.sql.ts'

let bench: PaymentsBench
let nodes: readonly Node[]

beforeAll(async () => {
  bench = await openPaymentsBench()
  nodes = [bench.openNode(), bench.openNode()]
})
afterAll(() => bench.close())

const ACCOUNTS = 3
const BALANCE_TYPES = ['balance.added', 'balance.low', 'balance.deducted', 'balance.refunded']
const CALLBACK_TYPES = ['payment.processing', 'payment.succeeded', 'payment.failed', 'payment.voided']

type Step =
  | { kind: 'pay'; account: number; node: number; cost: number }
  | { kind: 'say'; payment: number; node: number; word: keyof typeof OUTCOMES }
  | { kind: 'post'; account: number; how: 'deposit' | 'commission' | 'adjust'; amount: number }
  | { kind: 'sequence'; node: number; factsMax: number }

const OUTCOMES = {
  succeeded: {
    kind: 'succeeded',
    output: {
      serialNumber: 'S1',
      pin: '1234',
      expiry: '20300101',
      voucherLink: 'https://v.example/',
      note: '',
    },
  },
  failed: { kind: 'failed', code: 48, reason: 'Rejected' },
  pending: { kind: 'pending' },
  voided: { kind: 'voided' },
} as const satisfies Record<string, ResolveCommand['outcome']>

const account = fc.nat(ACCOUNTS - 1)
const node = fc.nat(1)
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      account,
      node,
      cost: fc.integer({ min: 1, max: 60 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      payment: fc.nat(30),
      node,
      word: fc.constantFrom('succeeded', 'succeeded', 'failed', 'pending', 'voided'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      account,
      how: fc.constantFrom('deposit', 'commission', 'adjust', 'adjust'),
      amount: fc.integer({ min: 1, max: 120 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('sequence' as const),
      node,
      factsMax: fc.integer({ min: 1, max: 6 }),
    }),
  },
)
/** Steps in one list happen at once. */
const BURSTS = fc.array(fc.array(STEP, { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 9 })

type World = { readonly ids: readonly bigint[]; readonly payments: { resellerId: bigint; id: bigint }[] }

async function act({ ids, payments }: World, step: Step): Promise<void> {
  switch (step.kind) {
    case 'pay': {
      const { intake } = nodes[step.node] as Node
      const command = commandFor(ids[step.account] as bigint, { cost: BigInt(step.cost), remarks: 'mine' })
      const result = await intake.submit(command, LATER)
      if (result.verdict === 'created') payments.push(result.payment)
      return
    }
    case 'say': {
      const payment = payments[step.payment % Math.max(1, payments.length)]
      if (payment === undefined) return
      const { resolver } = nodes[step.node] as Node
      await resolver.submit({ ...payment, outcome: OUTCOMES[step.word], nextMs: 1_000 })
      return
    }
    case 'post': {
      const post = { deposit, commission, adjust }[step.how]
      const resellerId = ids[step.account] as bigint
      const amount = BigInt(step.how === 'adjust' && step.amount % 2 === 1 ? -step.amount : step.amount)
      // One that would take the wallet below zero is refused, and must leave no trace.
      await bench.database
        .transaction((tx) => post(tx, { resellerId, amount, remarks: step.how }))
        .catch(() => undefined)
      return
    }
    case 'sequence':
      await sequenceFacts((nodes[step.node] as Node).database, step.factsMax)
  }
}

async function newWorld(): Promise<World> {
  const ids: bigint[] = []
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const id = await bench.newReseller(100n)
    for (const threshold of [40n, 80n]) await addThreshold(bench.database, id, threshold)
    ids.push(id)
  }
  // The first is told everything, the second some of it, the third nothing: one stream is off, and one is missing.
  const [first, second, third] = ids as [bigint, bigint, bigint]
  await sequenceAll(bench.database)
  await addEndpoint(bench.database, first, 'callback')
  await addEndpoint(bench.database, first, 'balance', { types: BALANCE_TYPES })
  await addEndpoint(bench.database, second, 'balance', { types: ['balance.refunded', 'balance.low'] })
  await addEndpoint(bench.database, third, 'callback', { isEnabled: false })
  return { ids, payments: [] }
}

it('every feed and its deliveries are whole and in order, whatever happens on whichever node and however it is numbered', async () => {
  await fc.assert(
    fc.asyncProperty(BURSTS, fc.integer({ min: 1, max: 40 }), async (bursts, limit) => {
      const world = await newWorld()
      for (const burst of bursts) await Promise.all(burst.map((step) => act(world, step)))
      await sequenceAll(bench.database, 7)
      const told: ReceivedEvent[][] = []
      for (const id of world.ids) told.push(await expectTrueFeed(bench, id, limit))
      const [first, second, third] = world.ids as [bigint, bigint, bigint]
      const [ofFirst = [], ofSecond = [], ofThird = []] = told
      // The deposit that each began with came before the endpoints.
      const streams = { callback: CALLBACK_TYPES, balance: BALANCE_TYPES }
      await expectDeliveries(bench.database, first, ofFirst.slice(1), streams)
      const some = { balance: ['balance.refunded', 'balance.low'] }
      await expectDeliveries(bench.database, second, ofSecond.slice(1), some)
      await expectDeliveries(bench.database, third, ofThird.slice(1), {})
    }),
    { numRuns: runs(40) },
  )
  await expectSoundMoney(bench.database)
})

it('everything that was appended has been numbered, once', async () => {
  const { rows } = await bench.database.query<{ facts: bigint }>('select count(*) as facts from event_facts')
  expect(rows).toEqual([{ facts: 0n }])
})
