import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { main } from '../../main.ts'

let test: TestDatabase
let dataDir: string
let env: Env
let account: string
let other: string

beforeAll(async () => {
  test = await openTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'warung-clock-'))
  env = {
    DATABASE_URL: test.url,
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: dataDir,
  }
  account = await makeReseller()
  other = await makeReseller()
})

afterAll(async () => {
  await test.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function run(args: readonly string[], environment: Env = env) {
  let out = ''
  const io = {
    out: (text: string) => {
      out += text
    },
    err: () => {},
    readInput: async () => '',
  }
  const code = await main([...args, '--json'], io, environment)
  return { code, document: JSON.parse(out) as Record<string, unknown> }
}

async function makeReseller(): Promise<string> {
  const { document } = await run(['reseller', 'create', '--name', 'Kedai', '--email', 'k@example.com'])
  return String(document.account)
}

it('advances one account’s clock, and says by how much in all', async () => {
  const advance = (seconds: string) => run(['clock', 'advance', '--reseller', account, '--seconds', seconds])
  const show = (whose: string) => run(['clock', 'show', '--reseller', whose])
  expect(await show(account)).toEqual({ code: 0, document: { account, advanced_seconds: 0 } })
  expect(await advance('300')).toEqual({ code: 0, document: { account, advanced_seconds: 300 } })
  expect(await advance('31536000')).toEqual({ code: 0, document: { account, advanced_seconds: 31_536_300 } })
  expect(await show(account)).toEqual({ code: 0, document: { account, advanced_seconds: 31_536_300 } })
  expect(await show(other)).toEqual({ code: 0, document: { account: other, advanced_seconds: 0 } })
})

it.each(['0', '-5', '1.5', '31536001', 'soon'])('refuses to advance by %s', async (seconds) => {
  const ran = await run(['clock', 'advance', '--reseller', other, `--seconds=${seconds}`])
  expect(ran).toMatchObject({
    code: 1,
    document: { error: { fields: { seconds: [expect.stringContaining('31536000')] } } },
  })
  const { document } = await run(['clock', 'show', '--reseller', other])
  expect(document.advanced_seconds).toBe(0)
})

it('is refused in production, before anything is looked at', async () => {
  const production = {
    ...env,
    WARUNG_ENV: 'production',
    WARUNG_TRUST_PROXY: 'none',
    WARUNG_PUBLIC_URL: 'https://api.example.com',
    WARUNG_DASHBOARD_URL: 'https://dashboard.example.com',
  }
  for (const command of [
    ['clock', 'show', '--reseller', other],
    ['clock', 'advance', '--reseller', other, '--seconds', '60'],
  ]) {
    const ran = await run(command, production)
    expect(ran).toMatchObject({ code: 1, document: { error: { code: 'staging_only' } } })
  }
})

it('knows no account that does not exist', async () => {
  const ran = await run(['clock', 'advance', '--reseller', '9999999', '--seconds', '60'])
  expect(ran.code).toBe(1)
})
