import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../db/database.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import { dispatcherAmong, dispatchOf, takeOver } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  expectSoundMoney,
  LEASE_MS,
  openPaymentsBench,
  payWith,
  until,
  withStatementHooks,
} from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import type { Provider, SubmitOutcome } from '../../providers/port/types.ts'
import type { Payment } from '../core/types.ts'

// Orders whose lease may be over, or with another node, before they are sent.

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

const dispatcherFor = (...providers: readonly Provider[]) => dispatcherAmong(node, providersOf(...providers))

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(10_000n))
}

/** Creates a provider that takes one order at a time, and answers when it is told to. */
function createSequentialProvider(settings: Partial<Provider> = {}) {
  const answers: ((outcome: SubmitOutcome) => void)[] = []
  const provider = createScriptedProvider(() => new Promise((resolve) => answers.push(resolve)), UNKNOWN, {
    concurrencyMax: 1,
    ...settings,
  })
  return { provider, answer: () => until('somebody is inside', () => answers.shift()) }
}

async function workOf({ resellerId, id }: Payment): Promise<unknown> {
  const { rows } = await bench.database.query(
    'select attempt, lease, is_leased, is_unsent from payment_work where reseller_id = $1 and payment_id = $2',
    [resellerId, id],
  )
  return rows[0]
}

describe('a first attempt', () => {
  it('a first attempt that leaves right after its commit costs no question to the database', async () => {
    const payment = await pay()
    let statements = 0
    const seen: number[] = []
    const database = withStatementHooks(node.database, { before: () => (statements += 1) })
    const provider = createScriptedProvider(() => {
      seen.push(statements)
      return Promise.resolve(SUCCEEDED)
    })
    await dispatcherAmong({ ...node, database }, providersOf(provider)).send(dispatchOf(payment))
    expect(seen).toEqual([0])
  })

  it('a first attempt that stood in line is sent if it is still its node’s', async () => {
    const [first, waiting] = [await pay(), await pay()]
    const { provider, answer } = createSequentialProvider()
    const dispatcher = dispatcherFor(provider)
    void dispatcher.send(dispatchOf(first))
    void dispatcher.send(dispatchOf(waiting))
    for (let order = 0; order < 2; order += 1) (await answer())(SUCCEEDED)
    await until('all are done', () => dispatcher.underway === 0)
    expect(await bench.codeOf(waiting)).toBe(20)
  })

  it('a first attempt that stood in line is not sent when another node has taken it over meanwhile', async () => {
    const [first, waiting] = [await pay(), await pay()]
    const { provider, answer } = createSequentialProvider()
    const dispatcher = dispatcherFor(provider)
    void dispatcher.send(dispatchOf(first))
    void dispatcher.send(dispatchOf(waiting))
    const letFirstGo = await answer()
    const { lease } = await takeOver(bench, waiting)
    letFirstGo(SUCCEEDED)
    await until('all are done', () => dispatcher.underway === 0)
    expect(provider.submitted.map(({ reference }) => reference)).toEqual([`W${first.id}-1`])
    // The other node keeps the work, and learns at the next claim that the order was not sent.
    expect(await workOf(waiting)).toEqual({ attempt: 1, lease, is_leased: true, is_unsent: true })
  })

  it('a first attempt that comes to be sent long after its lease began is not sent when another node has it', async () => {
    const payment = await pay()
    await takeOver(bench, payment)
    const provider = createScriptedProvider(SUCCEEDED)
    const leaseEndsMs = leaseNowMs() + LEASE_MS - 1_001
    await dispatcherFor(provider).send(dispatchOf(payment, { leaseEndsMs }))
    expect(provider.submitted).toEqual([])
  })

  it('a first attempt whose lease is over by the database’s clock is not sent, and anybody may send it at once', async () => {
    const [first, waiting] = [await pay(), await pay()]
    const { provider, answer } = createSequentialProvider()
    const dispatcher = dispatcherFor(provider)
    void dispatcher.send(dispatchOf(first))
    void dispatcher.send(dispatchOf(waiting))
    const letFirstGo = await answer()
    await bench.age(waiting, LEASE_MS / 1_000 + 1)
    letFirstGo(SUCCEEDED)
    await until('all are done', () => dispatcher.underway === 0)
    expect(provider.submitted).toHaveLength(1)
    expect(await workOf(waiting)).toMatchObject({ attempt: 1, is_leased: false, is_unsent: true })
  })
})

describe('an order whose lease cannot be confirmed because the database does not answer', () => {
  it('is not sent, and is not left as one that may have been', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(SUCCEEDED)
    const database: Database = {
      ...node.database,
      query(statement, values) {
        const text = typeof statement === 'string' ? statement : statement.text
        if (text.includes('w.next_at > now()')) throw new Error('Connection terminated')
        return node.database.query<never>(statement, values)
      },
    }
    const dispatcher = dispatcherAmong({ ...node, database }, providersOf(provider))
    const leaseEndsMs = leaseNowMs() + LEASE_MS - 1_001
    await dispatcher.send(dispatchOf(payment, { leaseEndsMs }))
    expect(provider.submitted).toEqual([])
    expect(await workOf(payment)).toEqual({ attempt: 1, lease: 1, is_leased: false, is_unsent: true })
  })
})
