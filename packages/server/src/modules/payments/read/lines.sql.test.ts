import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Queryable } from '../../../db/database.ts'
import type { DayRange } from '../../../lib/dates.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { dayOfId, findPageStart, firstIdOf } from './history.rules.ts'
import { listHistoryRows, sumDaysOfAccount } from './history.sql.ts'
import { listPaymentsInRanges } from './listing.sql.ts'
import { searchPayments } from './search.sql.ts'

// Reads of one customer. Each looks into one stretch of time after the other.

const RESELLER = 7n
const CUSTOMER = '60123456789'
const ID_MAX = 2n ** 63n - 1n
/** First ids of consecutive stretches; the days of payments lie around them. */
const BORDERS = [410n, 411n, 412n, 413n].map((stretch) => stretch << 52n)
const AROUND = [-86_400_000n << 21n, -1n << 20n, -1n, 0n, 1n, 86_400_000n << 20n]
const IDS = BORDERS.flatMap((border) => AROUND.map((distance) => border + distance))
const DAYS = { from: dayOfId(IDS[0] ?? 0n), to: dayOfId(IDS.at(-1) ?? 0n) }
const NEWEST_FIRST = IDS.toReversed()

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

type Read = (
  connection: Queryable,
  fromId: bigint,
  untilId: bigint,
  limit: number,
) => Promise<{ id: bigint }[]>

const lineFilter = { accounts: [CUSTOMER], product: null, codes: null }

const list: Read = (connection, fromId, untilId, limit) =>
  listPaymentsInRanges(connection, {
    ...lineFilter,
    resellerId: RESELLER,
    ranges: [{ fromId, untilId }],
    limit,
  })

const search =
  (resellerId: bigint | null): Read =>
  (connection, fromId, untilId, limit) =>
    searchPayments(connection, {
      way: { by: 'account', accounts: [CUSTOMER] },
      resellerId,
      product: null,
      provider: null,
      serialNumber: null,
      isOverdue: false,
      codes: null,
      fromId,
      untilId,
      limit,
    })

const READS: [string, Read][] = [
  ['the list of a customer', list],
  ['the search for a customer', search(null)],
  ['the search for a customer of one reseller', search(RESELLER)],
]

const page = (connection: Queryable, days: DayRange, passOver: bigint, limit: number) =>
  listHistoryRows(connection, { ...lineFilter, resellerId: RESELLER, days, passOver, limit })

/** Returns the plan that is made without the values, as it is kept. */
async function keptPlanOf(read: (connection: Queryable) => Promise<unknown>): Promise<string> {
  let plan = ''
  await read({
    async query(statement) {
      const text = typeof statement === 'string' ? statement : statement.text
      const { rows } = await test.database.query<Record<string, string>>(`explain (generic_plan) ${text}`)
      plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      return { rows: [], rowCount: 0 }
    },
  })
  return plan
}

/** Reads whose plans are kept; the search is planned each time. */
const KEPT: [string, (connection: Queryable) => Promise<unknown>][] = [
  ['the list', (connection) => list(connection, 0n, ID_MAX, 5)],
  ['the page of history', (connection) => page(connection, DAYS, 0n, 5)],
  ['the sums', (connection) => sumDaysOfAccount(connection, RESELLER, DAYS, [CUSTOMER], null)],
]

async function expectLookups(): Promise<void> {
  for (const [name, read] of KEPT) {
    const plan = await keptPlanOf(read)
    expect(plan, name).toMatch(
      /using payments_of_customer on payments[^>]*Index Cond: .*\(id >> 52\).*COALESCE\(canonical_account, account\) = .*\(reseller_id \+ 0\) = .*id >= .*id < /,
    )
    expect(plan, name).not.toMatch(/Seq Scan on payments/)
  }
}

/** Expects that days newer than the statistics are searched by the index too; the planner expects one payment there. */
async function expectSearches(): Promise<void> {
  const [newest] = (await test.database.query<{ id: bigint }>('select max(id) as id from payments')).rows
  const fromId = newest?.id ?? 0n
  for (const resellerId of [null, RESELLER]) {
    for (const range of [
      { fromId: 0n, untilId: ID_MAX },
      { fromId, untilId: fromId + (1n << 46n) },
    ]) {
      let plan = ''
      await search(resellerId)(
        {
          async query(statement, values) {
            const { rows } = await test.database.query<Record<string, string>>(`explain ${statement}`, values)
            plan = rows.map((row) => row['QUERY PLAN']).join('\n')
            return { rows: [], rowCount: 0 }
          },
        },
        range.fromId,
        range.untilId,
        5,
      )
      const ofReseller = resellerId === null ? '' : '.*\\(reseller_id \\+ 0\\) = '
      expect(plan).toMatch(
        new RegExp(
          `payments_of_customer[^>]*Index Cond: .*\\(id >> 52\\).*COALESCE\\(canonical_account, account\\) = ${ofReseller}`,
        ),
      )
      expect(plan).not.toMatch(/payments_pkey|Seq Scan on payments/)
      // A plain condition on the reseller would be one that the primary key serves.
      expect(plan).not.toMatch(/\(reseller_id = /)
    }
  }
}

describe('a customer is looked up by stretch and number', () => {
  it('with plans that are made while there are no payments', expectLookups)

  it('with plans that are made over many payments of few resellers', async () => {
    await insert(
      `select 7 + n % 3, ((405 + n % 8)::bigint << 52) + n, 'R' || n, '6011' || n % 3000, 20
         from generate_series(1, 30000) as n`,
    )
    // Payments without a customer all have the same number.
    await insert(
      `select 7 + n % 3, ((405 + n % 8)::bigint << 52) + 50000 + n, 'X' || n, '-', 20
         from generate_series(1, 10000) as n`,
    )
    try {
      await test.database.query('analyze payments')
      await expectLookups()
      await expectSearches()
    } finally {
      await test.database.query('truncate payments')
    }
  })
})

describe('a customer with payments at the borders of stretches', () => {
  beforeAll(async () => {
    const ids = `{${IDS.join(',')}}`
    await insert(`select 7, id, 'R' || id, '${CUSTOMER}', 20 from unnest('${ids}'::bigint[]) as id`)
    // Others of the same stretches: another customer, and the same customer at another reseller.
    await insert(`select 7, id + 4, 'S' || id, '60111', 20 from unnest('${ids}'::bigint[]) as id`)
    await insert(`select 8, id + 8, 'T' || id, '${CUSTOMER}', 20 from unnest('${ids}'::bigint[]) as id`)
  })

  const borders = fc.constantFrom(...IDS.flatMap((id) => [id, id + 1n]), 0n, ID_MAX)

  it.each(READS)('%s has every payment of its range once, newest first', async (name, read) => {
    const property = fc.asyncProperty(
      borders,
      borders,
      fc.integer({ min: 1, max: 30 }),
      async (from, until, limit) => {
        const found = await test.database.transaction((tx) => read(tx, from, until, limit))
        const all = name === 'the search for a customer' ? IDS.flatMap((id) => [id, id + 8n]) : IDS
        const wanted = all.filter((id) => id >= from && id < until).sort((a, b) => (a < b ? 1 : -1))
        expect(found.map(({ id }) => id)).toEqual(wanted.slice(0, limit))
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })

  it('the pages of history follow each other, however the payments are cut', async () => {
    const sums = await sumDaysOfAccount(test.database, RESELLER, DAYS, [CUSTOMER], null)
    for (const limit of [1, 2, 5, 7, IDS.length]) {
      const found: bigint[] = []
      for (let offset = 0; offset < IDS.length; offset += limit) {
        const start = findPageStart(sums, offset)
        if (start === undefined) throw new Error('a page within the payments has a start')
        const rows = await page(test.database, { from: DAYS.from, to: start.day }, start.passOver, limit)
        found.push(...rows.map(({ id }) => id))
      }
      expect(found).toEqual(NEWEST_FIRST)
    }
  })

  it('the sums of a day hold both stretches that it touches', async () => {
    const sums = await sumDaysOfAccount(test.database, RESELLER, DAYS, [CUSTOMER], null)
    const counts = new Map<number, bigint>()
    for (const id of IDS) counts.set(dayOfId(id), (counts.get(dayOfId(id)) ?? 0n) + 1n)
    expect(new Map(sums.map(({ day, payments }) => [day, payments]))).toEqual(counts)
    expect(sums).toHaveLength(counts.size)
    const border = BORDERS[1] ?? 0n
    const day = dayOfId(border)
    expect(firstIdOf(day)).toBeLessThan(border)
    expect(counts.get(day)).toBeGreaterThan(2n)
  })
})

function insert(rows: string): Promise<unknown> {
  return test.database.query(
    `insert into payments (reseller_id, id, refid, account, code, product_code, product_name, amount, face_value, cost,
                           balance_after, remarks, sender, member_id, provider, created_at, changed_at)
     select r.*, 'NOVA', 'Name', 1, 1, 1, 0, '', '', '', 'TEST', now(), now()
       from (${rows}) as r`,
  )
}
