import { afterEach, beforeEach, expect, it } from 'vitest'
import type { PaymentsBench } from '../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith } from '../testing/payments/payments.ts'
import type { Routine } from './functions.ts'
import { readFunctions } from './functions.ts'
import { migrate, readMigrations } from './migrate.ts'

let bench: PaymentsBench
beforeEach(async () => {
  bench = await openPaymentsBench()
})
afterEach(() => bench.close())

/** Builds a later version of the service: every function has another text, and take_payments more parameters. */
function laterVersion(functions: readonly Routine[], number: number): Routine[] {
  const added = Array.from({ length: number }, (_, place) => `p_added_${place} text, `).join('')
  return functions.map((each) => {
    const text = `-- Version ${number}.\n${each.text}`
    const taking = text.replace('p_digests uuid[],', `${added}p_digests uuid[],`)
    return {
      ...each,
      text: each.routine === 'take_payments' ? taking : text,
      checksum: `${each.checksum} ${number}`,
    }
  })
}

async function countTaking(): Promise<number> {
  const { rows } = await bench.database.query<{ count: number }>(
    `select count(*)::integer as count from pg_proc where proname = 'take_payments'`,
  )
  return rows[0]?.count ?? 0
}

it('nodes of the version before pay on while newer versions replace every function, and after that', async () => {
  const [migrations, functions] = [await readMigrations(), await readFunctions()]
  const resellers = [await bench.newReseller(1_000_000_000n), await bench.newReseller(1_000_000_000n)]
  const older = bench.openNode()
  let isOver = false
  const paying = resellers.map(async (resellerId) => {
    let paid = 0
    for (; !isOver; paid++) await payWith(older, resellerId)
    return paid
  })
  try {
    for (const number of [1, 2, 3])
      await migrate(bench.openAnother(), migrations, laterVersion(functions, number))
  } finally {
    isOver = true
  }
  for (const paid of await Promise.all(paying)) expect(paid).toBeGreaterThan(0)
  expect(await countTaking()).toBe(4)

  // An older node that restarts changes nothing, and is served.
  expect(await migrate(bench.openAnother(), migrations, functions)).toEqual([])
  for (const resellerId of resellers) await payWith(bench.openNode(), resellerId)
  await expectSoundMoney(bench.database)
})
