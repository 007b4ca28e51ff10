import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { BaseCatalog } from '../catalog/model/types.ts'
import { addNotice, endNotice, listNotices, openNoticeBoard } from './notices.service.ts'

const CATALOG = { products: [{ code: 'NOVA' }], categories: [{ code: 'WATER' }] } as unknown as BaseCatalog
const KNOWN = { ...CATALOG, providers: ['simulator', 'kedai'] }
const INPUT = {
  target: { kind: 'product', code: 'NOVA' },
  message: 'Down',
  startsAt: null,
  endsAt: null,
  stopsPayments: false,
  createdBy: 'test',
} as const

const TEN = new Date('2026-03-01T10:00:00Z')

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})

afterAll(() => test.close())

async function openIds(): Promise<bigint[]> {
  return (await listNotices(test.database, { includeOver: false, limit: 1_000 })).map(({ id }) => id)
}

describe('a notice', () => {
  it('is listed until it is ended, and kept after that', async () => {
    const made = await addNotice(test.database, KNOWN, INPUT)
    expect(made).toMatchObject({ target: { kind: 'product', code: 'NOVA' }, endsAt: null, endedAt: null })
    expect(await openIds()).toContain(made.id)
    const ended = await endNotice(test.database, made.id)
    expect(ended).toEqual({ ...made, endedAt: expect.any(Date) })
    expect(await openIds()).not.toContain(made.id)
    expect(await listNotices(test.database, { includeOver: true, limit: 1_000 })).toContainEqual(ended)
  })

  it('a notice on a provider that is known is taken', async () => {
    const { id, target } = await addNotice(test.database, KNOWN, {
      ...INPUT,
      target: { kind: 'provider', code: 'kedai' },
    })
    expect(target).toEqual({ kind: 'provider', code: 'kedai' })
    await endNotice(test.database, id)
  })

  it('is ended once, and only if it exists', async () => {
    const { id } = await addNotice(test.database, KNOWN, INPUT)
    await endNotice(test.database, id)
    for (const gone of [id, 999_999n]) {
      await expect(endNotice(test.database, gone)).rejects.toMatchObject({ status: 404 })
    }
  })

  it('a notice that ends by itself is over then', async () => {
    const times = { startsAt: new Date('2026-03-01T10:00:00Z'), endsAt: new Date('2026-03-01T11:00:00Z') }
    const { id } = await addNotice(test.database, KNOWN, { ...INPUT, ...times })
    expect(await openIds()).not.toContain(id)
    await expect(endNotice(test.database, id)).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    [{ target: { kind: 'product', code: 'NOBODY' } }, 'code'],
    [{ target: { kind: 'category', code: 'NOVA' } }, 'code'],
    [{ target: { kind: 'provider', code: 'kedia' } }, 'code'],
    [{ startsAt: TEN, endsAt: TEN }, 'ends_at'],
    [{ endsAt: TEN }, 'ends_at'],
    [{ target: { kind: 'provider', code: 'simulator' }, stopsPayments: true }, 'stops_payments'],
  ] as const)('a notice of %j is refused, and nothing is written', async (change, field) => {
    const before = await openIds()
    await expect(addNotice(test.database, KNOWN, { ...INPUT, ...change })).rejects.toMatchObject({
      status: 400,
      fields: { [field]: [expect.any(String)] },
    })
    expect(await openIds()).toEqual(before)
  })

  it('is refused once five hundred are open', async () => {
    const missing = 500 - (await openIds()).length
    const { rows } = await test.database.query<{ id: bigint }>(
      `insert into network_notices (target_kind, target_code, message, starts_at, stops_payments, created_by)
       select 'product', 'MANY', 'x', now(), false, 'test' from generate_series(1, $1::int) returning id`,
      [missing],
    )
    await expect(addNotice(test.database, KNOWN, INPUT)).rejects.toMatchObject({ status: 409 })
    await test.database.query('delete from network_notices where id = any ($1)', [rows.map(({ id }) => id)])
    const { id } = await addNotice(test.database, KNOWN, INPUT)
    await endNotice(test.database, id)
  })
})

describe('the board', () => {
  it('hears of a notice that another node makes, without waiting for its poll', async () => {
    const board = await openNoticeBoard({ database: test.openAnother(), pollMs: 3_600_000 })
    try {
      const until = async (isSaid: boolean) => {
        const giveUpAt = Date.now() + 60_000
        while (
          (board.current().products.get('NOVA') ?? []).some(({ endedAt }) => endedAt === null) !== isSaid
        ) {
          if (Date.now() > giveUpAt) throw new Error('the board heard nothing')
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      }
      await until(false)
      const { id } = await addNotice(test.database, KNOWN, INPUT)
      await until(true)
      await endNotice(test.database, id)
      await until(false)
    } finally {
      await board.close()
    }
  })

  it('hears nothing of a notice whose transaction was rolled back', async () => {
    const board = await openNoticeBoard({ database: test.database, pollMs: 3_600_000 })
    try {
      const input = { ...INPUT, target: { kind: 'category', code: 'WATER' } as const }
      await expect(
        test.database.transaction(async (tx) => {
          await addNotice(tx, KNOWN, input)
          throw new Error('undone')
        }),
      ).rejects.toThrow('undone')
      await board.refresh()
      expect(board.current().categories.size).toBe(0)
    } finally {
      await board.close()
    }
  })
})
