import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LedgerBench } from '../../../testing/ledger.ts'
import { openLedgerBench } from '../../../testing/ledger.ts'
import { adjust, deposit } from './service.ts'

let bench: LedgerBench

beforeAll(async () => {
  bench = await openLedgerBench()
})

afterAll(() => bench.close())

it('50 deposits with one reference at once, through two nodes, are one entry', async () => {
  const { id } = await bench.newReseller()
  const nodes = [bench.database, bench.openAnother()]
  const posted = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const [node = bench.database] = nodes.slice(index % 2)
      const posting = { resellerId: id, amount: 70n, remarks: 'Transfer 4711', reference: 'BANK-4711' }
      return node.transaction((tx) => deposit(tx, posting))
    }),
  )
  expect(posted.filter((each) => !each.isRepeat)).toHaveLength(1)
  for (const each of posted) expect(each).toMatchObject({ sequence: 1n, amount: 70n, balanceAfter: 70n })
  expect(await bench.verify()).toMatchObject({ breaks: [], entryCount: 1n })
})

it('withdrawals at once: as many go through as the wallet holds', async () => {
  const { id } = await bench.newReseller()
  await bench.deposit(id, 100n)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      bench.database.transaction((tx) => adjust(tx, { resellerId: id, amount: -9n, remarks: 'Out' })),
    ),
  )
  expect(outcomes.filter((each) => each.status === 'fulfilled')).toHaveLength(11)
  for (const each of outcomes) {
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'insufficient_balance' })
  }
  expect(await bench.verify()).toMatchObject({ breaks: [], entryCount: 13n })
})
