import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { DatabaseClock } from '../db/clock.ts'
import { openDatabaseClock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { noFailpoint } from '../lib/failpoints.ts'
import type { Amount } from '../lib/money.ts'
import type { DirectoryReseller } from '../modules/accounts/types.ts'
import { EMPTY_STATE } from '../modules/catalog/model/state.rules.ts'
import type { PriceAdjustment, Snapshot, WholesalePrice } from '../modules/catalog/model/types.ts'
import type { NewOrder } from '../modules/orders/core/fields.rules.ts'
import type { ResellerOrders } from '../modules/orders/core/resellers.service.ts'
import { createResellerOrders } from '../modules/orders/core/resellers.service.ts'
import type { CustomerOrders } from '../modules/orders/core/service.ts'
import { createCustomerOrders } from '../modules/orders/core/service.ts'
import type { ConfirmVerdict } from '../modules/orders/core/sql.ts'
import { confirmOrder } from '../modules/orders/core/sql.ts'
import type { BasketItem, OrderKey, OrderState } from '../modules/orders/core/types.ts'
import type { Fulfilling, FulfillingSettings } from '../modules/orders/fulfil/jobs.ts'
import { startFulfilling } from '../modules/orders/fulfil/jobs.ts'
import type { CheckoutSettingsStore } from '../modules/orders/settings/service.ts'
import { createCheckoutSettings } from '../modules/orders/settings/service.ts'
import { createQuoteBook } from '../modules/payments/quotes/book.service.ts'
import { createPreviews } from '../modules/payments/take/preview.service.ts'
import type { Payments } from '../modules/payments/take/service.ts'
import { createPayments } from '../modules/payments/take/service.ts'
import { createDynamicOptions } from '../modules/providers/options.service.ts'
import type { SubmitOutcome } from '../modules/providers/port/types.ts'
import { simulatedOptions } from '../modules/providers/simulator/options.rules.ts'
import { sampleReseller } from './accounts.ts'
import {
  moneyField,
  moneyProduct,
  overlayProduct,
  PERCENTAGE,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleOverlay,
  selectField,
  textField,
} from './catalog/catalog-samples.ts'
import { dispatcherAmong } from './payments/dispatching.ts'
import { compileAccount } from './payments/judging.ts'
import type { PaymentsBench } from './payments/payments.ts'
import { NO_EXTRAS, openPaymentsBench } from './payments/payments.ts'
import {
  createScriptedProvider,
  FAILED,
  PENDING,
  providersOf,
  SUCCEEDED,
} from './providers/scripted-provider.ts'
import { STEADY_CLOCK } from './steady-clock.ts'

/** One node of the service, with a pool of its own. Its job runs only when it is called. */
export type OrdersNode = {
  readonly database: Database
  readonly resellers: ResellerOrders
  readonly customers: CustomerOrders
  readonly settings: CheckoutSettingsStore
  readonly payments: Payments
  /** Settings of the job, for steps that a test takes by itself. */
  readonly fulfil: Omit<FulfillingSettings, 'everyMs'>
  readonly fulfilling: Fulfilling
}

/** `database`: that of the orders; by default a pool of the node's own. */
type NodeOptions = { everyMs?: number; leaseMs?: number; database?: Database }

export type OrdersBench = PaymentsBench & {
  openNode2(settings?: NodeOptions): OrdersNode
  /** Account as the directory has it. */
  accountOf(resellerId: bigint): DirectoryReseller
  /** Sets the cost of KITA for orders and payments from now on. */
  setWholesale(price: WholesalePrice): void
  /** Changes the catalogue for orders and payments from now on; called with nothing, it is as at first. */
  setCatalog(change?: CatalogChange): void
  /** Confirms an order in the database alone: no node is told. */
  confirmQuietly(key: OrderKey, costs: readonly Amount[]): Promise<ConfirmVerdict>
  /** Moves the expiry of an order into the past. */
  expire(key: OrderKey): Promise<void>
  /** Makes the work of an order due, as when time has passed. */
  makeDue(key: OrderKey): Promise<void>
  closeOrders(): Promise<void>
}

const DAY_MS = 86_400_000

/** Accounts of customers: what the supplier says about each. */
export const ACCOUNTS = {
  succeeds: '60123456701',
  fails: '60123456702',
  pending: '60123456703',
} as const

const ANSWERS: Readonly<Record<string, SubmitOutcome>> = {
  [ACCOUNTS.succeeds]: SUCCEEDED,
  [ACCOUNTS.fails]: FAILED,
  [ACCOUNTS.pending]: PENDING,
}

/** Catalogue of the bench: KITA with a typed amount, and BILL, which pays the biller WATER. */
export type CatalogChange = {
  readonly wholesale?: WholesalePrice
  readonly adjustment?: PriceAdjustment
  readonly isActive?: boolean
  readonly needsRef2?: boolean
}

const { dataSource: OPTIONS } = selectField()
const BILL = moneyProduct({
  code: 'BILL',
  kind: 'bill_payment',
  fields: [
    textField({ validation: {} }),
    selectField({
      id: 'biller',
      role: 'none',
      dataSource: {
        ...OPTIONS,
        type: 'reference',
        dependsOn: [],
        params: { product_code: { static: 'BILL' } },
      },
    }),
    moneyField(),
  ],
  fulfillment: {
    account: { fromField: 'phone' },
    amount: { fromField: 'amount' },
    extras: { biller_code: { fromField: 'biller' } },
  },
})

function snapshotWith(change: CatalogChange = {}): Snapshot {
  const { wholesale = PERCENTAGE, adjustment = null, isActive = true, needsRef2 = false } = change
  const biller = { productCode: 'BILL', fieldId: 'biller', code: 'WATER', requiresRef2: needsRef2 }
  const base = sampleBase({
    products: [moneyProduct({ isActive }), BILL],
    listed: [sampleOption(biller)],
  })
  const overlay = sampleOverlay({ products: [overlayProduct({ code: 'KITA', adjustment })] })
  return {
    fingerprint: '1',
    lastUpdated: new Date(0),
    groups: [],
    categories: [],
    ...compileAccount(base, sampleLevel({ KITA: wholesale, BILL: PERCENTAGE }), { overlay }),
  } as Snapshot
}

export async function openOrdersBench(): Promise<OrdersBench> {
  const bench = await openPaymentsBench()
  const clock: DatabaseClock = await openDatabaseClock(bench.database)
  const nodes: OrdersNode[] = []
  let snapshot = snapshotWith()
  const provider = createScriptedProvider((order) => Promise.resolve(ANSWERS[order.account] ?? SUCCEEDED))
  const accountOf = (id: bigint): DirectoryReseller =>
    sampleReseller({ id, account: `60000${id}`, name: 'Kedai Ali' })
  const { vault } = bench

  function openNode2({ everyMs = DAY_MS, leaseMs = 60_000, ...given }: NodeOptions = {}): OrdersNode {
    const { intake, resolver, ...opened } = bench.openNode()
    const { database = opened.database } = given
    const providers = providersOf(provider)
    const settings = {
      database,
      vault,
      clock,
      catalog: { snapshotFor: () => snapshot, base: () => EMPTY_STATE.base },
      dynamicOptions: createDynamicOptions({ provider: simulatedOptions }),
      providers,
      intake,
      dispatcher: dispatcherAmong({ database, resolver }, providers),
      directory: { findReseller: accountOf },
      leaseMs,
      leaseClock: STEADY_CLOCK,
      isStaging: false,
      failpoint: noFailpoint,
      onCommitted: () => {},
      onProblem: () => {},
    }
    const payments = createPayments({
      ...settings,
      quoteBook: createQuoteBook({ ...settings, quoteSeconds: 300 }),
    })
    const checkoutSettings = createCheckoutSettings(settings)
    const orderSettings = { ...settings, previews: createPreviews(settings), checkoutSettings }
    const fulfil = { ...settings, payments, checkoutSettings }
    const fulfilling = startFulfilling({ ...fulfil, everyMs })
    const node: OrdersNode = {
      database,
      payments,
      fulfil,
      fulfilling,
      settings: checkoutSettings,
      customers: createCustomerOrders(orderSettings),
      resellers: createResellerOrders({ ...orderSettings, onConfirmed: fulfilling.wake }),
    }
    nodes.push(node)
    return node
  }

  return {
    ...bench,
    openNode2,
    accountOf,
    setWholesale(wholesale) {
      snapshot = snapshotWith({ wholesale })
    },
    setCatalog(change) {
      snapshot = snapshotWith(change)
    },
    async confirmQuietly(key, costs) {
      const given = { paymentReference: 'bank-1', sender: CONTEXT.sender, costs }
      return (await bench.database.transaction((tx) => confirmOrder(tx, key, given))).verdict
    },
    async expire({ resellerId, id }) {
      await bench.database.query(
        `update orders set expires_at = clock_timestamp() - interval '1 second' where reseller_id = $1 and id = $2`,
        [resellerId, id],
      )
      await bench.database.query(
        'update order_work set next_at = now() where reseller_id = $1 and order_id = $2 and holder is null',
        [resellerId, id],
      )
    },
    async makeDue({ resellerId, id }) {
      await bench.database.query(
        'update order_work set next_at = now() where reseller_id = $1 and order_id = $2',
        [resellerId, id],
      )
    },
    async closeOrders() {
      await Promise.all(nodes.map(({ fulfilling }) => fulfilling.stop()))
      clock.close()
      await bench.close()
    },
  }
}

export function itemOf(change: Partial<BasketItem> = {}): BasketItem {
  return {
    productCode: 'KITA',
    account: ACCOUNTS.succeeds,
    amount: 100_000n,
    extras: NO_EXTRAS,
    quantity: 1,
    ...change,
  }
}

export function newOrder(change: Partial<NewOrder> = {}): NewOrder {
  return {
    reference: randomUUID(),
    userId: 'u-77',
    returnUrl: 'https://shop.example/return',
    products: null,
    items: [itemOf()],
    expiresInSeconds: 1_800,
    language: 'en',
    showsResults: false,
    ...change,
  }
}

export const CONTEXT = { sender: '203.0.113.7' }

export function confirmation(paymentReference = 'bank-1', total: Amount | null = null) {
  return { paymentReference, total }
}

// ── Is the state coherent? ──

type OrderRow = { id: bigint; state: OrderState; facts: bigint; work: bigint }

/**
 * Expects of each order of a reseller: a final state has exactly one event and no work, any other none and one; refund
 * and payments are as its units say; and the money that is gone is the cost of the successful payments.
 */
export async function expectSoundOrders(
  { database }: PaymentsBench,
  resellerId: bigint,
  deposited: Amount,
): Promise<Map<bigint, OrderState>> {
  // One snapshot for all questions: nodes are at work meanwhile.
  const { orders, odd, spent } = await database.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read')
    return {
      orders: await tx.query<OrderRow>(ORDERS, [resellerId]),
      odd: await tx.query(ODD_UNITS, [resellerId]),
      spent: await tx.query<{ balance: bigint; cost: bigint }>(SPENT, [resellerId]),
    }
  })
  for (const { id, state, facts, work } of orders.rows) {
    const isFinal = !['draft', 'awaiting_payment', 'confirmed'].includes(state)
    expect({ id, state, facts, work }).toEqual({
      id,
      state,
      facts: isFinal ? 1n : 0n,
      work: isFinal ? 0n : 1n,
    })
  }
  expect(odd.rows).toEqual([])
  const { balance, cost } = spent.rows[0] ?? { balance: 0n, cost: 0n }
  expect(deposited - balance).toBe(cost)
  return new Map(orders.rows.map(({ id, state }) => [id, state]))
}

const ORDERS = `
  select o.id, o.state,
         (select count(*) from event_facts f where f.source = 'order' and o.id = any (f.subjects)) as facts,
         (select count(*) from order_work w where w.reseller_id = o.reseller_id and w.order_id = o.id) as work
    from orders o where o.reseller_id = $1 order by o.id`

const SPENT = `
  select w.balance, (select coalesce(sum(p.cost), 0)::bigint from payments p
                      where p.reseller_id = w.reseller_id and p.code in (0, 1, 20)) as cost
    from wallets w where w.reseller_id = $1`

const ODD_UNITS = `
  with units as (
    select u.*, o.state as order_state, p.id as paid_id, p.code
      from order_units u
      join orders o on o.reseller_id = u.reseller_id and o.id = u.order_id
      left join payments p on p.reseller_id = u.reseller_id and p.refid = u.refid
     where u.reseller_id = $1
  )
  select 'a unit does not know its payment' as what, refid, state from units
   where state in ('sent', 'succeeded') and payment_id is distinct from paid_id
  union all
  select 'a unit succeeded without its payment', refid, state from units where state = 'succeeded' and code <> 20
  union all
  select 'a failed unit has a payment that took money', refid, state from units where state = 'failed' and code in (0, 1, 20)
  union all
  select 'a final order has an open unit', refid, state from units
   where order_state in ('completed', 'partially_completed', 'failed') and state in ('waiting', 'sent')
  union all
  select 'the refund is not the price of the failed units', o.code, o.state from orders o
   where o.reseller_id = $1
     and o.refund <> coalesce((select sum(u.price) from units u where u.order_id = o.id and u.state = 'failed'
                                  and o.state in ('completed', 'partially_completed', 'failed')), 0)
  union all
  select 'the state does not say how the units ended', o.code, o.state from orders o
    join lateral (select count(*) filter (where u.state = 'failed') as failed,
                         count(*) filter (where u.state = 'succeeded') as succeeded
                    from units u where u.order_id = o.id) n on true
   where o.reseller_id = $1 and o.state in ('completed', 'partially_completed', 'failed')
     and o.state <> case when n.failed = 0 then 'completed' when n.succeeded = 0 then 'failed'
                         else 'partially_completed' end
  union all
  select 'a payment of an order has no unit', p.refid, p.member_id from payments p
   where p.reseller_id = $1 and not exists (select from order_units u where u.reseller_id = $1 and u.refid = p.refid)`
