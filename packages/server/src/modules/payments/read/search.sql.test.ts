import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Queryable } from '../../../db/database.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { SearchQuery } from './search.sql.ts'
import { searchPayments } from './search.sql.ts'

const PAYMENTS = 40_000
const RESELLERS = 20
const ID_MAX = 2n ** 63n - 1n

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
  await test.database.query(
    `insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                           balance_after, code, remarks, sender, member_id, provider, created_at, changed_at)
     select n % $2 + 1, n * 1000, 'R' || n / $2, case when n = 4 then 'ONCE' when n % 10 = 0 then 'RARE' else 'NOVA' end, 'Name',
            '6012' || n % 5000, 1, 1, 1, 0, (array[20, 20, 20, 48, 53, 1])[n % 6 + 1], '', '', '', 'TEST', now(), now()
       from generate_series(1, $1) as n`,
    [PAYMENTS, RESELLERS],
  )
  await test.database.query(
    `insert into payment_work (reseller_id, payment_id, attempt, submitted_at, next_at, is_leased, due_at)
     select reseller_id, id, 1, now(), now(), false, now() from payments where code = 1 and id % 7000 = 0`,
  )
  await test.database.query('analyze payments, payment_work')
})
afterAll(() => test.close())

function queryOf(changes: Partial<SearchQuery>): SearchQuery {
  return {
    way: { by: 'time' },
    resellerId: null,
    product: null,
    provider: null,
    serialNumber: null,
    isOverdue: false,
    codes: null,
    fromId: 0n,
    untilId: ID_MAX,
    limit: 10,
    ...changes,
  }
}

function planOf(query: SearchQuery): Promise<string> {
  return test.database.transaction(async (tx) => {
    let plan = ''
    const explaining: Queryable = {
      async query(statement, values) {
        if (values === undefined) return tx.query(statement)
        const { rows } = await tx.query<Record<string, string>>(`explain ${statement}`, values)
        plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        return { rows: [], rowCount: 0 }
      },
    }
    await searchPayments(explaining, query)
    return plan
  })
}

const resellerIds = Array.from({ length: RESELLERS }, (_, index) => BigInt(index + 1))
const WAYS: [string, Partial<SearchQuery>][] = [
  ['an id', { way: { by: 'id', id: 777_000n } }],
  ['an id of one reseller', { way: { by: 'id', id: 777_000n }, resellerId: 18n }],
  ['a refid of everybody', { way: { by: 'refid', resellerIds, refid: 'R100' } }],
  ['a refid of one reseller', { way: { by: 'refid', resellerIds: [3n], refid: 'R100' }, resellerId: 3n }],
  ['a customer', { way: { by: 'account', accounts: ['601277'] } }],
  ['a customer of one reseller', { way: { by: 'account', accounts: ['601277'] }, resellerId: 18n }],
  ['a reseller', { way: { by: 'reseller', resellerId: 5n } }],
  ['time', {}],
  ['time and product', { product: 'RARE' }],
  ['time and a product that is hardly sold', { product: 'ONCE' }],
  ['time and a provider', { provider: 'TEST' }],
  ['time and a state', { codes: { codes: [53], hasFailed: false } }],
  [
    'a reseller and a product that is hardly sold',
    { way: { by: 'reseller', resellerId: 5n }, product: 'ONCE' },
  ],
]
const PENDING = {
  way: { by: 'pending' },
  codes: { codes: [0, 1], hasFailed: false },
} as const
const OVERDUE_CUSTOMER = { by: 'account', accounts: ['601227'] } as const
const QUEUED: [string, Partial<SearchQuery>][] = [
  ['what is pending', PENDING],
  ['what is pending of one reseller', { ...PENDING, resellerId: 8n }],
  ['what is pending of a product', { ...PENDING, product: 'NOVA' }],
  ['what is past its due time', { ...PENDING, isOverdue: true }],
  // This customer has two more payments that are pending, and not past their due time.
  ['what is past its due time of a customer', { ...PENDING, way: OVERDUE_CUSTOMER, isOverdue: true }],
]
const SERIAL: [string, Partial<SearchQuery>] = ['time and a serial number', { serialNumber: 'SN-1' }]

describe('every way of searching', () => {
  it.each(WAYS)('%s finds what a look at all payments would, newest first', async (_name, changes) => {
    const query = queryOf(changes)
    const found = await test.database.transaction((tx) => searchPayments(tx, query))
    const { way, resellerId, product, limit } = query
    const { rows } = await test.database.query<{ id: bigint }>(
      `select id from payments
        where ($1::bigint is null or id = $1) and ($2::text is null or refid = $2)
          and ($3::text is null or account = $3) and ($4::bigint is null or reseller_id = $4)
          and ($5::text is null or product_code = $5)
          and ($6::smallint is null or code = $6)
        order by id desc limit $7`,
      [
        way.by === 'id' ? way.id : null,
        way.by === 'refid' ? way.refid : null,
        way.by === 'account' ? way.accounts[0] : null,
        way.by === 'reseller' ? way.resellerId : resellerId,
        product,
        query.codes?.codes[0] ?? null,
        limit,
      ],
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  })

  it.each(QUEUED)('%s is found in the queue of what is not final', async (_name, changes) => {
    const query = queryOf({ ...changes, limit: 3 })
    const found = await test.database.transaction((tx) => searchPayments(tx, query))
    const { rows } = await test.database.query<{ id: bigint }>(
      `select p.id from payments p join payment_work w on w.payment_id = p.id
        where ($1::bigint is null or p.reseller_id = $1) and ($2::text is null or product_code = $2)
          and ($3::text is null or account = $3)
        order by p.id desc limit 3`,
      [query.resellerId, query.product, query.way.by === 'account' ? query.way.accounts[0] : null],
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  })

  it.each([...WAYS, ...QUEUED, SERIAL])(
    '%s is found through an index, without a look at all payments',
    async (_name, changes) => {
      const plan = await planOf(queryOf(changes))
      expect(plan).toContain('Index')
      expect(plan).not.toMatch(/Seq Scan on payments|Parallel/)
    },
  )

  it('a search back in time walks from the newest on, within its days', async () => {
    for (const changes of [{ product: 'ONCE' }, { codes: { codes: [53], hasFailed: false } as const }]) {
      const plan = await planOf(queryOf({ ...changes, fromId: 1_000_000n, untilId: 20_000_000n }))
      expect(plan).toMatch(/Index Scan Backward using payments_by_id on payments/)
      expect(plan).toMatch(/Index Cond: .*id \+ 0\) >= /)
    }
    expect(await planOf(queryOf(PENDING))).toMatch(/Index Scan using payments_pkey on payments/)
  })

  it('pages by the id, and looks at states and products', async () => {
    const seen: bigint[] = []
    let untilId = ID_MAX
    for (;;) {
      const page = await searchPayments(
        test.database,
        queryOf({ way: { by: 'account', accounts: ['601277'] }, untilId, limit: 3 }),
      )
      seen.push(...page.map(({ id }) => id))
      if (page.length < 3) break
      untilId = page.at(-1)?.id ?? 0n
    }
    expect(seen).toHaveLength(PAYMENTS / 5_000)
    expect(new Set(seen).size).toBe(seen.length)
    const failed = await test.database.transaction((tx) =>
      searchPayments(tx, queryOf({ codes: { codes: [], hasFailed: true }, limit: 50 })),
    )
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set([48]))
    const asked = queryOf({ codes: { codes: [0, 1], hasFailed: false }, product: 'NOVA', limit: 50 })
    const pending = await test.database.transaction((tx) => searchPayments(tx, asked))
    expect(new Set(pending.map(({ code, product_code }) => `${code} ${product_code}`))).toEqual(
      new Set(['1 NOVA']),
    )
  })
})
