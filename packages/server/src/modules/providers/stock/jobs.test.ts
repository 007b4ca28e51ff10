import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { fillShelf, newPin, TEN } from '../../../testing/providers/stock.ts'
import { createAlerts, listAlerts } from '../../alerts/core/service.ts'
import { watchStock } from './jobs.ts'
import { setStockLevel, withdrawBatch } from './shelf.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('an operator hears of what falls below its level, once, and no longer when it was filled up', async () => {
  const { database } = test
  const alerts = createAlerts({ database, onRaised: () => {} })
  const watch = () => watchStock({ database, alerts })
  const open = () => listAlerts(database, { limit: 10, withCleared: false })
  const kind = { productCode: 'PINTEN', denomination: TEN }

  await fillShelf(test, { pins: [newPin()] })
  await watch()
  expect(await open()).toEqual([])
  await database.transaction((tx) => setStockLevel(tx, kind, 2))
  await watch()
  await watch()
  expect(await open()).toMatchObject([
    {
      kind: 'stock_low',
      subject: 'PINTEN 10.00',
      severity: 'warning',
      text: expect.stringMatching(/^1 left/),
    },
  ])
  const { id } = await fillShelf(test, { pins: [newPin()] })
  await watch()
  expect(await open()).toEqual([])
  await withdrawBatch(database, id, { by: 'test', reason: 'test' })
  await withdrawBatch(database, id - 1n, { by: 'test', reason: 'test' })
  await watch()
  expect(await open()).toMatchObject([{ kind: 'stock_out', severity: 'critical' }])
  // No alert is raised without a level.
  await database.transaction((tx) => setStockLevel(tx, kind, 0))
  await watch()
  expect(await open()).toEqual([])
})
