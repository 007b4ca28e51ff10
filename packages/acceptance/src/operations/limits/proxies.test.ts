import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices, until } from '../../service.ts'

let service: Service
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database, environment: { WARUNG_TRUST_PROXY: 'none' } })
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

type Listed = { kind: string; severity: string; text: string; times: number }

async function alerts(): Promise<Listed[]> {
  const { alerts: listed } = await service.warungd<{ alerts: Listed[] }>('alert', 'list')
  return listed.filter(({ kind }) => kind === 'untrusted_proxy')
}

it('a forwarding header from a peer that is no trusted proxy raises one alert that says what to set', async () => {
  await service.get('/v2/balance')
  expect(await alerts()).toEqual([])
  for (let count = 0; count < 5; count += 1) {
    await service.get('/v2/balance', { 'X-Forwarded-For': '203.0.113.9' })
  }
  const raised = await until('the alert is there', async () => {
    const found = await alerts()
    return found.length > 0 && found
  })
  expect(raised).toHaveLength(1)
  expect(raised[0]).toMatchObject({ severity: 'critical' })
  expect(raised[0]?.text).toContain('WARUNG_TRUST_PROXY=127.0.0.1')
})
