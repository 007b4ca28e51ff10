import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../config.ts'
import { generateMasterKey } from '../lib/secrets/sealing.ts'
import { withoutReference } from '../testing/command-line.ts'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { loadAllCommands } from './commands/index.ts'
import { main } from './main.ts'

let test: TestDatabase
let dataDir: string
let env: Env

beforeAll(async () => {
  test = await openTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'warung-cli-'))
  env = {
    DATABASE_URL: test.url,
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: dataDir,
  }
})

afterAll(async () => {
  await test.close()
  await rm(dataDir, { recursive: true, force: true })
})

type Ran = { code: number; out: string; err: string }

async function run(args: readonly string[], options: { env?: Env; input?: string } = {}): Promise<Ran> {
  const ran = { code: -1, out: '', err: '' }
  ran.code = await main(
    args,
    {
      out: (text) => {
        ran.out += text
      },
      err: (text) => {
        ran.err += text
      },
      readInput: async () => options.input ?? '',
    },
    options.env ?? env,
  )
  return ran
}

type Document = Record<string, unknown>

/** Runs a command that must succeed, and reads its one JSON document. */
async function ask(...args: string[]): Promise<Document> {
  const { code, out, err } = await run([...args, '--json'])
  expect({ code, err: withoutReference(err) }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

async function refuse(...args: string[]): Promise<Document> {
  const { code, out } = await run([...args, '--json'])
  expect(code).toBe(1)
  return JSON.parse(out).error
}

async function makeReseller(): Promise<string> {
  const made = await ask('reseller', 'create', '--name', 'Kedai Perintah', '--email', 'p@example.com')
  return String(made.account)
}

describe('warungd', () => {
  it('explains itself and every command', async () => {
    const overview = await run(['help'])
    expect(overview.code).toBe(0)
    for (const command of await loadAllCommands()) {
      expect(overview.out).toContain(`  ${command.name} `)
      const help = await run([...command.name.split(' '), '--help'])
      expect(help.code).toBe(0)
      const places = new Map(command.places?.map(({ name, value }) => [name, value]))
      for (const option of Object.keys(command.options)) {
        expect(help.out).toContain(places.get(option) ?? `--${option}`)
      }
      expect(await run(['help', ...command.name.split(' ')])).toEqual(help)
    }
    expect((await run(['--version'])).out).toMatch(/^warungd \d+\.\d+\.\d+\n$/)
  })

  it('groups its commands by topic', async () => {
    const { out } = await run(['help'])
    const topics = out.match(/^[A-Z][a-z]+:$/gm)
    expect(topics).toEqual(
      'Accounts: Money: Payments: Catalogue: Suppliers: Events: Finance: People: Service:'.split(' '),
    )
  })

  it.each([
    [['paymnet', 'list'], 'Did you mean payment?'],
    [['payment', 'lsit'], 'Did you mean payment list?'],
    [['reseller', 'show', '--reseler', '1000'], 'Did you mean --reseller?'],
  ])('%j names its nearest neighbours', async (args, words) => {
    const { code, err } = await run(args)
    expect(code).toBe(2)
    expect(err).toContain(words)
  })

  it.each([
    [[]],
    [['fly']],
    [['reseller']],
    [['reseller', 'fly']],
    [['reseller', 'show']],
    [['reseller', 'show', '--reseller']],
    [['reseller', 'show', '--reseller', '1000', '--bogus']],
    [['reseller', 'show', '--reseller', '1000', 'stray']],
    [['reseller', 'show', '--reseller', '1000', '--reseller', '1001']],
    [['reseller', 'update', '--reseller', '1000']],
    [
      [
        'user',
        'create',
        '--reseller',
        '1000',
        '--username',
        'abc',
        '--role',
        'admin',
        '--password',
        'secret',
      ],
    ],
    [['settings', 'set', '--reseller', '1000', '--topup-requires-api-key', 'maybe']],
  ])('called as %j ends with 2 and a word on standard error', async (args) => {
    const { code, out, err } = await run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^warungd: .+\n$/)
    const json = await run([...args, '--json'])
    expect(json.code).toBe(2)
    expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'usage' } })
  })

  it('names every wrong setting at once', async () => {
    const wrong: Env = { WARUNG_ENV: 'production', WARUNG_PORT: 'x', WARUNG_RATE_LIMTI: '1' }
    const { code, err } = await run(['reseller', 'list'], { env: wrong })
    expect(code).toBe(1)
    for (const name of ['WARUNG_PORT', 'WARUNG_RATE_LIMTI', 'DATABASE_URL', 'WARUNG_MASTER_KEY']) {
      expect(err).toContain(`  ${name}: `)
    }
    const json = await run(['reseller', 'list', '--json'], { env: wrong })
    const { error } = JSON.parse(json.out)
    expect(error.code).toBe('configuration')
    expect(Object.keys(error.fields)).toContain('WARUNG_RATE_LIMTI')
  })

  it('shows the settings with secrets masked', async () => {
    const { out } = await run(['config'])
    expect(out).toContain('environment')
    expect(out).not.toContain(test.masterKey.bytes.toString('base64'))
  })

  it('says what it cannot reach, and ends with 1', async () => {
    const away = { ...env, DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' }
    const { code, err } = await run(['reseller', 'list'], { env: away })
    expect(code).toBe(1)
    expect(err).toContain('ECONNREFUSED')
  })

  it('applies migrations, and tells beforehand which', async () => {
    expect(await ask('migrate', '--dry-run')).toEqual({ pending: [] })
    expect(await ask('migrate')).toEqual({ applied: [] })
  })

  it('applies functions whose text is new, and tells beforehand which', async () => {
    await test.database.query(
      `delete from schema_functions where name ~ '^(event_id|wallets_kept on wallets)$'`,
    )
    const steps = [{ function: 'event_id' }, { trigger: 'wallets_kept on wallets' }]
    expect((await run(['migrate', '--dry-run'])).out).toContain(
      'function event_id\ntrigger wallets_kept on wallets',
    )
    const refused = await run(['reseller', 'list'])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('lacks 1 function and 1 trigger; run: warungd migrate')
    expect(await ask('migrate', '--dry-run')).toEqual({ pending: steps })
    expect(await ask('migrate')).toEqual({ applied: steps })
    expect(await ask('migrate', '--dry-run')).toEqual({ pending: [] })
  })
})

describe('warungd on accounts', () => {
  it('opens, shows, changes, suspends and lists resellers', async () => {
    const made = await ask('reseller', 'create', '--name', 'Kedai Satu', '--email', 's@example.com')
    const reseller = ['--reseller', String(made.account)]
    expect(made).toMatchObject({ price_level: 'STANDARD', access: 0, status: 'active' })
    expect(await ask('reseller', 'show', ...reseller)).toEqual(made)
    await ask('level', 'create', '--code', 'GOLD', '--name', 'Gold')
    expect(
      await ask('reseller', 'update', ...reseller, '--price-level', 'GOLD', '--access', '50'),
    ).toMatchObject({ name: 'Kedai Satu', price_level: 'GOLD', access: 50 })
    expect(await ask('reseller', 'update', ...reseller, '--duplicate-window-seconds', '60')).toMatchObject({
      access: 50,
      duplicate_window_seconds: 60,
    })
    expect(await ask('reseller', 'suspend', ...reseller)).toMatchObject({ status: 'suspended' })
    expect(await ask('reseller', 'activate', ...reseller)).toMatchObject({ status: 'active' })
    const { resellers } = (await ask('reseller', 'list', '--limit', '1000')) as { resellers: Document[] }
    expect(resellers.map((each) => each.account)).toContain(made.account)
    expect((await run(['reseller', 'show', ...reseller])).out).toMatch(/^account +\d{7}\nname +Kedai Satu\n/)
    expect(await ask('settings', 'set', ...reseller, '--topup-requires-api-key', 'on')).toEqual({
      account: made.account,
      topup_requires_api_key: true,
      duplicate_window_seconds: 60,
    })
    expect(await ask('settings', 'show', ...reseller)).toMatchObject({ topup_requires_api_key: true })
  })

  it('refuses bad values with every field, an unknown account and a taken number', async () => {
    const bad = ['--name', '', '--email', 'x', '--account', 'abc', '--access', '7', '--price-level', 'no']
    const refusal = await refuse('reseller', 'create', ...bad)
    expect(refusal.code).toBe('validation_failed')
    expect(Object.keys(refusal.fields as object).sort()).toEqual([
      'access',
      'account',
      'email',
      'name',
      'price_level',
    ])
    expect(await refuse('reseller', 'show', '--reseller', '0000')).toMatchObject({ code: 'not_found' })
    const account = await makeReseller()
    expect(
      await refuse('reseller', 'create', '--name', 'A', '--email', 'a@example.com', '--account', account),
    ).toMatchObject({ code: 'taken' })
    const human = await run(['reseller', 'list', '--limit', '0'])
    expect(human).toMatchObject({ code: 2, out: '' })
    expect(human.err).toContain('--limit: must be')
  })

  it('takes passwords from standard input or makes them, and shows only those it made', async () => {
    const user = ['--reseller', await makeReseller(), '--username', 'cli.user']
    const made = await ask('user', 'create', ...user, '--role', 'admin')
    expect(made.password).toMatch(/^[0-9A-Za-z]{24}$/)
    const given = await run(['user', 'password', ...user, '--password-stdin', '--json'], {
      input: 'typed by hand\n',
    })
    expect(JSON.parse(given.out)).not.toHaveProperty('password')
    expect(given.out).not.toContain('typed by hand')
    const short = await run(['user', 'password', ...user, '--password-stdin', '--json'], { input: 'short\n' })
    expect(short.code).toBe(1)
    expect(short.out).not.toContain('short')
    expect(await ask('user', 'role', ...user, '--role', 'viewer')).toMatchObject({ role: 'viewer' })
    expect(await ask('user', 'disable', ...user)).toMatchObject({ status: 'disabled' })
    expect(await ask('user', 'enable', ...user)).toMatchObject({ status: 'active' })
    const { users } = (await ask('user', 'list', ...user.slice(0, 2))) as { users: Document[] }
    expect(users.map((each) => each.username)).toEqual(['cli.user'])
  })

  it('keeps operators', async () => {
    const operator = ['--email', 'Op@Example.com']
    const made = await ask('operator', 'create', ...operator, '--name', 'Op', '--role', 'finance')
    expect(made).toMatchObject({ email: 'op@example.com', role: 'finance', password: expect.any(String) })
    expect(await ask('operator', 'role', ...operator, '--role', 'support')).toMatchObject({ role: 'support' })
    expect(await ask('operator', 'disable', ...operator)).toMatchObject({ status: 'disabled' })
    expect(await ask('operator', 'enable', ...operator)).toMatchObject({ status: 'active' })
    expect(await ask('operator', 'password', ...operator)).toHaveProperty('password')
    expect(JSON.stringify(await ask('operator', 'list'))).toContain('op@example.com')
    expect(await refuse('operator', 'role', ...operator, '--role', 'king')).toMatchObject({
      code: 'validation_failed',
    })
  })

  it('makes, rotates, lists and revokes API keys, and shows a secret once', async () => {
    const reseller = ['--reseller', await makeReseller()]
    const made = await ask(
      'key',
      'create',
      ...reseller,
      '--label',
      'till',
      '--scope',
      'read',
      '--scope',
      'pay',
    )
    expect(made).toMatchObject({ scopes: ['read', 'pay'], state: 'active', has_secret: true })
    const key = ['--key', String(made.key)]
    const fresh = await ask('key', 'rotate', ...reseller, ...key, '--grace-seconds', '60')
    expect(fresh.signing_secret).not.toBe(made.signing_secret)
    expect(await ask('key', 'revoke', ...reseller, ...key)).toMatchObject({ state: 'revoked' })
    const listed = JSON.stringify(await ask('key', 'list', ...reseller))
    expect(listed).toContain(String(fresh.key))
    expect(listed).not.toContain(String(fresh.signing_secret))
    expect(await ask('key', 'create', ...reseller, '--without-secret')).toMatchObject({
      has_secret: false,
      signing_secret: null,
    })
    expect(await refuse('key', 'create', ...reseller, '--scope', 'fly')).toMatchObject({
      fields: { scopes: [expect.any(String)] },
    })
    expect(await refuse('key', 'revoke', ...reseller, '--key', 'wk_stg_none')).toMatchObject({
      code: 'not_found',
    })
  })

  it('keeps the allowlist', async () => {
    const reseller = ['--reseller', await makeReseller()]
    const networksOf = (document: Document) =>
      (document.allowlist as { network: string }[]).map((entry) => entry.network)
    const added = await ask('allowlist', 'add', ...reseller, '--network', '10.1.2.3/8', '--network', '::1')
    expect(networksOf(added)).toEqual(['10.0.0.0/8', '::1'])
    expect(networksOf(await ask('allowlist', 'remove', ...reseller, '--network', '::1'))).toEqual([
      '10.0.0.0/8',
    ])
    expect(networksOf(await ask('allowlist', 'list', ...reseller))).toEqual(['10.0.0.0/8'])
    expect(await ask('allowlist', 'clear', ...reseller)).toEqual({ allowlist: [], removed: 1 })
  })

  it('deposits exactly what was said, and nothing that is no amount', async () => {
    const account = await makeReseller()
    const deposit = ['deposit', '--reseller', account, '--remarks', 'Cash', '--amount']
    expect(await ask(...deposit, '50')).toMatchObject({ account, sequence: 1, amount: 50, balance: 50 })
    expect(await ask(...deposit, '0.1234')).toMatchObject({ sequence: 2, amount: 0.1234, balance: 50.1234 })
    for (const amount of ['0', '0.00000', '1e3', '+5', ' 5', '1,000', 'abc', '1000000000.0001', '']) {
      expect(await refuse(...deposit, amount)).toMatchObject({ fields: { amount: [expect.any(String)] } })
    }
    expect(await refuse('deposit', '--reseller', account, '--amount', '1', '--remarks', '')).toMatchObject({
      fields: { remarks: [expect.any(String)] },
    })
    expect((await run([...deposit, '1000000000'])).out).toContain('balance     1000000050.1234')
  })
})

describe('warungd on keys of the vault', () => {
  it('changes no key while another process does', async () => {
    await test.database.withConnection(async (connection) => {
      await connection.query('select pg_advisory_lock(7714204)')
      for (const command of ['master-key', 'data-key']) {
        expect(await refuse(command, 'rotate')).toMatchObject({ message: expect.stringContaining('another') })
      }
      await connection.query('select pg_advisory_unlock(7714204)')
    })
  })

  it('needs the next master key where the present one is given, and says what to do with it', async () => {
    expect(await refuse('master-key', 'rotate')).toMatchObject({
      message: expect.stringContaining('WARUNG_MASTER_KEY_NEXT'),
    })
    const account = await makeReseller()
    const next = generateMasterKey()
    const both = { ...env, WARUNG_MASTER_KEY_NEXT: next.bytes.toString('base64') }
    const rotated = await run(['master-key', 'rotate'], { env: both })
    expect(rotated.code).toBe(0)
    expect(rotated.out).toContain('Wrapped 1 data key(s)')
    expect(rotated.out).toContain('into WARUNG_MASTER_KEY')
    expect((await run(['data-key', 'rotate'], { env: both })).code).toBe(0)

    const after = { ...env, WARUNG_MASTER_KEY: next.bytes.toString('base64') }
    expect((await run(['key', 'create', '--reseller', account], { env: after })).code).toBe(0)
    const before = await run(['reseller', 'list'])
    expect(before.code).toBe(1)
    expect(before.err).toContain('master key')
    env = after
  })
})
