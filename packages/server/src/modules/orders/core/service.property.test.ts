import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OrdersBench, OrdersNode } from '../../../testing/orders.ts'
import {
  ACCOUNTS,
  CONTEXT,
  confirmation,
  expectSoundOrders,
  itemOf,
  newOrder,
  openOrdersBench,
} from '../../../testing/orders.ts'
import { expectSoundMoney, until } from '../../../testing/payments/payments.ts'
import { FAILED, SUCCEEDED } from '../../../testing/providers/scripted-provider.ts'
import { runs } from '../../../testing/runs.ts'
import { isFinal } from './states.rules.ts'
import type { BasketItem, Order } from './types.ts'

let bench: OrdersBench
let node: OrdersNode
let other: OrdersNode
let resolver: ReturnType<OrdersBench['openNode']>['resolver']

beforeAll(async () => {
  bench = await openOrdersBench()
  node = bench.openNode2()
  other = bench.openNode2()
  resolver = bench.openNode().resolver
})
afterAll(() => bench.closeOrders())

type Step =
  | { kind: 'confirm'; order: number; reference: number }
  | { kind: 'cancel' | 'cancel_by_customer' | 'expire'; order: number }
  | { kind: 'look'; node: number; isForgotten: boolean }
  | { kind: 'decide'; which: number; succeeds: boolean }
  | { kind: 'deposit' }

const ORDERS = 3
const order = fc.nat(ORDERS - 1)
const steps = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('confirm' as const), order, reference: fc.nat(1) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('cancel' as const, 'cancel_by_customer' as const, 'expire' as const),
        order,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('look' as const),
        node: fc.nat(1),
        isForgotten: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('decide' as const),
        which: fc.nat(5),
        succeeds: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('deposit' as const) }) },
  ),
  { minLength: 3, maxLength: 12 },
)

const baskets = fc.array(
  fc.array(
    fc.record({
      account: fc.constantFrom(...Object.values(ACCOUNTS)),
      amount: fc.constantFrom(50_000n, 100_000n),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  { minLength: ORDERS, maxLength: ORDERS },
)

/** Ends a payment that the supplier has not decided; false: there is none. */
async function decide(resellerId: bigint, which: number, succeeds: boolean): Promise<boolean> {
  const { rows } = await bench.database.query<{ id: bigint }>(
    'select id from payments where reseller_id = $1 and code in (0, 1) order by id',
    [resellerId],
  )
  const found = rows[which % Math.max(rows.length, 1)]
  if (found === undefined) return false
  await resolver.submit({ resellerId, id: found.id, outcome: succeeds ? SUCCEEDED : FAILED, nextMs: 1_000 })
  return true
}

/** One account with its orders, and the money that it was given. */
type World = { readonly resellerId: bigint; readonly orders: readonly Order[]; deposited: bigint }

const DEPOSIT = 300_000n

async function createWorld(
  baskets: readonly (readonly Partial<BasketItem>[])[],
  balance: bigint,
): Promise<World> {
  const resellerId = await bench.newReseller(balance)
  const orders: Order[] = []
  for (const basket of baskets) {
    const given = newOrder({ items: basket.map((line) => itemOf(line)) })
    orders.push((await node.resellers.create(bench.accountOf(resellerId), given)).order)
  }
  return { resellerId, orders, deposited: balance }
}

async function deposit(world: World): Promise<void> {
  await bench.deposit(world.resellerId, DEPOSIT)
  world.deposited += DEPOSIT
}

/** Acts are refused where the order's state forbids them, and then change nothing. */
const refused = (error: unknown) => expect(error).toMatchObject({ status: 409 })

async function perform(world: World, step: Step): Promise<void> {
  const { resellerId, orders } = world
  const chosen = orders['order' in step ? step.order : 0] as Order
  switch (step.kind) {
    case 'confirm': {
      const given = confirmation(`bank-${step.reference}`)
      await node.resellers.confirm(bench.accountOf(resellerId), chosen.code, given, CONTEXT).catch(refused)
      return
    }
    case 'cancel':
      await node.resellers.cancel(resellerId, chosen.code, '').catch(refused)
      return
    case 'cancel_by_customer':
      await node.customers.cancelByCustomer(chosen).catch(refused)
      return
    case 'expire':
      return bench.expire(chosen)
    case 'look':
      if (step.isForgotten) await Promise.all(orders.map((each) => bench.makeDue(each)))
      await (step.node === 0 ? node : other).fulfilling.runOnce()
      return
    case 'decide':
      await decide(resellerId, step.which, step.succeeds)
      return
    case 'deposit':
      return deposit(world)
  }
}

/** Lets all open orders expire, gives the account money, and lets the supplier decide everything. */
async function finish(world: World): Promise<void> {
  for (let deposits = 0; deposits < 4; deposits += 1) await deposit(world)
  for (const each of world.orders) await bench.expire(each)
  await until('all orders are final', async () => {
    for (const each of world.orders) await bench.makeDue(each)
    await node.fulfilling.runOnce()
    while (await decide(world.resellerId, 0, true));
    const states = await expectSoundOrders(bench, world.resellerId, world.deposited)
    return [...states.values()].every((state) => isFinal(state))
  })
}

it('over random histories money is gone only for successful payments, and each order ends once', async () => {
  const balances = fc.bigInt({ min: 1n, max: 600_000n })
  await fc.assert(
    fc.asyncProperty(baskets, steps, balances, async (items, history, balance) => {
      const world = await createWorld(items, balance)
      for (const step of history) {
        await perform(world, step)
        await expectSoundOrders(bench, world.resellerId, world.deposited)
      }
      await finish(world)
      await expectSoundMoney(bench.database)
    }),
    { numRuns: runs(25) },
  )
})
