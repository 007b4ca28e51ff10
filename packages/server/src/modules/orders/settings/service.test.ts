import { afterAll, beforeAll, expect, it } from 'vitest'
import { UncertainCommitError } from '../../../db/database.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { newReseller } from '../../../testing/events/deliveries.ts'
import { withBreakableDatabase } from '../../../testing/network/breakable-line.ts'
import { settingsAtFirst } from './rules.ts'
import { createCheckoutSettings } from './service.ts'

let test: TestDatabase
const directory = { findReseller: () => undefined }

beforeAll(async () => {
  test = await openTestDatabase()
})

afterAll(() => test.close())

it('checkout settings whose answer is lost are reported as uncertain', async () => {
  const { id } = await newReseller(test)
  const wanted = { ...settingsAtFirst('Kedai Titik'), acceptsLoss: true }
  await withBreakableDatabase(test.connection, async (database, line) => {
    line.breakCommit('after')
    const saved = createCheckoutSettings({ database, directory }).save(id, wanted)
    await expect(saved).rejects.toBeInstanceOf(UncertainCommitError)
  })
  expect(await createCheckoutSettings({ ...test, directory }).settingsOf(id)).toEqual(wanted)
})
