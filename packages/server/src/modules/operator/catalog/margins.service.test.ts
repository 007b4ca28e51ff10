import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleBase, sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { EMPTY_STATE } from '../../catalog/model/state.rules.ts'
import { listMargins } from './margins.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

async function codesAfter(cursor: string | undefined, ...inactive: readonly string[]): Promise<string[]> {
  const products = ['A', 'B', 'C', 'D'].map((code) =>
    sampleProduct({ code, isActive: !inactive.includes(code) }),
  )
  const state = { ...EMPTY_STATE, base: sampleBase({ products, listed: [] }) }
  const context = { database: test.database, catalog: { state: () => state }, nowMs: () => 0 }
  const { items } = await listMargins(context, { is_active: 'true', limit: '2', cursor })
  return items.map(({ product }) => product.code)
}

it('a page of margins goes on behind a product that is not wanted any more', async () => {
  expect(await codesAfter(undefined)).toEqual(['A', 'B'])
  expect(await codesAfter('B', 'B')).toEqual(['C', 'D'])
  expect(await codesAfter('X')).toEqual([])
})
