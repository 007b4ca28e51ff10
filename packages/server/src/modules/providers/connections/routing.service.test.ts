import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { kindsOf, scriptedKind } from '../../../testing/providers/connector-kinds.ts'
import { addConnection } from './connections.service.ts'
import { listRoutes, setRoute } from './routing.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
  await connect('alpha')
})
afterAll(() => test.close())

function connect(code: string) {
  const made = { code, kind: 'scripted', name: code, isEnabled: true, config: {} }
  return addConnection({ ...test, kinds: kindsOf(scriptedKind()) }, made)
}

function route(productCode: string, isEnabled = true) {
  const usual = { priority: 1, weight: 100, windows: [], cost: null }
  return setRoute(test.database, { productCode, provider: 'alpha', isEnabled, ...usual })
}

it('a route beyond the number that is read is refused, and a route that exists can be changed', async () => {
  await test.database.query(
    `insert into provider_routes (product_code, provider, priority, weight, is_enabled, updated_at)
     select 'P' || n, 'alpha', 1, 100, true, now() from generate_series(1, 99999) as n`,
  )
  await route('ZZZ')
  await expect(route('ZZZZ')).rejects.toMatchObject({ status: 409, code: 'limit_reached' })
  await route('ZZZ', false)
  const last = (await listRoutes(test.database)).at(-1)
  expect(last).toMatchObject({ productCode: 'ZZZ', isEnabled: false })
})

it('a connection beyond the number that is read is refused', async () => {
  await test.database.query(
    `insert into provider_connections (code, kind, name, is_enabled, config, version, created_at, updated_at)
     select 'p' || n, 'scripted', 'P', true, '{}', 1, now(), now() from generate_series(1, 999) as n`,
  )
  await expect(connect('zzz')).rejects.toMatchObject({ status: 409, code: 'limit_reached' })
})
