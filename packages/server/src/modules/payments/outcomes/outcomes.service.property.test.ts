import { readdir, rm } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDatabase } from '../../../db/database.ts'
import { openBreakableLine } from '../../../testing/network/breakable-line.ts'
import { dispatchOf } from '../../../testing/payments/dispatching.ts'
import type { ResolverNode } from '../../../testing/payments/outcomes.ts'
import { newOutcomeDirectory, openResolverNode } from '../../../testing/payments/outcomes.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  FAILED,
  providersOf,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import { runs } from '../../../testing/runs.ts'
import type { Order, Outcome } from '../../providers/port/types.ts'
import { findPaymentById } from '../core/records.service.ts'
import type { Payment } from '../core/types.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})

afterAll(() => bench.close())

type Step = 'succeeds' | 'fails' | 'cut' | 'mend' | 'lose_answer' | 'restart'

const step = fc.constantFrom<Step>('succeeds', 'succeeds', 'fails', 'cut', 'mend', 'lose_answer', 'restart')

const pinFor = ({ reference }: Pick<Order, 'reference'>) => `PIN of ${reference}`

function answerTo(order: Order, kind: 'succeeds' | 'fails'): Outcome {
  if (kind === 'fails') return FAILED
  const output = { serialNumber: order.reference, pin: pinFor(order), expiry: '', voucherLink: '', note: '' }
  return { kind: 'succeeded', output }
}

/** Runs the steps, with failures and stops in between: each answer of a supplier must decide its payment, once. */
async function live(steps: readonly Step[]): Promise<void> {
  const resellerId = await bench.newReseller(1_000_000n)
  const line = await openBreakableLine(bench.connection)
  const database = openDatabase({ connection: line.connection, connectionsMax: 4, applicationName: 'test' })
  const directory = newOutcomeDirectory()
  const answers = new Map<bigint, 'succeeds' | 'fails'>()
  const provider = createScriptedProvider(
    async (order) => answerTo(order, answers.get(BigInt(order.reference.slice(1, -2))) ?? 'fails'),
    UNKNOWN,
  )
  const start = () =>
    openResolverNode(bench, database, { directory, providers: providersOf(provider), graceMs: 30 })
  const payments: Payment[] = []
  const sent: Promise<void>[] = []
  let hearing: ResolverNode = await start()
  for (const each of [...steps, 'mend', 'restart'] as const) {
    if (each === 'cut') line.cut()
    else if (each === 'mend') line.mend()
    else if (each === 'lose_answer') line.breakNext()
    else if (each === 'restart') {
      await hearing.close()
      hearing = await start()
    } else {
      const payment = await payWith(node, resellerId, { cost: 10_000n })
      answers.set(payment.id, each)
      payments.push(payment)
      sent.push(hearing.dispatcher.send(dispatchOf(payment)))
    }
  }
  await Promise.all(sent)
  const wanted = payments.map(({ id }) => (answers.get(id) === 'fails' ? 48 : 20))
  await vi.waitFor(
    async () => expect(await Promise.all(payments.map((each) => bench.codeOf(each)))).toEqual(wanted),
    { timeout: 60_000 },
  )
  await vi.waitFor(async () => expect(await readdir(directory)).toEqual([]), { timeout: 60_000 })
  await hearing.close()
  for (const payment of payments) {
    const { output } = (await findPaymentById(bench.database, bench.vault, resellerId, payment.id)) ?? {}
    const isFailed = answers.get(payment.id) === 'fails'
    expect(output?.pin).toBe(isFailed ? '' : pinFor({ reference: `W${payment.id}-1` }))
  }
  await database.close()
  await line.close()
  await rm(directory, { recursive: true, force: true })
}

it('no definite answer is lost and none is applied twice, over outages, lost answers and restarts', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), live), {
    numRuns: runs(20),
  })
  await expectSoundMoney(bench.database)
  const { rows } = await bench.database.query(
    `select payment_id from payment_changes where kind = 'state' group by payment_id having count(*) > 1`,
  )
  expect(rows).toEqual([])
}, 300_000)
