import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { newReseller } from '../../../testing/payments/history.ts'
import type { NewEntry } from './sql.ts'
import { findEntryAsOf, findEntryByReference, insertEntry, listBalances, listFreeWallets } from './sql.ts'

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

function entryOf(resellerId: bigint, sequence: bigint, change: Partial<NewEntry> = {}): NewEntry {
  const kind = 'deposit' as const
  const money = { houseAccount: 'bank', amount: 5n, balanceAfter: sequence * 5n } as const
  return { resellerId, sequence, kind, ...money, remarks: 'Cash', reference: undefined, ...change }
}

const insert = (entry: NewEntry) => test.database.transaction((tx) => insertEntry(tx, entry))

describe('an entry that is inserted', () => {
  it('an entry is written with its wallet and its fact, and other wallets stay as they are', async () => {
    const [resellerId, other] = [await newReseller(test), await newReseller(test)]
    const entry = await insert(entryOf(resellerId, 1n))
    expect(entry).toEqual({
      resellerId,
      sequence: 1n,
      kind: 'deposit',
      amount: 5n,
      balanceAfter: 5n,
      remarks: 'Cash',
      createdAt: expect.any(Date),
    })
    expect(await listBalances(test.database, [resellerId, other])).toEqual(
      new Map([
        [resellerId, 5n],
        [other, 0n],
      ]),
    )
    const fact = { source: 'entry', subject: 1n, amount: 5n, balance: 5n }
    expect(await factsOf(resellerId)).toEqual([fact])
    expect(await factsOf(other)).toEqual([])
  })

  it('an entry is found by its reference at its own account alone', async () => {
    const [resellerId, other] = [await newReseller(test), await newReseller(test)]
    const first = await insert(entryOf(resellerId, 1n, { reference: 'A' }))
    const second = await insert(entryOf(resellerId, 2n, { reference: 'B' }))
    await insert(entryOf(resellerId, 3n))
    const theirs = await insert(entryOf(other, 1n, { reference: 'B' }))
    const find = (whose: bigint, reference: string) => findEntryByReference(test.database, whose, reference)
    expect(await find(resellerId, 'A')).toEqual(first)
    expect(await find(resellerId, 'B')).toEqual(second)
    expect(await find(other, 'B')).toEqual(theirs)
    expect(await find(other, 'A')).toBeUndefined()
  })

  it('an entry of nobody is an error', async () => {
    await expect(insert(entryOf(999_999_999n, 1n))).rejects.toThrow('gave no row')
  })
})

it('the last entry at an instant is found among any number, also where several have the same time', async () => {
  const begun = 1_700_000_000_000_000n
  /** Microseconds of the entries after the beginning. */
  const times = [0n, 10n, 10n, 20n, 20n, 20n, 30n, 1_000_000n]
  const neighbour = await newReseller(test)
  for (let count = 0; count <= times.length; count += 1) {
    const resellerId = await newReseller(test)
    for (const [index, micros] of times.slice(0, count).entries()) {
      await insert(entryOf(resellerId, BigInt(index + 1)))
      await date(resellerId, BigInt(index + 1), begun + micros)
    }
    for (const micros of new Set(times)) {
      for (const instant of [begun + micros - 1n, begun + micros, begun + micros + 1n]) {
        const sequence = BigInt(times.slice(0, count).filter((each) => begun + each <= instant).length)
        const atMicros = begun + (times[Number(sequence) - 1] ?? 0n)
        const expected = sequence === 0n ? undefined : { balance: sequence * 5n, sequence, atMicros }
        expect(await findEntryAsOf(test.database, resellerId, instant)).toEqual(expected)
      }
    }
  }
  await insert(entryOf(neighbour, 1n))
  expect(await findEntryAsOf(test.database, neighbour, begun)).toBeUndefined()
})

/** Dates an entry, which nothing but a test can do. */
function date(resellerId: bigint, sequence: bigint, atMicros: bigint): Promise<void> {
  return test.database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(
      `update transfers set created_at = timestamptz 'epoch' + $3::bigint * interval '1 microsecond'
        where reseller_id = $1 and sequence = $2`,
      [resellerId, sequence, atMicros],
    )
  })
}

it('the wallets that nobody has locked are listed, without a wait', async () => {
  const [held, free, other] = [await newReseller(test), await newReseller(test), await newReseller(test)]
  await test.database.transaction(async (tx) => {
    await tx.query('select from hold_wallet($1)', [held])
    expect(await listFreeWallets(test.openAnother(), [held, free])).toEqual(new Set([free]))
  })
  expect(await listFreeWallets(test.database, [held, free])).toEqual(new Set([held, free]))
  expect(await listFreeWallets(test.database, [other])).toEqual(new Set([other]))
})
