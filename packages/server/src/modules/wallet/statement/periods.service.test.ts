import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FinanceBench } from '../../../testing/finance.ts'
import { at, openFinanceBench } from '../../../testing/finance.ts'
import { countBetween, findPositionBefore, sumBetween } from './periods.service.ts'
import { listEntriesBetween } from './public.sql.ts'

let bench: FinanceBench
let id: bigint

beforeAll(async () => {
  bench = await openFinanceBench()
  id = (await bench.newReseller()).id
  await bench.post(
    id,
    { kind: 'deposit', amount: 1_000n, at: at('2026-10-01 00:00') },
    { kind: 'payment', amount: -7n, at: at('2026-10-01 00:00') },
    { kind: 'payment', amount: -11n, at: at('2026-10-01 10:00') },
    { kind: 'refund', amount: 7n, at: at('2026-10-02 10:00') },
    { kind: 'adjustment', amount: -1n, at: at('2026-10-02 10:00') },
    { kind: 'commission', amount: 3n, at: at('2026-10-03 10:00') },
    { kind: 'payment', amount: -13n, at: at('2026-10-03 10:00') },
  )
})

afterAll(() => bench.close())

it.each([
  ['2026-10-01 00:00', 0n, 0n],
  ['2026-10-01 00:00:00.001', 2n, 993n],
  ['2026-10-02 10:00', 3n, 982n],
  ['2027-01-01 00:00', 7n, 978n],
])('before %s the wallet stood at entry %i', async (until, sequence, balance) => {
  expect(await findPositionBefore(bench.database, id, at(until))).toEqual({ sequence, balance })
})

it('a wallet without entries is at its beginning', async () => {
  const empty = await bench.newReseller()
  const position = await findPositionBefore(bench.database, empty.id, new Date())
  expect(position).toEqual({ sequence: 0n, balance: 0n })
})

it.each([1n, 2n, 3n, 6n, 7n, 8n])(
  'movements are the same by subtraction and by reading every entry, %i at a time',
  async (chunk) => {
    const [from, to] = [
      await findPositionBefore(bench.database, id, at('2026-10-01 10:00')),
      await findPositionBefore(bench.database, id, at('2026-10-04 00:00')),
    ]
    const { movements } = await sumBetween(bench.database, id, from, to)
    expect(movements).toEqual({
      deposit: { count: 0n, amount: 0n },
      adjustment: { count: 1n, amount: -1n },
      commission: { count: 1n, amount: 3n },
      payment: { count: 2n, amount: -24n },
      refund: { count: 1n, amount: 7n },
    })
    const range = { before: from.sequence, last: to.sequence }
    expect(await countBetween(bench.database, id, range, chunk)).toEqual(movements)
  },
)

it('entries are listed oldest first, from one to another', async () => {
  const page = await listEntriesBetween(bench.database, id, { after: 2n, last: 6n, limit: 3 })
  expect(page.map(({ sequence }) => sequence)).toEqual([3n, 4n, 5n])
  const rest = await listEntriesBetween(bench.database, id, { after: 5n, last: 6n, limit: 3 })
  expect(rest.map(({ sequence, balanceAfter }) => [sequence, balanceAfter])).toEqual([[6n, 991n]])
})
