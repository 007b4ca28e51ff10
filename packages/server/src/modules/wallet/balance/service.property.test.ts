import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LedgerBench } from '../../../testing/ledger.ts'
import { openLedgerBench } from '../../../testing/ledger.ts'
import { runs } from '../../../testing/runs.ts'
import { sumLedger } from '../ledger/audit.service.ts'
import { balanceAsOf } from './service.ts'

let bench: LedgerBench

beforeAll(async () => {
  bench = await openLedgerBench()
})

afterAll(() => bench.close())

const WALLETS = 3

type Step = {
  readonly wallet: number
  readonly kind: 'deposit' | 'adjust' | 'commission'
  readonly amount: bigint
  /** Number of the step whose reference is used again, if that step has one. */
  readonly repeats: number | undefined
  readonly chains: boolean
}

const step: fc.Arbitrary<Step> = fc
  .record({
    wallet: fc.nat(WALLETS - 1),
    kind: fc.constantFrom('deposit', 'adjust', 'commission'),
    amount: fc.bigInt({ min: 1n, max: 1_000n }),
    isNegative: fc.boolean(),
    repeats: fc.option(fc.nat(20), { freq: 4, nil: undefined }),
    chains: fc.boolean(),
  })
  .map(({ isNegative, ...rest }) =>
    isNegative && rest.kind === 'adjust' ? { ...rest, amount: -rest.amount } : rest,
  )

type Made = { readonly wallet: number; readonly sequence: bigint; readonly balance: bigint }

/** Does the steps, and keeps the expected balance of every wallet. */
async function play(steps: readonly Step[], ids: readonly bigint[]): Promise<Made[]> {
  const made: Made[] = []
  const balances = ids.map(() => 0n)
  for (const { wallet, kind, amount, repeats, chains } of steps) {
    const id = ids[wallet] ?? 0n
    const before = balances[wallet] ?? 0n
    const sequence = BigInt(made.filter((each) => each.wallet === wallet).length + 1)
    const posting = { reference: `${kind} ${amount} ${repeats ?? `alone ${made.length}`}` }
    const attempt = bench[kind](id, amount, posting)
    if (before + amount < 0n) {
      await expect(attempt).rejects.toMatchObject({ code: 'insufficient_balance' })
    } else {
      const entry = await attempt
      if (!entry.isRepeat) {
        expect(entry).toMatchObject({ sequence, balanceAfter: before + amount })
        balances[wallet] = before + amount
        made.push({ wallet, sequence, balance: before + amount })
      } else expect(entry.sequence).toBeLessThan(sequence)
    }
    if (chains) await bench.chain()
  }
  return made
}

async function timesOf(resellerId: bigint): Promise<bigint[]> {
  const { rows } = await bench.database.query<{ at: bigint }>(
    `select (extract(epoch from created_at) * 1000000)::bigint as at
       from transfers where reseller_id = $1 order by sequence`,
    [resellerId],
  )
  return rows.map((row) => row.at)
}

it('wallets equal the model at every instant, and the ledger is whole, whatever is posted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const ids: bigint[] = []
      for (let count = 0; count < WALLETS; count += 1) ids.push((await bench.newReseller()).id)
      const made = await play(steps, ids)

      for (const [wallet, id] of ids.entries()) {
        const entries = made.filter((each) => each.wallet === wallet)
        const times = await timesOf(id)
        expect(times).toHaveLength(entries.length)
        let before = 0n
        for (const [index, at] of times.entries()) {
          const held = entries[index]?.balance
          expect(await balanceAsOf(bench.database, id, at - 1n)).toMatchObject({ balance: before })
          expect(await balanceAsOf(bench.database, id, at)).toMatchObject({ balance: held, atMicros: at })
          before = held ?? 0n
        }
        const later = (times.at(-1) ?? 0n) + 86_400_000_000n
        expect(await balanceAsOf(bench.database, id, later)).toMatchObject({
          balance: before,
          sequence: BigInt(times.length),
        })
        expect(await balanceAsOf(bench.database, id, 0n)).toMatchObject({ balance: 0n, sequence: 0n })
      }
      const { houses, walletsBalance } = await sumLedger(bench.database)
      expect(houses.reduce((sum, house) => sum + house.balance, walletsBalance)).toBe(0n)
      expect((await bench.verify()).breaks).toEqual([])
    }),
    { numRuns: runs(15) },
  )
  await bench.chain()
  expect(await bench.verify()).toMatchObject({ breaks: [], unchainedCount: 0n })
})
