import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { newReseller } from '../../../testing/payments/history.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})

afterAll(() => test.close())

/** Posts one entry as the functions of payments do. */
async function post(resellerId: bigint, kind: string, sequence: number, amount: number, balance: number) {
  await test.database.query(
    `select post_entries(p_kind => $2, p_house_account => 'provider_clearing', p_resellers => array[$1::bigint],
       p_sequences => array[$3::bigint], p_amounts => array[$4::bigint], p_balances => array[$5::bigint],
       p_payments => array[7::bigint], p_remarks => array['posted'], p_at => now())`,
    [resellerId, kind, sequence, amount, balance],
  )
}

async function factsOf(resellerId: bigint) {
  const { rows } = await test.database.query(
    `select source, subjects[1] as subject, amounts[1] as amount, balances[1] as balance from event_facts where $1 = any (reseller_ids) order by id`,
    [resellerId],
  )
  return rows
}

it('an entry and its fact are written together, and the fact names its kind', async () => {
  const resellerId = await newReseller(test)
  await post(resellerId, 'refund', 1, 500, 500)
  await post(resellerId, 'payment', 2, -200, 300)
  expect(await factsOf(resellerId)).toEqual([
    { source: 'refunded', subject: 7n, amount: 500n, balance: 500n },
    { source: 'taken', subject: 7n, amount: -200n, balance: 300n },
  ])
})

it('an entry that does not follow the last one of its wallet leaves nothing behind', async () => {
  const resellerId = await newReseller(test)
  await expect(post(resellerId, 'refund', 2, 500, 500)).rejects.toThrow(
    'entries do not follow on their wallets',
  )
  expect(await factsOf(resellerId)).toEqual([])
  const { rows } = await test.database.query('select from transfers where reseller_id = $1', [resellerId])
  expect(rows).toEqual([])
})
