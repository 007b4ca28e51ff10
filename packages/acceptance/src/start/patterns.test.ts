import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'

let demo: Demo
let database: pg.Client

beforeAll(async () => {
  demo = await startDemo()
  database = new pg.Client({ connectionString: String(demo.service.environment.DATABASE_URL) })
  await database.connect()
})

afterAll(async () => {
  await database?.end()
  await demo?.end()
})

/** Stores patterns as an earlier version allowed them, each in another product. Returns the codes of the products. */
async function store(patterns: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ code: string }>(
    `update catalog_products p set fields = jsonb_set(p.fields, '{0,validation}', jsonb_build_object('pattern', n.pattern))
       from (select code, row_number() over (order by code) as place from catalog_products
              where jsonb_array_length(fields) > 0) as each
       join unnest($1::text[]) with ordinality as n (pattern, place) using (place)
      where p.code = each.code returning p.code`,
    [patterns],
  )
  return rows.map(({ code }) => code)
}

async function openAlerts(): Promise<{ kind: string; text: string }[]> {
  const { alerts } = await demo.service.warungd<{ alerts: { kind: string; text: string }[] }>('alert', 'list')
  return alerts.filter(({ kind }) => kind === 'catalogue_pattern')
}

it('a node that starts names stored patterns that would be refused now, and none of them stops the start', {
  timeout: 240_000,
}, async () => {
  expect(await openAlerts()).toEqual([])
  let nested = 'a'
  for (let depth = 0; depth < 10; depth += 1) nested = `(?:(?=${nested})a){90}`
  const codes = await store([`^${'.?'.repeat(20)}.{80}x$`, `^(?:a|a)+${nested}$`])
  expect(codes).toHaveLength(2)
  await demo.startAnother()
  const [alert, ...others] = await openAlerts()
  expect(others).toEqual([])
  for (const code of codes) expect(alert?.text).toContain(`${code}, field `)
  await store(['^\\d+$', '^\\d+$'])
  await demo.startAnother()
  expect(await openAlerts()).toEqual([])
})
