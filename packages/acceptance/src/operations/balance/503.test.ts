import { Agent } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IssuedTokens, TestReseller } from '../../edge.ts'
import {
  BALANCE,
  balanceOf,
  createReseller,
  expectProblem,
  isBalanceWaiting,
  issueTokens,
  post,
} from '../../edge.ts'
import type { Answer } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices, until } from '../../service.ts'
import { freshNonce } from '../../signing.ts'

let database: TestDatabase
let service: Service
let reseller: TestReseller
let tokens: IssuedTokens

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database, environment: { WARUNG_REQUESTS_MAX: '1' } })
  reseller = await createReseller(service)
  tokens = await issueTokens(service, reseller.account)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

function expectUnavailable(answer: Answer): void {
  expectProblem(answer, 503)
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
}

/** Locks the table while `work` runs: requests that read or write it wait. */
async function withLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  await database.query('begin')
  try {
    await database.query(`lock table ${table} in access exclusive mode`)
    return await work()
  } finally {
    await database.query('rollback')
  }
}

describe('when as many requests as may be are under way', () => {
  it('the next is turned away at once, spends nothing, and is served when there is room again', async () => {
    const nonce = freshNonce()
    const held = await withLocked('wallets', async () => {
      const first = balanceOf(service, reseller)
      await until('the first request waits for the wallet', () => isBalanceWaiting(database))
      expectUnavailable(await balanceOf(service, reseller, { nonce }))
      expectUnavailable(await service.get(BALANCE))
      expectUnavailable(await post(service, '/v2/token', '{}'))
      for (const path of ['/healthz', '/readyz']) expect((await service.get(path)).status, path).toBe(200)
      expectProblem(await service.get('/nowhere'), 404)
      return { first }
    })
    expect((await held.first).status).toBe(200)
    // The same request with the same nonce succeeds: the refused one had not used the nonce.
    expect((await balanceOf(service, reseller, { nonce })).status).toBe(200)
  })

  it('a caller who hung up keeps the place until the work has ended, and no longer', async () => {
    await withLocked('wallets', async () => {
      const agent = new Agent()
      const impatient = balanceOf(service, reseller, { agent }).catch((error: Error) => error)
      await until('the request waits for the wallet', () => isBalanceWaiting(database))
      agent.destroy()
      expect(await impatient).toBeInstanceOf(Error)
      expectUnavailable(await balanceOf(service, reseller))
    })
    await until('there is room', async () => (await balanceOf(service, reseller)).status === 200)
  })
})

describe('when the database is out of reach', () => {
  /** Ends the service's connections and refuses new ones, like a database server that is gone. */
  async function withoutDatabase(work: () => Promise<void>): Promise<void> {
    const url = new URL(database.url)
    const name = url.pathname.slice(1)
    url.pathname = '/postgres'
    const admin = new pg.Client({ connectionString: url.href })
    await admin.connect()
    try {
      await admin.query(`alter database ${name} allow_connections false`)
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = $1 and application_name like 'warungd%'`,
        [name],
      )
      await work()
    } finally {
      await admin.query(`alter database ${name} allow_connections true`)
      await admin.end()
    }
  }

  const staleSeen = () => service.log().some(({ error }) => error === 'directory_stale')

  it('a request is never blamed on its caller, neither at first nor when the view of accounts is old', async () => {
    const bearer = { Authorization: `Bearer ${tokens.IdToken}` }
    const unknown = { ...reseller, apiKey: 'wk_stg_nobodys' }
    await withoutDatabase(async () => {
      expectUnavailable(await balanceOf(service, reseller))
      expectUnavailable(await service.get(BALANCE, bearer))
      expectUnavailable(
        await post(service, '/v2/token', JSON.stringify({ username: 'someone', password: 'x' })),
      )
      expectUnavailable(
        await post(service, '/v2/token/refresh', JSON.stringify({ refresh_token: tokens.RefreshToken })),
      )
      await until('the view of accounts is old', async () => {
        expectUnavailable(await balanceOf(service, reseller))
        return staleSeen()
      })
      expectUnavailable(await balanceOf(service, reseller))
      expectUnavailable(await service.get(BALANCE, bearer))
      // This key may have been made a moment ago by another node.
      expectUnavailable(await balanceOf(service, unknown))
      expect((await service.get('/healthz')).status).toBe(200)
      const readiness = await service.get('/readyz')
      expect(readiness.status).toBe(503)
      expect(readiness.json()).toEqual({
        status: 'unavailable',
        problems: expect.arrayContaining([expect.stringMatching(/database/)]),
      })
    })
    await until('the service has recovered', async () => (await service.get('/readyz')).status === 200)
    expect((await balanceOf(service, reseller)).status).toBe(200)
    expect((await service.get(BALANCE, bearer)).status).toBe(200)
    expect((await balanceOf(service, unknown)).json()).toMatchObject({ error: 'invalid_api_key' })
  })

  it('nothing of this was a surprise to the service', () => {
    expect(service.log().filter(({ status, msg }) => status === 500 || msg === 'unexpected error')).toEqual(
      [],
    )
  })
})
