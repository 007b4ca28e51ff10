import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReseller, expectProblem, startProduction } from '../../edge.ts'
import { send, signed } from '../../http.ts'
import type { TestDatabase } from '../../service.ts'
import { createDatabase, stopServices } from '../../service.ts'

const CLOCK = '/v2/test-clock'

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

it('production knows no such operation, and its documentation does not name it', async () => {
  const production = await startProduction(database)
  const owner = await createReseller(production)
  const path = `${CLOCK}?advance_seconds=5`
  expectProblem(await signed(production.baseUrl, owner, { path: CLOCK }), 404)
  expectProblem(await signed(production.baseUrl, owner, { method: 'POST', path }), 404)
  expect((await send({ baseUrl: production.baseUrl, path: '/openapi.json' })).text).not.toContain(
    'test-clock',
  )
  await expect(production.warungd('clock', 'show', '--reseller', owner.account)).rejects.toThrow(
    'staging_only',
  )
})
