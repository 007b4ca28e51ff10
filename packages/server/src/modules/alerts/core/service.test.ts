import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { Alerts } from './service.ts'
import { clearAlert, createAlerts, listAlerts } from './service.ts'
import type { AlertReport } from './types.ts'

let test: TestDatabase
let alerts: Alerts
let told: AlertReport[]
let subjects = 0

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.database.query('truncate operator_alerts')
  told = []
  alerts = createAlerts({ database: test.database, onRaised: (report) => told.push(report) })
})

function report(change: Partial<AlertReport> = {}): AlertReport {
  subjects += 1
  return { kind: 'float_low', subject: `acme${subjects}`, text: 'low', ...change }
}

const open = () => listAlerts(test.database, { limit: 100, withCleared: false })

describe('an alert', () => {
  it('an alert that is raised again while it is open counts up and is sent once', async () => {
    const one = report()
    await alerts.raise(one)
    await alerts.raise({ ...one, text: 'lower' })
    expect(await open()).toMatchObject([{ ...one, text: 'lower', severity: 'critical', times: 2n }])
    expect(told).toEqual([one])
  })

  it('raised by many at once is one alert', async () => {
    const one = report()
    const nodes = [test.database, test.openAnother(), test.openAnother()]
    await Promise.all(
      nodes.flatMap((database) =>
        Array.from({ length: 10 }, () =>
          createAlerts({ database, onRaised: (each) => told.push(each) }).raise(one),
        ),
      ),
    )
    expect(await open()).toMatchObject([{ times: 30n }])
    expect(told).toHaveLength(1)
  })

  it('an alert of another kind or about another subject is another alert', async () => {
    const one = report()
    await alerts.raise(one)
    await alerts.raise({ ...one, kind: 'float_unread' })
    await alerts.raise(report())
    expect(await open()).toHaveLength(3)
  })

  it('an alert that was cleared is raised anew when it is seen again', async () => {
    const one = report()
    await alerts.raise(one)
    expect(await alerts.clear(one.kind, one.subject)).toBe(true)
    expect(await alerts.clear(one.kind, one.subject)).toBe(false)
    expect(await open()).toEqual([])
    await alerts.raise(one)
    expect(await open()).toMatchObject([{ times: 1n, clearedAt: null }])
    expect(told).toHaveLength(2)
    expect(await listAlerts(test.database, { limit: 100, withCleared: true })).toHaveLength(2)
  })

  it('raised in a transaction that is undone was never raised', async () => {
    await expect(
      test.database.transaction(async (tx) => {
        await alerts.raise(report(), tx)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await open()).toEqual([])
  })

  it('is cleared by its id once, and one that does not exist is refused', async () => {
    await alerts.raise(report())
    const [alert] = await open()
    const cleared = await clearAlert(test.database, alert?.id ?? 0n)
    expect(cleared.clearedAt).toBeInstanceOf(Date)
    expect(await clearAlert(test.database, cleared.id)).toEqual(cleared)
    await expect(clearAlert(test.database, cleared.id + 1n)).rejects.toMatchObject({ status: 404 })
  })
})

it('open alerts are counted, and alerts that were cleared long ago are forgotten', async () => {
  await alerts.raise(report())
  const old = report()
  await alerts.raise(old)
  await alerts.clear(old.kind, old.subject)
  await test.database.query(
    `update operator_alerts set cleared_at = cleared_at - interval '200 days' where subject = $1`,
    [old.subject],
  )
  await alerts.cleanUp()
  expect(alerts.openCount('critical')).toBe(1)
  expect(await listAlerts(test.database, { limit: 100, withCleared: true })).toHaveLength(1)
})

it.each([0, 1_001, Number.NaN])('a page of %s is refused', (limit) => {
  expect(() => listAlerts(test.database, { limit, withCleared: false })).toThrow(
    expect.objectContaining({ status: 400 }),
  )
})
