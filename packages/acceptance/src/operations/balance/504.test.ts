import { Agent } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestReseller } from '../../edge.ts'
import { balanceOf, createReseller, expectProblem } from '../../edge.ts'
import { send } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices } from '../../service.ts'

let database: TestDatabase
let service: Service
let reseller: TestReseller

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database, environment: { WARUNG_REQUEST_TIMEOUT_SECONDS: '5' } })
  reseller = await createReseller(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

async function withLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  await database.query('begin')
  try {
    await database.query(`lock table ${table} in access exclusive mode`)
    return await work()
  } finally {
    await database.query('rollback')
  }
}

describe('an answer that takes longer than the limit', () => {
  it.each([
    ['wallets', ['/healthz', '/readyz', '/openapi.json']],
    // A node that has stored no nonce for seconds is not ready, and /readyz says so; it is left out.
    ['nonces', ['/healthz', '/openapi.json']],
  ])('is given up when it waits for the %s, and the service goes on', async (table, paths) => {
    await withLocked(table, async () => {
      const answers = await Promise.all([balanceOf(service, reseller), balanceOf(service, reseller)])
      for (const answer of answers) expectProblem(answer, 504)
      for (const path of paths) {
        expect((await service.get(path)).status, path).toBe(200)
      }
    })
    expect((await balanceOf(service, reseller)).status).toBe(200)
  })

  it('leaves a connection on which the next answer belongs to the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const { baseUrl } = service
    try {
      await withLocked('wallets', async () => {
        expectProblem(await balanceOf(service, reseller, { agent }), 504)
        expectProblem(await send({ baseUrl, path: '/nowhere', agent }), 404)
      })
      for (let round = 0; round < 5; round += 1) {
        expect((await balanceOf(service, reseller, { agent })).status).toBe(200)
        expectProblem(await send({ baseUrl, path: '/nowhere', agent }), 404)
      }
    } finally {
      agent.destroy()
    }
  })

  it('was logged as what it is, and nothing as a surprise', () => {
    const lines = service.log()
    expect(lines.filter(({ status, error }) => status === 504 && error === 'timeout').length).toBeGreaterThan(
      0,
    )
    expect(lines.filter(({ status, msg }) => status === 500 || msg === 'unexpected error')).toEqual([])
  })
})
