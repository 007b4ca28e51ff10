import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import type { Column } from './calls.ts'
import { defineBatchCall, defineCall } from './calls.ts'

type Item = { amount: bigint; cost: bigint; note: string | null; at: Date; isUrgent: boolean; seal: Buffer }

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
  await test.database.query(
    `create function show_batch(
       p_amounts bigint[], p_costs bigint[], p_notes text[], p_ats timestamptz[], p_urgent boolean[], p_seals bytea[],
       p_limit integer
     ) returns jsonb language sql as $$
       select jsonb_build_object('amounts', p_amounts, 'costs', p_costs, 'notes', p_notes,
                                 'years', (select array_agg(extract(year from a)) from unnest(p_ats) a),
                                 'urgent', p_urgent, 'seals', p_seals, 'limit', p_limit)
     $$`,
  )
})
afterAll(() => test.close())

const COLUMNS: readonly Column<Item>[] = [
  ['p_amounts', 'bigint[]', ({ amount }) => amount],
  ['p_costs', 'bigint[]', ({ cost }) => cost],
  ['p_notes', 'text[]', ({ note }) => note],
  ['p_ats', 'timestamptz[]', ({ at }) => at],
  ['p_urgent', 'boolean[]', ({ isUrgent }) => isUrgent, ({ isUrgent }) => isUrgent],
  ['p_seals', 'bytea[]', ({ seal }) => seal],
]
const ITEM: Item = {
  amount: 5n,
  cost: 9_007_199_254_740_993n,
  note: `a "quoted" \\ {note}, 'here'`,
  at: new Date('2026-01-02T03:04:05Z'),
  isUrgent: false,
  seal: Buffer.from([0, 255]),
}
const SHOWN = { name: 'show_batch', text: 'select show_batch(...)::text as shown' }

async function show(columns: readonly Column<Item>[], items: readonly Item[]): Promise<string> {
  const call = defineBatchCall<Item>()(SHOWN, columns, { p_limit: 'integer' })
  const { rows } = await test.database.query<{ shown: string }>(
    call.statement.text,
    call.valuesOf(items, { p_limit: 7 }),
  )
  return String(rows[0]?.shown)
}

describe('a call by names', () => {
  it('gives every parameter its own value, in whatever order they are listed', async () => {
    const items = [ITEM, { ...ITEM, amount: 6n, note: null }]
    const shown = await show(COLUMNS, items)
    expect(shown).toContain('"amounts": [5, 6]')
    expect(shown).toContain('"costs": [9007199254740993, 9007199254740993]')
    expect(JSON.parse(shown)).toMatchObject({
      notes: [ITEM.note, null],
      years: [2026, 2026],
      seals: ['\\x00ff', '\\x00ff'],
      limit: 7,
    })
    expect(await show(COLUMNS.toReversed(), items)).toBe(shown)
  })

  it('sends an array that no item needs as null', async () => {
    expect(JSON.parse(await show(COLUMNS, [ITEM]))).toMatchObject({ urgent: null })
    const urgent = [ITEM, { ...ITEM, isUrgent: true }]
    expect(JSON.parse(await show(COLUMNS, urgent))).toMatchObject({ urgent: [false, true] })
  })

  it('a call by names with a name or a type that the function does not have fails at once', async () => {
    const [, ...others] = COLUMNS
    const renamed: Column<Item> = ['p_amount', 'bigint[]', ({ amount }) => amount]
    const retyped: Column<Item> = ['p_amounts', 'text[]', ({ amount }) => String(amount)]
    await expect(show([renamed, ...others], [ITEM])).rejects.toThrow(/does not exist/)
    await expect(show([retyped, ...others], [ITEM])).rejects.toThrow(/does not exist/)
    await expect(show(others, [ITEM])).rejects.toThrow(/does not exist/)
  })

  it('names each parameter once, and has one place for them', () => {
    const [first] = COLUMNS as [Column<Item>]
    expect(() => defineBatchCall<Item>()(SHOWN, [first, first], {})).toThrow(/each parameter once/)
    expect(() => defineCall({ name: 'x', text: 'select f()' }, { p_a: 'text' })).toThrow(/one \(\.\.\.\)/)
  })

  it('a call by names whose value has another type than its parameter does not compile', () => {
    // @ts-expect-error: a text where the function has a number
    const column: Column<Item> = ['p_amounts', 'bigint[]', ({ note }) => note]
    // @ts-expect-error: a parameter that was not declared
    const values = defineCall({ name: 'x', text: 'f(...)' }, { p_a: 'text' }).valuesOf({ p_b: 'b' })
    expect([column, values]).toHaveLength(2)
  })
})
