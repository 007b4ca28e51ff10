import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf } from '../clients.ts'
import type { TestReseller } from '../edge.ts'
import { balanceOf, createReseller } from '../edge.ts'
import { credentialsOf } from '../http.ts'
import { call, trySignIn } from '../portal/people.ts'
import type { Launched } from '../process.ts'
import { INSTALLED, launch, runWarungd } from '../process.ts'
import type { Demo, TestDatabase } from '../service.ts'
import {
  createDatabase,
  environmentOf,
  makeDirectory,
  newMasterKey,
  startService,
  stopServices,
  until,
  untilReady,
} from '../service.ts'
import { askRefresh, askToken, balanceByToken, getTokens } from '../tokens.ts'

const PRODUCTION = {
  WARUNG_ENV: 'production',
  WARUNG_PUBLIC_URL: 'https://api.example.com',
  WARUNG_DASHBOARD_URL: 'https://shop.example.com',
  WARUNG_TRUST_PROXY: 'none',
} as const

type Node = { started: Launched; baseUrl: string; environment: NodeJS.ProcessEnv; dataDir: string }

let empty: TestDatabase
let used: TestDatabase

beforeAll(async () => {
  empty = await createDatabase()
  used = await createDatabase()
})

afterAll(async () => {
  await stopServices()
  await empty?.drop()
  await used?.drop()
})

async function startProduction(database: TestDatabase, masterKey: string): Promise<Node> {
  const dataDir = await makeDirectory()
  const environment = environmentOf({ database, masterKey, environment: PRODUCTION }, dataDir)
  // The service is started from the installed files.
  const started = launch(environment, { args: [INSTALLED, 'serve'] })
  return { started, baseUrl: await untilReady(started), environment, dataDir }
}

async function command<T>(node: Node, ...args: string[]): Promise<T> {
  const { code, stdout } = await runWarungd(node.environment, [...args, '--json'])
  expect({ code, stdout }).toMatchObject({ code: 0 })
  return JSON.parse(stdout) as T
}

describe('production on an empty database', () => {
  it('seeds nothing, says nothing of credentials, and lets the operator in who is made by the command', async () => {
    const node = await startProduction(empty, newMasterKey())
    expect(await command(node, 'reseller', 'list')).toEqual({ resellers: [] })
    expect(await command(node, 'operator', 'list')).toEqual({ operators: [] })
    expect(await readdir(node.dataDir)).toEqual(['outcomes'])
    expect(node.started.output()).not.toMatch(/demo credentials|api key|secret|password/i)
    expect(node.started.output()).toContain('https://api.example.com')
    await expectFirstOperator(node)
    node.started.signal('SIGTERM')
    expect(await node.started.ended).toEqual({ code: 0, signal: null })
  })
})

async function expectFirstOperator(node: Node): Promise<void> {
  const email = 'first@example.com'
  const words = ['operator', 'create', '--email', email, '--name', 'First', '--role', 'admin']
  const { password } = await command<{ password: string }>(node, ...words)
  const answer = await trySignIn(node, 'operator', { email, password })
  expect(answer.status, answer.text).toBe(200)
  const [cookie = ''] = answer.headers['set-cookie'] ?? []
  expect(cookie).toMatch(/^__Host-warung_operator=[^;]+; Path=\/;.* HttpOnly; SameSite=Lax; Secure$/)
  const headers = { Cookie: cookie.slice(0, cookie.indexOf(';')) }
  const session = await call(node, 'GET', '/operator/v1/session', undefined, headers)
  expect([session.status, session.json()]).toMatchObject([200, { data: { email, role: 'admin' } }])
  // Production requires a second factor of operators before anything else.
  const listed = await call(node, 'GET', '/operator/v1/operators', undefined, headers)
  expect([listed.status, errorOf(listed)]).toEqual([403, 'second_factor_required'])
}

describe('production on a database that staging has used', () => {
  let node: Node
  let demo: Demo
  let real: TestReseller
  let tokens: { IdToken: string; RefreshToken: string }

  beforeAll(async () => {
    const masterKey = newMasterKey()
    const staging = await startService({ database: used, masterKey })
    demo = staging.demo
    real = await createReseller(staging)
    const [reseller] = demo.resellers
    tokens = await getTokens(staging, {
      username: reseller?.username ?? '',
      password: reseller?.password ?? '',
    })
    expect((await balanceOf(staging, staging.credentials)).status).toBe(200)
    expect((await balanceByToken(staging, tokens.IdToken)).status).toBe(200)
    expect((await askRefresh(staging, { refresh_token: tokens.RefreshToken })).status).toBe(200)
    expect(await staging.stop()).toBe(0)
    node = await startProduction(used, masterKey)
  })

  it('lets nobody in by the demo’s keys, passwords or tokens', async () => {
    for (const reseller of demo.resellers) {
      expect(errorOf(await balanceOf(node, credentialsOf(reseller)))).toBe('invalid_api_key')
      const { username, password } = reseller
      expect(errorOf(await askToken(node, { username, password }))).toBe('invalid_credentials')
    }
    expect(errorOf(await balanceByToken(node, tokens.IdToken))).toBe('invalid_token')
    expect(errorOf(await askRefresh(node, { refresh_token: tokens.RefreshToken }))).toBe(
      'invalid_refresh_token',
    )
    expect(await readdir(node.dataDir)).toEqual(['outcomes'])
  })

  it('does not know staging keys, and explains no signature', async () => {
    expect(errorOf(await balanceOf(node, real))).toBe('invalid_api_key')
    const made = await command<{ key: string; signing_secret: string }>(
      node,
      ...['key', 'create', '--reseller', real.account],
    )
    expect(made.key).toMatch(/^wk_live_\w{32}$/)
    const live = { apiKey: made.key, secretBase64: made.signing_secret }
    await until('the key is known', async () => (await balanceOf(node, live)).status === 200)
    const wrong = await balanceOf(node, { ...live, secretBase64: real.secretBase64 })
    expect(wrong.json()).toEqual({
      error: 'invalid_signature',
      message: expect.any(String),
      metadata: { status_code: 401 },
    })
  })
})
