import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { MailServer } from '../../../testing/events/mail-server.ts'
import { startMailServer } from '../../../testing/events/mail-server.ts'
import { main } from '../../main.ts'

let test: TestDatabase
let server: MailServer
let dataDir: string
let env: Env
let account: string

beforeAll(async () => {
  test = await openTestDatabase()
  server = await startMailServer()
  dataDir = await mkdtemp(join(tmpdir(), 'warung-mail-'))
  env = {
    DATABASE_URL: test.url,
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: dataDir,
  }
  const { document } = await run(['reseller', 'create', '--name', 'Kedai', '--email', 'k@example.com'])
  account = String(document.account)
})

afterAll(async () => {
  await test.close()
  await server.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function run(args: readonly string[], environment: Env = env) {
  let out = ''
  const io = {
    out: (text: string) => {
      out += text
    },
    err: () => {},
    readInput: async () => 'a long password',
  }
  const code = await main([...args, '--json'], io, environment)
  return { code, document: JSON.parse(out) as Record<string, unknown> }
}

it('a test mail goes to the mailbox, or to the mail server that is configured', async () => {
  expect(await run(['mail', 'test', '--to', 'one@example.com'])).toMatchObject({
    code: 0,
    document: { sent: true },
  })
  expect(server.received).toEqual([])
  const configured = { ...env, WARUNG_SMTP_URL: server.url, WARUNG_MAIL_FROM: 'Warung <mail@warung.example>' }
  expect(await run(['mail', 'test', '--to', 'two@example.com'], configured)).toMatchObject({ code: 0 })
  expect(server.received).toMatchObject([{ from: 'mail@warung.example', to: 'two@example.com' }])
  server.answerTo = () => 550
  expect(await run(['mail', 'test', '--to', 'three@example.com'], configured)).toMatchObject({
    code: 1,
    document: { sent: false, result: 'refused', reason: expect.stringContaining('550') },
  })
  expect(await run(['mail', 'list', '--status', 'sent'])).toMatchObject({
    document: { mails: [{ recipient: 'two@example.com' }, { recipient: 'one@example.com', status: 'sent' }] },
  })
  expect(await run(['mail', 'list', '--status', 'lost'])).toMatchObject({ code: 1 })
})

it('mail is switched per member and kind', async () => {
  await run([
    ...['user', 'create', '--reseller', account, '--username', 'siti', '--role', 'viewer'],
    ...['--email', 'siti@example.com', '--password-stdin'],
  ])
  const turn = (...options: string[]) => run(['mail', 'switch', '--reseller', account, ...options])
  expect(await turn('--user', 'siti', '--kind', 'deposit', '--to', 'on')).toMatchObject({ code: 0 })
  expect(await turn('--kind', 'delivery', '--to', 'off')).toMatchObject({ code: 0 })
  expect(await turn('--kind', 'balance.low', '--to', 'off')).toMatchObject({
    code: 1,
    document: { error: { code: 'always_on' } },
  })
  expect(await turn('--kind', 'case', '--to', 'sometimes')).toMatchObject({ code: 2 })
  const { document } = await run(['mail', 'preferences', '--reseller', account])
  expect(document.preferences).toEqual([
    {
      ...{ user: null, address: 'k@example.com', role: 'registered' },
      ...{ 'balance.low': 'on', deposit: 'on', delivery: 'off', case: 'on', schedule: 'on' },
    },
    {
      ...{ user: 'siti', address: 'siti@example.com', role: 'viewer' },
      ...{ 'balance.low': 'off', deposit: 'on', delivery: 'off', case: 'off', schedule: 'off' },
    },
  ])
})

it('thresholds are listed, added and removed', async () => {
  const threshold = (...words: string[]) => run(['threshold', ...words, '--reseller', account])
  await threshold('add', '--amount', '50')
  await threshold('add', '--amount', '200')
  const shown = (...amounts: string[]) => ({
    code: 0,
    document: { account, thresholds: amounts.map((amount) => ({ amount, set_at: expect.any(String) })) },
  })
  expect(await threshold('list')).toEqual(shown('200.00', '50.00'))
  expect(await threshold('remove', '--amount', '50.00')).toEqual(shown('200.00'))
  expect(await threshold('remove', '--amount', '50')).toMatchObject({ code: 1 })
  expect(await threshold('add', '--amount', '0.5')).toMatchObject({
    code: 1,
    document: { error: { fields: { amount: [expect.any(String)] } } },
  })
})
