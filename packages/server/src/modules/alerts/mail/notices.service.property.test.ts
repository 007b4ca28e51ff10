import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { MailBench } from '../../../testing/events/mailing.ts'
import { openMailBench } from '../../../testing/events/mailing.ts'
import { runs } from '../../../testing/runs.ts'
import { addThreshold } from '../../wallet/balance/thresholds.service.ts'

let bench: MailBench

beforeAll(async () => {
  bench = await openMailBench()
})
afterAll(() => bench.close())

const RINGGIT = 10_000n

const life = fc.record({
  thresholds: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }),
  /** Amounts that are put in or taken out, and whether mails are made right after each. */
  steps: fc.array(
    fc.record({
      amount: fc.integer({ min: -20, max: 20 }),
      isToldNow: fc.integer({ min: 0, max: 4 }).map((chance) => chance === 0),
    }),
    {
      // The limit stays below the number of letters in an hour.
      maxLength: 12,
    },
  ),
})

it('there is one mail for each time that the balance falls below a threshold, whenever mails are made', async () => {
  await fc.assert(
    fc.asyncProperty(life, async ({ thresholds, steps }) => {
      const reseller = await bench.newReseller()
      for (const each of thresholds) await addThreshold(bench.database, reseller.id, BigInt(each) * RINGGIT)
      const expected: string[] = []
      let balance = 0
      for (const { amount, isToldNow } of steps) {
        const moved = Math.max(amount, -balance)
        if (moved === 0) continue
        await bench.move(reseller, BigInt(moved) * RINGGIT)
        for (const threshold of thresholds) {
          if (balance >= threshold && balance + moved < threshold) {
            expected.push(`Balance below MYR ${threshold}.00: MYR ${balance + moved}.00 left`)
          }
        }
        balance += moved
        if (isToldNow) await bench.tell()
      }
      await bench.tell()
      const subjects = (await bench.mailsOf(reseller, 'balance.low')).map(({ subject }) =>
        subject.replace(/ \(account \d+\)$/, ''),
      )
      expect(subjects.sort()).toEqual(expected.sort())
    }),
    { numRuns: runs(40) },
  )
})
