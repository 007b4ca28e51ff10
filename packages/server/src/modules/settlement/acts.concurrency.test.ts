import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayOf, formatDay } from '../../lib/dates.ts'
import type { Node, PaymentsBench } from '../../testing/payments/payments.ts'
import { openPaymentsBench, payWith } from '../../testing/payments/payments.ts'
import { PENDING, SUCCEEDED } from '../../testing/providers/scripted-provider.ts'
import { withdrawFrom } from '../../testing/settlement.ts'
import { compareSettlement } from './compare.service.ts'
import { importSettlement } from './import.service.ts'
import { applyDifference, listDifferences } from './service.ts'
import { findFile, lockComparison, unlockComparison, withdrawFile } from './sql.ts'
import type { SettlementFile } from './types.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())

const provider = 'acme'

async function importLine(line: string): Promise<SettlementFile> {
  const result = await importSettlement(bench.database, {
    provider,
    day: formatDay(dayOf(Date.now())),
    name: 'file.csv',
    mapping: {
      reference: { column: 'ref' },
      amount: { column: 'sum' },
      state: { column: 'state', values: { OK: 'succeeded' } },
    },
    async *open() {
      yield Buffer.from(`ref,sum,state\n${line}\n`)
    },
  })
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.problems))
  return compareSettlement(bench.database, result.file.id)
}

/** Waits until somebody waits for a lock. */
async function untilAwaited(): Promise<void> {
  for (;;) {
    const { rowCount } = await bench.database.query(
      `select from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and a.datname = current_database()`,
    )
    if (rowCount > 0) return
    await delay(10)
  }
}

it('a file is withdrawn while another one is compared: that one is compared again behind it', async () => {
  const payment = await payWith(node, await bench.newReseller(1_000_000n), { provider })
  const { resellerId, id } = payment
  await node.resolver.submit({ resellerId, id, outcome: SUCCEEDED, attempt: 1, nextMs: 600_000 })
  const wrong = await importLine(`W${id}-1,1,OK`)
  const right = await importLine(`W${id}-1,1.00,OK`)
  const open = () => listDifferences(bench.database, right.id, { withClosed: false, limit: 10 })
  expect(await open()).toMatchObject([{ kind: 'duplicate_there' }])

  const withdrawing = await bench.database.withConnection(async (connection) => {
    expect(await lockComparison(connection, right.id)).toBe(true)
    const begun = withdrawFrom(bench, wrong.id, 'the wrong day')
    await Promise.race([untilAwaited(), begun])
    await unlockComparison(connection, right.id)
    return { begun }
  })
  await withdrawing.begun
  expect((await findFile(bench.database, wrong.id))?.withdrawnAt).not.toBeNull()
  expect(await open()).toEqual([])
})

it('a file that is withdrawn while its evidence is applied ends no payment', async () => {
  const payment = await payWith(node, await bench.newReseller(1_000_000n), { provider })
  const { resellerId, id } = payment
  await node.resolver.submit({ resellerId, id, outcome: PENDING, attempt: 1, nextMs: 600_000 })
  const wrong = await importLine(`W${id}-1,1,OK`)
  const [difference] = await listDifferences(bench.database, wrong.id, { withClosed: false, limit: 10 })
  if (difference?.kind !== 'state') expect.unreachable('the payment is pending here')
  const outcomes: Promise<unknown>[] = []
  await bench.database.transaction(async (tx) => {
    expect(await withdrawFile(tx, wrong.id, 'of another shop')).toBe(true)
    const applying = applyDifference(bench, difference.id, { reason: 'as the file says' })
    const outcome = applying.catch((error: unknown) => error)
    outcomes.push(outcome)
    await Promise.race([untilAwaited(), outcome])
  })
  expect(await Promise.all(outcomes)).toMatchObject([{ code: 'already_closed' }])
  expect(await bench.codeOf(payment)).toBe(1)
})
