import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { listFeedEntries } from './feed.sql.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const ROWS = 40_000
const PAGE = 100

type Plan = { 'Node Type': string; 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[] }

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

it('a page costs its own rows, wherever it lies and however long the feed is, by a plan made when it was empty', async () => {
  await test.database.withConnection(async (connection) => {
    const seen: string[] = []
    const query = (statement: { text: string }, values: readonly unknown[]) => {
      seen.push(statement.text)
      return connection.query(statement.text, values as unknown[])
    }
    await listFeedEntries({ query } as never, 1n, 1n, PAGE)
    await connection.query('set plan_cache_mode = force_generic_plan')
    await connection.query(`prepare page (bigint, bigint, bigint) as ${seen[0]}`)
    const pageAt = async (from: number) => {
      const { rows } = await connection.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, format json) execute page (1, ${from}, ${PAGE})`,
      )
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
      if (plan === undefined) throw new Error('no plan')
      return nodesOf(plan)
    }
    await pageAt(1)
    await connection.query(
      `insert into events (reseller_id, sequence, span, source, subject, at)
       select 1 + n % 2, n, 1, 'own', 0, now() from generate_series(1, $1::int) n`,
      [ROWS],
    )
    for (const from of [1, ROWS / 2, ROWS - 5]) {
      const nodes = await pageAt(from)
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort')
      for (const node of nodes) expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(PAGE)
    }
  })
})
