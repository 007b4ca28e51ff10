import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBalance } from '../clients.ts'
import { balanceOf } from '../edge.ts'
import { launch } from '../process.ts'
import type { TestDatabase } from '../service.ts'
import {
  createDatabase,
  environmentOf,
  makeDirectory,
  newMasterKey,
  runWarungd,
  stopServices,
  untilReady,
} from '../service.ts'

let database: TestDatabase
let dataDir: string
const masterKey = newMasterKey()
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  database = await createDatabase({ schema: 'none' })
  dataDir = await makeDirectory()
  environment = environmentOf({ database, masterKey }, dataDir)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

async function ask<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, stdout, ...printed } = await runWarungd(environment, [...args, '--json'])
  // Money commands print their reference before they post.
  const stderr = printed.stderr.replace(/^reference: \S+\n/, '')
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

describe('warungd', () => {
  it('explains itself and its commands', async () => {
    const { code, stdout, stderr } = await runWarungd(environment, ['help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const names = [...stdout.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?) {2,}\S/gm)].map((match) => match[1] ?? '')
    expect(names).toEqual(expect.arrayContaining(['serve', 'migrate', 'deposit', 'key rotate', 'block lift']))
    for (const name of ['deposit', 'key rotate', 'master-key rotate']) {
      const help = await runWarungd(environment, [...name.split(' '), '--help'])
      expect(help).toMatchObject({ code: 0, stderr: '' })
      expect(help.stdout).toContain(`Usage: warungd ${name}`)
      expect(help.stdout).toContain('--json')
    }
  })

  it('ends with 2 and a word when it is called wrongly', async () => {
    for (const args of [[], ['dposit'], ['key'], ['config', '--nope'], ['config', 'stray']]) {
      const { code, stdout, stderr } = await runWarungd(environment, args)
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
      expect(stderr).toMatch(/^warungd: \S/)
    }
  })

  it('shows the settings in force and no secret', async () => {
    const secretUrl = 'postgres://warung:pass-word-1@db.example:5432/warung?sslpassword=pass-word-2'
    const next = newMasterKey()
    const secrets = { ...environment, DATABASE_URL: secretUrl, WARUNG_MASTER_KEY_NEXT: next }
    for (const form of [[], ['--json']]) {
      const { code, stdout, stderr } = await runWarungd(secrets, ['config', ...form])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain('db.example')
      for (const secret of ['pass-word-1', 'pass-word-2', masterKey, next])
        expect(stdout).not.toContain(secret)
    }
  })
})

describe('a database without a schema', () => {
  it('commands refuse and say what to do; they change no schema by themselves', async () => {
    const { code, stderr } = await runWarungd(environment, ['reseller', 'list'])
    expect(code).toBe(1)
    expect(stderr).toContain('warungd migrate')
    const { rows } = await database.query(`select 1 from pg_tables where schemaname = current_schema()`)
    expect(rows).toEqual([])
  })

  it('migrate applies what is pending, once, also when many run at the same time', async () => {
    const { pending } = await ask<{ pending: { number: number; name: string }[] }>('migrate', '--dry-run')
    expect(pending[0]).toEqual({ number: 1, name: 'db' })
    const runs = await Promise.all([ask('migrate'), ask('migrate'), ask('migrate')])
    const applied = runs.flatMap((run) => run.applied as object[])
    expect(applied).toHaveLength(pending.length)
    expect(applied).toEqual(expect.arrayContaining(pending))
    expect(await ask('migrate', '--dry-run')).toEqual({ pending: [] })
    expect(await ask('reseller', 'list')).toEqual({ resellers: [] })
  })

  it('neither commands nor the service touch a schema newer than they know', async () => {
    await database.query(
      `insert into schema_migrations (number, name, checksum) values (9000, 'from_the_future', 'x')`,
    )
    const { code, stderr } = await runWarungd(environment, ['reseller', 'list'])
    expect(code).toBe(1)
    expect(stderr).toContain('from_the_future')
    const started = launch(environment)
    expect((await started.ended).code).toBe(1)
    expect(started.output()).toContain('from_the_future')
    await database.query('delete from schema_migrations where number = 9000')
  })
})

describe('commands without a running service', () => {
  it('an operator prepares everything, and the service finds it', async () => {
    const reseller = await ask<{ account: string }>(
      ...['reseller', 'create', '--name', 'Kedai Awal', '--email', 'awal@example.com'],
    )
    const account = ['--reseller', reseller.account]
    const key = await ask<{ key: string; signing_secret: string }>('key', 'create', ...account)
    await ask('deposit', ...account, '--amount', '12.5', '--remarks', 'Opening')
    const started = launch(environment)
    const baseUrl = await untilReady(started)
    const credentials = { apiKey: key.key, secretBase64: key.signing_secret }
    expect(await readBalance({ baseUrl }, credentials)).toBe(12.5)
    expect((await balanceOf({ baseUrl }, credentials)).json()).toMatchObject({ data: { name: 'Kedai Awal' } })
    // A database that has resellers gets no demo.
    expect(started.output()).not.toContain('Demo credentials')
    started.signal('SIGTERM')
    expect(await started.ended).toEqual({ code: 0, signal: null })
  })
})
