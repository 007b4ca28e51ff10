import { afterAll, beforeAll, expect, it } from 'vitest'
import { noFailpoint } from '../../../lib/failpoints.ts'
import { addEndpoint, addThreshold, expectDeliveries, expectTrueFeed } from '../../../testing/events/feed.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  LATER,
  openPaymentsBench,
  until,
} from '../../../testing/payments/payments.ts'
import type { Sequencer } from './sequencer.jobs.ts'
import { startSequencing } from './sequencer.jobs.ts'

let bench: PaymentsBench

beforeAll(async () => {
  bench = await openPaymentsBench()
})
afterAll(() => bench.close())

const NODES = 3
const ACCOUNTS = 4
const PAYMENTS_EACH = 60
const CALLBACK_TYPES = ['payment.processing', 'payment.succeeded', 'payment.failed']
const BALANCE_TYPES = ['balance.deducted', 'balance.refunded', 'balance.low']

it('nodes that pay, resolve and number at the same time leave every feed whole, in order and told once', async () => {
  const ids: bigint[] = []
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const id = await bench.newReseller(100_000n)
    await addThreshold(bench.database, id, 60_000n)
    await addEndpoint(bench.database, id, 'callback')
    await addEndpoint(bench.database, id, 'balance', { types: BALANCE_TYPES })
    ids.push(id)
  }
  const problems: unknown[] = []
  const nodes = Array.from({ length: NODES }, () => bench.openNode())
  const sequencers = nodes.map(({ database }) => startOn(database, problems))
  await Promise.all(
    nodes.flatMap((node, index) => ids.map((id) => trade(node, id, () => sequencers[index]?.wake()))),
  )
  await until('all facts are numbered', async () => {
    const { rows } = await bench.database.query('select id from event_facts limit 1')
    return rows.length === 0
  })
  await Promise.all(sequencers.map((each) => each.stop()))

  expect(problems).toEqual([])
  for (const id of ids) {
    const events = await expectTrueFeed(bench, id)
    const streams = { callback: CALLBACK_TYPES, balance: BALANCE_TYPES }
    await expectDeliveries(bench.database, id, events, streams)
    expect(events.length).toBeGreaterThan(NODES * PAYMENTS_EACH * 3)
  }
  await expectSoundMoney(bench.database)
})

function startOn(database: Node['database'], problems: unknown[]): Sequencer {
  return startSequencing({
    database,
    failpoint: noFailpoint,
    isBusy: () => false,
    onSequenced: () => {},
    onProblem: (error) => problems.push(error),
  })
}

/** Pays again and again; every third one fails and gives its money back, some are pending first. */
async function trade(node: Node, resellerId: bigint, wake: () => void): Promise<void> {
  for (let turn = 0; turn < PAYMENTS_EACH; turn += 1) {
    const result = await node.intake.submit(commandFor(resellerId, { cost: 300n }), LATER)
    wake()
    if (result.verdict !== 'created') continue
    const { id } = result.payment
    if (turn % 4 === 0) {
      await node.resolver.submit({ resellerId, id, outcome: { kind: 'pending' }, nextMs: 60_000 })
    }
    const outcome =
      turn % 3 === 0
        ? ({ kind: 'failed', code: 48, reason: 'Rejected' } as const)
        : ({ kind: 'succeeded', output: NO_OUTPUT } as const)
    await node.resolver.submit({ resellerId, id, outcome, nextMs: 0 })
    wake()
  }
}

const NO_OUTPUT = { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' }
