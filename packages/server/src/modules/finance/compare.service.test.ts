import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FinanceBench } from '../../testing/finance.ts'
import { at, openFinanceBench } from '../../testing/finance.ts'
import { closeDays } from './closings/closings.jobs.ts'
import { readClosingsState } from './closings/closings-behind.service.ts'
import type { ComparisonInput } from './compare.service.ts'
import { createComparisons, DIFFERENCES_MAX } from './compare.service.ts'

let bench: FinanceBench

beforeAll(async () => {
  bench = await openFinanceBench()
})

afterAll(() => bench.close())

function fileOf(lines: number): Buffer {
  return Buffer.from(`refid\n${Array.from({ length: lines }, (_, n) => `ref-${n}`).join('\n')}\n`)
}

function inputOf(resellerId: bigint, lines: number): ComparisonInput {
  const days = { from: '2026-10-01', to: '2026-10-31' }
  return { resellerId, ...days, file: fileOf(lines), deadlineMs: performance.now() + 60_000 }
}

it('every difference is counted, and the first are shown', async () => {
  const { id } = await bench.newReseller()
  const { summary, differences } = await createComparisons(bench.database, 2).compare(inputOf(id, 5_000))
  expect(summary).toMatchObject({ lines: 5_000, mismatches: 5_000, kinds: { missing_here: 5_000 } })
  expect(differences).toHaveLength(DIFFERENCES_MAX)
  expect(differences[0]).toMatchObject({ line: 2, refid: 'ref-0', cause: 'never_received' })
})

it('one at a time for a reseller, and two in all; whoever comes too early is told so', async () => {
  const ids = [await bench.newReseller(), await bench.newReseller(), await bench.newReseller()]
  const [one, two, three] = ids.map(({ id }) => inputOf(id, 3_000))
  if (one === undefined || two === undefined || three === undefined) throw new Error('three resellers')
  const comparisons = createComparisons(bench.database, 2)
  const first = comparisons.compare(one)
  await expect(comparisons.compare(one)).rejects.toMatchObject({ status: 429 })
  const second = comparisons.compare(two)
  await expect(comparisons.compare(three)).rejects.toMatchObject({ status: 429 })
  await Promise.all([first, second])
  expect((await comparisons.compare(three)).summary.lines).toBe(3_000)
})

it('a comparison that would outlast the request is given up with words, and gives its place back', async () => {
  const { id } = await bench.newReseller()
  const comparisons = createComparisons(bench.database, 2)
  const late = { ...inputOf(id, 10), deadlineMs: performance.now() }
  await expect(comparisons.compare(late)).rejects.toMatchObject({
    status: 400,
    fields: { to: [expect.any(String)] },
  })
  expect((await comparisons.compare(inputOf(id, 10))).summary.lines).toBe(10)
})

it('the state of the closings names who is behind, until they are closed', async () => {
  const reseller = await bench.newReseller()
  await bench.post(reseller.id, { kind: 'deposit', amount: 9n, at: at('2026-10-05 10:00') })
  const before = await readClosingsState(bench.database)
  expect(before.behind).toEqual([{ account: reseller.account, name: reseller.name, day: expect.any(Number) }])
  expect(before.behindTotal).toBe(1)
  await closeDays({ database: bench.database })
  const after = await readClosingsState(bench.database)
  expect(after).toMatchObject({ behindTotal: 0, behind: [], closedAt: expect.any(Date) })
  expect(after.wallets).toBeGreaterThan(1)
})
