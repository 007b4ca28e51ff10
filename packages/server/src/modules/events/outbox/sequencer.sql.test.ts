import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addEndpoint,
  addThreshold,
  deliveriesOf,
  expectTrueFeed,
  readFeed,
  sequenceAll,
} from '../../../testing/events/feed.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { openPaymentsBench, payWith, untilWaiting } from '../../../testing/payments/payments.ts'
import { adjust, deposit } from '../../wallet/balance/service.ts'
import { sequenceFacts } from './sequencer.sql.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())

const typesOf = async (resellerId: bigint) => (await readFeed(bench, resellerId)).map(({ type }) => type)

async function move(resellerId: bigint, amount: bigint): Promise<void> {
  await bench.database.transaction((tx) => adjust(tx, { resellerId, amount, remarks: 'Correction' }))
}

describe('facts', () => {
  it('facts of a transaction that rolls back do not exist, and leave no gap', async () => {
    const resellerId = await bench.newReseller(10n)
    const undone = bench.database.transaction(async (tx) => {
      await deposit(tx, { resellerId, amount: 5n, remarks: 'Never' })
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    await bench.deposit(resellerId, 7n)
    await sequenceAll(bench.database)
    const events = await expectTrueFeed(bench, resellerId)
    expect(events.map(({ loaded }) => loaded.data.amount)).toEqual([0.001, 0.0007])
  })

  it('facts that are committed after later ones are numbered when they come', async () => {
    const [slow, quick] = [await bench.newReseller(), await bench.newReseller()]
    const database = bench.openAnother()
    await database.transaction(async (tx) => {
      await deposit(tx, { resellerId: slow, amount: 5n, remarks: 'Slow' })
      // Its fact has a greater number, and is committed before.
      await bench.deposit(quick, 6n)
      await sequenceAll(bench.database)
      expect([await typesOf(slow), await typesOf(quick)]).toEqual([[], ['balance.added']])
    })
    await sequenceAll(bench.database)
    expect(await typesOf(slow)).toEqual(['balance.added'])
  })

  it('stay where they are when the connection that numbers them is cut', async () => {
    const resellerId = await bench.newReseller(10n)
    await sequenceAll(bench.database)
    await addEndpoint(bench.database, resellerId, 'balance', { types: ['balance.added'] })
    await bench.deposit(resellerId, 1n)
    const cut = bench.database.transaction(async (tx) => {
      // Holds the account's count, so that numbering stands still in the middle.
      await tx.query('select last_sequence from event_sequences where reseller_id = $1 for update', [
        resellerId,
      ])
      const numbering = expect(sequenceFacts(bench.openAnother(), 100)).rejects.toThrow()
      await untilWaiting(bench.database, 'sequence_facts', 1, { cut: true })
      await numbering
    })
    await cut
    expect(await typesOf(resellerId)).toEqual(['balance.added'])
    await sequenceAll(bench.database)
    expect(await typesOf(resellerId)).toEqual(['balance.added', 'balance.added'])
    expect(await deliveriesOf(bench.database, resellerId)).toMatchObject([
      { event_id: `evt_${resellerId}_2` },
    ])
  })

  it('are numbered by one at a time: another is told so at once', async () => {
    await sequenceAll(bench.database)
    await bench.deposit(await bench.newReseller(), 1n)
    await bench.database.transaction(async (tx) => {
      expect(await sequenceFacts(tx, 1)).toMatchObject({ facts: 1 })
      expect(await sequenceFacts(bench.openAnother(), 1)).toBeUndefined()
    })
    expect(await sequenceFacts(bench.database, 1)).toMatchObject({ facts: 0 })
  })
})

describe('a threshold', () => {
  /** Balance events after each movement, with thresholds of 50 and 100. */
  async function balanceEventsAfter(start: bigint, ...movements: readonly bigint[]): Promise<unknown[][]> {
    const resellerId = await bench.newReseller(start)
    for (const amount of [50n, 100n]) await addThreshold(bench.database, resellerId, amount)
    await sequenceAll(bench.database)
    let heard = (await readFeed(bench, resellerId)).length
    const loaded: unknown[][] = []
    for (const amount of movements) {
      await move(resellerId, amount)
      await sequenceAll(bench.database)
      const events = await readFeed(bench, resellerId)
      const low = events.slice(heard).filter(({ type }) => type === 'balance.low')
      heard = events.length
      loaded.push(low.map(({ loaded: { data } }) => Number(data.threshold) * 10_000))
    }
    return loaded
  }

  it('a threshold that the balance crosses downwards is told, once', async () => {
    expect(await balanceEventsAfter(200n, -50n, -51n, -1n)).toEqual([[], [100], []])
  })

  it('a threshold that the balance equals is not crossed yet', async () => {
    expect(await balanceEventsAfter(200n, -100n, -1n)).toEqual([[], [100]])
  })

  it('is told again after the balance rose above it', async () => {
    expect(await balanceEventsAfter(200n, -150n, 1n, 60n, -50n)).toEqual([[100], [], [], [100]])
  })

  it('a threshold that is crossed upwards is not told', async () => {
    expect(await balanceEventsAfter(10n, 45n, 50n, 100n)).toEqual([[], [], []])
  })

  it('two thresholds that are crossed in one step are two events, the higher first', async () => {
    expect(await balanceEventsAfter(200n, -170n, -1n)).toEqual([[100, 50], []])
  })

  it('is told with what a receiver needs, and as a notice for a mail', async () => {
    const resellerId = await bench.newReseller(2_000_000n)
    await addThreshold(bench.database, resellerId, 1_500_000n)
    await addEndpoint(bench.database, resellerId, 'balance', { types: ['balance.low'] })
    await move(resellerId, -1_000_000n)
    await sequenceAll(bench.database)
    const events = await readFeed(bench, resellerId)
    expect(events.at(-1)?.loaded.data).toEqual({
      resellerCode: await accountOf(resellerId),
      amount: 150,
      balance: 100,
      description: 'The balance fell below 150.00',
      threshold: 150,
    })
    const { rows } = await bench.database.query(
      `select kind, data - 'at' as data from mail_notices where reseller_id = $1 order by id`,
      [resellerId],
    )
    expect(rows).toMatchObject([
      { kind: 'deposit', data: { entry: 1, amount: 2_000_000, balance: 2_000_000 } },
      { kind: 'balance.low', data: { threshold: 1_500_000, balance: 1_000_000 } },
    ])
    expect(await deliveriesOf(bench.database, resellerId)).toMatchObject([
      { event_id: `evt_${resellerId}_3` },
    ])
  })
})

describe('deliveries', () => {
  it('deliveries to a paused receiver are logged as failed and not queued', async () => {
    const resellerId = await bench.newReseller()
    await addEndpoint(bench.database, resellerId, 'balance', { types: ['balance.added'], isPaused: true })
    await bench.deposit(resellerId, 5n)
    await sequenceAll(bench.database)
    const [made, ...more] = await deliveriesOf(bench.database, resellerId)
    expect(made).toMatchObject({ status: 'failed', is_queued: false, event_id: `evt_${resellerId}_1` })
    expect(made?.error).toBe('The endpoint is paused')
    expect(more).toEqual([])
  })

  it('deliveries of a payment that was taken are those of the balance alone', async () => {
    const resellerId = await bench.newReseller(100_000n)
    await sequenceAll(bench.database)
    await addEndpoint(bench.database, resellerId, 'balance', { types: ['balance.deducted'] })
    await addEndpoint(bench.database, resellerId, 'callback')
    await payWith(node, resellerId)
    await sequenceAll(bench.database)
    const events = await readFeed(bench, resellerId)
    expect(events.map(({ type }) => type)).toEqual(['balance.added', 'payment.accepted', 'balance.deducted'])
    expect(await deliveriesOf(bench.database, resellerId)).toMatchObject([
      { stream: 'balance', event_id: `evt_${resellerId}_3` },
    ])
  })
})

async function accountOf(resellerId: bigint): Promise<string> {
  const { rows } = await bench.database.query<{ account: string }>(
    'select account from resellers where id = $1',
    [resellerId],
  )
  return rows[0]?.account ?? ''
}
