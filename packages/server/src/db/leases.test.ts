import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { HELD_CLOCK, STEADY_CLOCK } from '../testing/steady-clock.ts'
import type { ClaimTerms, LeaseTable } from './leases.ts'
import { claimLeased, defineLease } from './leases.ts'

type Row = { owner: number; id: number; lease: number; attempts: number; note: string | null }

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
  await test.database.query(
    `create table errands (
       owner integer, id integer, next_at timestamptz not null default now(), holder uuid,
       is_leased boolean not null default false, lease integer not null default 0, attempts integer not null default 0,
       note text, is_wanted boolean not null default true, primary key (owner, id)
     )`,
  )
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.database.query('truncate errands')
})

const COMMON = { table: 'errands', key: ['owner', 'id'], nextAt: 'next_at', attempts: 'attempts' }
const TABLES: readonly LeaseTable[] = [
  { ...COMMON, mark: { kind: 'holder', column: 'holder' } },
  { ...COMMON, mark: { kind: 'number' } },
]

const COLUMNS = 'w.owner, w.id, w.lease, w.attempts, w.note'
const LEASE_MS = 60_000
const believedUntil = STEADY_CLOCK.believedUntil()
const TERMS: ClaimTerms = { limit: 10, leaseMs: LEASE_MS, believedUntil }

async function insert(count: number): Promise<void> {
  await test.database.query(
    `insert into errands (owner, id, next_at)
     select 1, n, now() - interval '1 hour' + n * interval '1 second' from generate_series(1, $1) n`,
    [count],
  )
}

async function endLeases(): Promise<void> {
  await test.database.query(`update errands set next_at = now() - interval '1 second'`)
}

describe.each(TABLES)('leases with the mark $mark.kind', (table) => {
  const lease = defineLease(table)
  const claim = lease.claim<Row>({ name: `errands_${table.mark.kind}`, columns: COLUMNS })

  async function claimIds(terms: ClaimTerms = TERMS): Promise<number[]> {
    return (await claim(test.database, terms)).rows.map(({ id }) => id).sort((a, b) => a - b)
  }

  /** Claims one row; returns the key and the mark, as the statements of its holder take them. */
  async function claimOne(): Promise<unknown[]> {
    const { rows, holder } = await claim(test.database, { ...TERMS, limit: 1 })
    const [row] = rows
    return [row?.owner, row?.id, table.mark.kind === 'holder' ? holder : row?.lease]
  }

  const find = async () => {
    const { rows } = await test.database.query<Row & { is_free: boolean; due: string }>(
      `select owner, id, lease, attempts, note, holder is null and not is_leased as is_free,
              case when next_at = 'infinity' then 'never' when next_at <= now() then 'now' else 'later' end as due
         from errands`,
    )
    return rows[0]
  }

  it('give each row to one claim, however many claim at once', async () => {
    await insert(50)
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimIds()))
    const ids = claims.flat()
    expect(new Set(ids).size).toBe(ids.length)
    expect([...ids, ...(await claimIds({ ...TERMS, limit: 50 }))]).toHaveLength(50)
    expect(await claimIds()).toEqual([])
  })

  it('are taken without waiting for rows that another claim has locked', async () => {
    await insert(3)
    const claimed = await test.database.transaction(async (tx) => {
      await tx.query('select from errands where id = 1 for update')
      return claimIds({ ...TERMS, limit: 2 })
    })
    expect(claimed).toEqual([2, 3])
  })

  it('are taken of the rows that wait longest', async () => {
    await insert(5)
    expect(await claimIds({ ...TERMS, limit: 2 })).toEqual([1, 2])
  })

  it('are not taken of rows that are not due', async () => {
    await insert(1)
    await test.database.query(`update errands set next_at = now() + interval '1 minute'`)
    expect(await claimIds()).toEqual([])
  })

  it('leases of other nodes are over only as far as the clock is believed; rows that nobody holds are free', async () => {
    await insert(2)
    await claimIds({ ...TERMS, limit: 1 })
    await endLeases()
    expect(await claimIds({ ...TERMS, believedUntil: new Date(0) })).toEqual([2])
    expect(await claimIds()).toEqual([1])
  })

  it('count every claim', async () => {
    await insert(1)
    await claimOne()
    await endLeases()
    await claimOne()
    expect(await find()).toMatchObject({ attempts: 2, is_free: false })
  })

  it('are postponed by their holder', async () => {
    await insert(1)
    const held = await claimOne()
    await test.database.query(lease.postpone('note = $5'), [...held, 60_000, 'asked'])
    expect(await find()).toMatchObject({ is_free: true, due: 'later', note: 'asked', attempts: 1 })
  })

  it('are postponed for ever without a time', async () => {
    await insert(1)
    await test.database.query(lease.postpone(), [...(await claimOne()), null])
    expect(await find()).toMatchObject({ is_free: true, due: 'never' })
  })

  it('are given back at once, as if they had not been claimed', async () => {
    await insert(1)
    await test.database.query(lease.release, await claimOne())
    expect(await find()).toMatchObject({ is_free: true, due: 'now', attempts: 0 })
  })

  it('leases that another node took over are not touched by the holder before', async () => {
    await insert(1)
    const before = await claimOne()
    await endLeases()
    await claimOne()
    const written = [
      await test.database.query(lease.postpone(), [...before, 0]),
      await test.database.query(lease.release, before),
      await test.database.query(`delete from errands where ${lease.held}`, before),
    ]
    expect(written.map(({ rowCount }) => rowCount)).toEqual([0, 0, 0])
    expect(await find()).toMatchObject({ is_free: false, due: 'later', attempts: 2 })
  })
})

it('a claim takes rows of its condition, in its order, chosen by its own queries', async () => {
  await insert(6)
  await test.database.query('update errands set is_wanted = false where id = 5')
  const [table] = TABLES
  if (table === undefined) throw new Error('no table')
  const claim = defineLease(table).claim<Row>({
    name: 'errands_chosen',
    columns: `${COLUMNS}, o.number`,
    joins: 'join (select 1 as number) o on true',
    where: 'w.is_wanted',
    chosenBy: {
      queries: 'chosen as (select owner, id from errands order by id desc limit 4)',
      join: 'join chosen c on c.owner = w.owner and c.id = w.id',
    },
    order: 'w.id desc',
  })
  const { rows } = await claim(test.database, { ...TERMS, limit: 2 })
  expect(rows.map(({ id }) => id).sort()).toEqual([4, 6])
})

it('a node counts its lease from before the claim, and claims on the terms of its clock', async () => {
  const askedAt: number[] = []
  const beganMs = performance.now()
  const { work, leaseEndsMs } = await claimLeased(
    { leaseMs: LEASE_MS, leaseClock: HELD_CLOCK },
    7,
    async (terms) => {
      askedAt.push(performance.now())
      expect(terms).toEqual({ limit: 7, leaseMs: LEASE_MS, believedUntil: new Date(0) })
      return ['work']
    },
  )
  expect(work).toEqual(['work'])
  expect(leaseEndsMs).toBeGreaterThanOrEqual(beganMs + LEASE_MS)
  expect(leaseEndsMs).toBeLessThanOrEqual(Number(askedAt[0]) + LEASE_MS)
})
