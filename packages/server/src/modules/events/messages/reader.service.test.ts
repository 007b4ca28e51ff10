import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReceivedEvent } from '../../../testing/events/feed.ts'
import { readFeed, sequenceAll } from '../../../testing/events/feed.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { openPaymentsBench, payWith, withStatementHooks } from '../../../testing/payments/payments.ts'
import { findPaymentById } from '../../payments/core/records.service.ts'
import type { Payment } from '../../payments/core/types.ts'
import { paymentView } from '../../payments/core/view.ts'
import type { ResolveCommand } from '../../payments/outcomes/resolve.service.ts'
import { adjust, commission } from '../../wallet/balance/service.ts'
import type { EventReader, EventRef } from '../types.ts'
import { createEventReader } from './reader.service.ts'

let bench: PaymentsBench
let node: Node
let reader: EventReader

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
  reader = createEventReader(bench)
})
afterAll(() => bench.close())

const OUTPUT = {
  serialNumber: 'SN1',
  pin: 'PIN-7788-PIN',
  expiry: '20301231',
  voucherLink: 'https://v.example/1',
  note: 'Dial',
}
const SUCCEEDED = { kind: 'succeeded', output: OUTPUT } as const
const FAILED = { kind: 'failed', code: 52, reason: 'Unknown number' } as const

async function say({ resellerId, id }: Payment, outcome: ResolveCommand['outcome']): Promise<void> {
  expect(await node.resolver.submit({ resellerId, id, outcome, nextMs: 60_000 })).toBe(true)
}

/** The reseller's feed but for the deposit that it began with. */
async function receive(resellerId: bigint): Promise<ReceivedEvent[]> {
  await sequenceAll(bench.database)
  return (await readFeed(bench, resellerId)).slice(1)
}

async function accountOf(resellerId: bigint): Promise<string> {
  const { rows } = await bench.database.query<{ account: string }>(
    'select account from resellers where id = $1',
    [resellerId],
  )
  return rows[0]?.account ?? ''
}

const SECRETS = { extras: { icNumber: '900101-14-5555' }, remarks: 'table 5' }
const NOTHING_GIVEN = { sn: '', pin: '', expiry: '', note: '', voucherlink: '' }
const GIVEN = {
  sn: 'SN1',
  pin: 'PIN-7788-PIN',
  expiry: '20301231',
  note: 'Dial',
  voucherlink: 'https://v.example/1',
}

describe('a payment', () => {
  it('is told in each state as it was then, whatever became of it since', async () => {
    const resellerId = await bench.newReseller(50_000n)
    const payment = await payWith(node, resellerId, { refid: 'ONE', ...SECRETS })
    await say(payment, { kind: 'pending' })
    await payWith(node, resellerId)
    await say(payment, SUCCEEDED)
    await say(payment, { kind: 'voided' })

    const events = (await receive(resellerId)).filter(
      ({ ref }) => 'paymentId' in ref && ref.paymentId === payment.id,
    )
    const shown = events.map(({ type, loaded: { data } }) => ({ type, data }))
    const common = {
      transaction_id: String(payment.id),
      refid: 'ONE',
      account: payment.account,
      product: 'NOVA',
      productName: 'Nova',
      amount: 1,
      cost: 1,
    }
    const moved = { resellerCode: await accountOf(resellerId), amount: 1, refid: 'ONE' }
    expect(shown).toMatchObject([
      {
        type: 'payment.accepted',
        data: {
          ...common,
          ...NOTHING_GIVEN,
          statusCode: 0,
          status: 'Accepted',
          balance: 4,
          remarks: 'table 5',
        },
      },
      { type: 'balance.deducted', data: { ...moved, balance: 4, description: `NOVA ${payment.account}` } },
      {
        type: 'payment.processing',
        data: {
          ...common,
          ...NOTHING_GIVEN,
          statusCode: 1,
          status: 'Processing',
          balance: 4,
          remarks: 'table 5',
        },
      },
      {
        type: 'payment.succeeded',
        data: { ...common, ...GIVEN, statusCode: 20, status: 'Succesful', balance: 4, remarks: 'table 5' },
      },
      {
        type: 'payment.voided',
        data: { ...common, ...GIVEN, statusCode: 53, status: 'Failed', balance: 4, remarks: 'Refund' },
      },
      { type: 'balance.refunded', data: { ...moved, balance: 4, transactionId: String(payment.id) } },
    ])
    expect(Object.keys(shown[0]?.data ?? {})).toHaveLength(17)
    expect(events.map(({ loaded }) => loaded.isSuperseded)).toEqual([false, false, true, true, false, false])
  })

  it('a payment that failed is told with its reason and without the output of a success', async () => {
    const resellerId = await bench.newReseller(50_000n)
    const payment = await payWith(node, resellerId, SECRETS)
    await say(payment, FAILED)
    expect(
      (await receive(resellerId)).map(({ type, loaded }) => ({ type, data: loaded.data })),
    ).toMatchObject([
      { type: 'payment.accepted', data: { statusCode: 0, remarks: 'table 5', balance: 4 } },
      { type: 'balance.deducted', data: { balance: 4 } },
      {
        type: 'payment.failed',
        data: { statusCode: 52, status: 'Failed', remarks: 'Unknown number', balance: 5, ...NOTHING_GIVEN },
      },
      { type: 'balance.refunded', data: { balance: 5, amount: 1 } },
    ])
  })

  it('is told in its last state exactly as the payment operation shows it', async () => {
    const resellerId = await bench.newReseller(50_000n)
    const payment = await payWith(node, resellerId, { refid: 'SAME', ...SECRETS })
    await say(payment, SUCCEEDED)
    const [, , last] = await receive(resellerId)
    const present = await findPaymentById(bench.database, bench.vault, resellerId, payment.id)
    expect(last?.loaded.data).toEqual(present && paymentView(present))
    expect(last?.loaded.isSuperseded).toBe(false)
  })

  it('is told without the identity number, in the feed and to receivers', async () => {
    const resellerId = await bench.newReseller(50_000n)
    await payWith(node, resellerId, SECRETS)
    const events = await receive(resellerId)
    const text = JSON.stringify(events, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    expect(text).not.toContain('900101')
    expect(text).not.toContain('14-5555')
  })

  it('leaves no PIN and no link in the feed or in the deliveries at rest', async () => {
    const resellerId = await bench.newReseller(50_000n)
    await say(await payWith(node, resellerId), SUCCEEDED)
    await sequenceAll(bench.database)
    for (const table of ['events', 'deliveries']) {
      const { rows } = await bench.database.query(
        `select 1 from ${table} e where reseller_id = $1 and e::text ~ 'v[.]example|PIN-7788'`,
        [resellerId],
      )
      expect(rows).toEqual([])
    }
  })
})

describe('other entries of the wallet', () => {
  it('are told as what they did to the balance, with their remarks', async () => {
    const resellerId = await bench.newReseller(1_000_000n)
    await bench.database.transaction(async (tx) => {
      await commission(tx, { resellerId, amount: 25_000n, remarks: 'March' })
      await adjust(tx, { resellerId, amount: -5_000n, remarks: 'Wrong deposit' })
      await adjust(tx, { resellerId, amount: 12_345n, remarks: 'Found' })
    })
    await sequenceAll(bench.database)
    const account = await accountOf(resellerId)
    const events = await readFeed(bench, resellerId)
    expect(events.map(({ type, loaded }) => ({ type, data: loaded.data }))).toEqual([
      {
        type: 'balance.added',
        data: { resellerCode: account, amount: 100, balance: 100, description: 'Cash' },
      },
      {
        type: 'balance.added',
        data: { resellerCode: account, amount: 2.5, balance: 102.5, description: 'March' },
      },
      {
        type: 'balance.deducted',
        data: { resellerCode: account, amount: 0.5, balance: 102, description: 'Wrong deposit' },
      },
      {
        type: 'balance.added',
        data: { resellerCode: account, amount: 1.2345, balance: 103.2345, description: 'Found' },
      },
    ])
  })
})

describe('an event without another record', () => {
  it('is told as it was appended', async () => {
    const resellerId = await bench.newReseller(1n)
    await bench.database.query(
      `select append_facts('own', array[$1::bigint], array[0::bigint], null, null, null, null, 'delivery.failed',
                           '{"stream": "balance", "tries": 4}', now())`,
      [resellerId],
    )
    expect(await receive(resellerId)).toMatchObject([
      {
        type: 'delivery.failed',
        loaded: { data: { stream: 'balance', tries: 4 }, subject: { kind: 'own' } },
      },
    ])
  })
})

describe('many events at once', () => {
  it('are read with one statement for each kind of subject, in the order of the refs', async () => {
    const [one, two] = [await bench.newReseller(100_000n), await bench.newReseller(100_000n)]
    for (let turn = 0; turn < 5; turn += 1) {
      await say(await payWith(node, one), SUCCEEDED)
      await say(await payWith(node, two), FAILED)
      await bench.deposit(one, 3n)
    }
    await sequenceAll(bench.database)
    const heard = [...(await readFeed(bench, one)), ...(await readFeed(bench, two))]
    const refs = heard.map(({ ref }) => ref).reverse()
    let statements = 0
    const counted = createEventReader({
      database: withStatementHooks(bench.database, {
        before: () => {
          statements += 1
        },
      }),
      vault: bench.vault,
    })
    const loaded = await counted.read(refs)
    expect(loaded.map((each) => each?.ref)).toEqual(refs)
    expect(loaded.map((each) => each?.type)).toEqual(heard.map(({ type }) => type).reverse())
    // Payments, entries and the account numbers.
    expect(statements).toBe(3)
  })

  it('an empty list of events needs no statement', async () => {
    expect(await reader.read([])).toEqual([])
  })

  it('events whose subject is not there are left out, and only they', async () => {
    const resellerId = await bench.newReseller(5n)
    await sequenceAll(bench.database)
    const [event] = await readFeed(bench, resellerId)
    if (event === undefined) throw new Error('there is a deposit')
    const { ref } = event
    if (ref.source !== 'entry') throw new Error('a deposit is an entry')
    const { eventId, at } = ref
    const common = { resellerId, eventId, at }
    const setId = 'e7c3a1de-0000-4000-8000-000000000000'
    const gone: EventRef[] = [
      { ...ref, entrySequence: 99n },
      { ...common, source: 'moved', paymentId: ref.entrySequence, code: 20, balance: ref.balance },
      { ...common, source: 'catalog', version: 1n, location: { kind: 'order', position: 1 } },
      { ...common, source: 'catalog', version: 1n, location: { kind: 'set', setId, position: 1 } },
      { ...common, source: 'unknown' },
    ]
    const loaded = await reader.read([...gone, ref])
    expect(loaded.slice(0, gone.length)).toEqual(gone.map(() => undefined))
    expect(loaded.at(-1)).toEqual(event.loaded)
  })

  it('events with one row that lacks a column cannot be read, and the error names that row', async () => {
    const at = new Date()
    const invalid = { source: 'invalid', resellerId: 1n, eventId: 'evt_1_7', at, problem: 'no type' } as const
    await expect(reader.read([invalid])).rejects.toThrow('evt_1_7 cannot be read: no type')
  })
})
