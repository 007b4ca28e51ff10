import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import { generateMasterKey } from '../../../lib/secrets/sealing.ts'
import { applyBase } from '../../../modules/catalog/edit/base.service.ts'
import { BASE } from '../../../testing/catalog/catalog-store.ts'
import type { CommandLine } from '../../../testing/command-line.ts'
import { openCommandLine } from '../../../testing/command-line.ts'
import { checkClock, judgeServer } from '../../diagnosis.ts'
import { main } from '../../main.ts'

type Line = { state: string; check: string; text: string; remedy: string }

let line: CommandLine

beforeAll(async () => {
  line = await openCommandLine()
})
afterAll(() => line.close())

async function examine(
  changes: Env = {},
): Promise<{ code: number; state: string; of: (check: string) => Line[] }> {
  let out = ''
  const io = {
    out: (text: string) => {
      out += text
    },
    err: () => {},
    readInput: async () => '',
  }
  const code = await main(['doctor', '--json'], io, { ...line.env, ...changes })
  const { state, checks } = JSON.parse(out) as { state: string; checks: Line[] }
  return { code, state, of: (check) => checks.filter((each) => each.check === check) }
}

const PRODUCTION: Env = {
  WARUNG_ENV: 'production',
  WARUNG_PUBLIC_URL: 'https://api.example.com',
  WARUNG_DASHBOARD_URL: 'https://shop.example.com',
  WARUNG_TRUST_PROXY: 'none',
  WARUNG_SMTP_URL: 'smtps://mail.example.com:465',
  WARUNG_MAIL_FROM: 'mail@example.com',
}

describe('doctor', () => {
  it('ends with 0 where all is well, and has looked at everything', async () => {
    const { code, state, of } = await examine()
    // The check of the disk looks at this machine's disk, which may be full.
    const isFull = of('disk')[0]?.state !== 'ok'
    expect({ code, state }).toEqual(isFull ? { code: 1, state: 'warn' } : { code: 0, state: 'ok' })
    const checks = [
      'settings',
      'proxy',
      'mail',
      'disk',
      'backup',
      'database',
      'clock',
      'migrations',
      'master key',
      'routes',
      'below cost',
    ]
    for (const check of checks) expect(of(check), check).toHaveLength(1)
  })

  it('says what is wrong with the settings, ends with 2, and asks no database', async () => {
    const { code, of } = await examine({ WARUNG_PORT: 'no', WARUNG_LOG_LEVEL: 'loud' })
    expect(code).toBe(2)
    expect(of('settings').map(({ text }) => text.split(':')[0])).toEqual(['WARUNG_PORT', 'WARUNG_LOG_LEVEL'])
    expect(of('database')).toEqual([])
  })

  it('works while the database is down, and still looks at the rest', async () => {
    const { code, of } = await examine({ DATABASE_URL: 'postgres://u:hidden-word@127.0.0.1:1/none' })
    expect(code).toBe(2)
    expect(of('database')).toMatchObject([{ state: 'fail', remedy: expect.stringContaining('DATABASE_URL') }])
    expect(JSON.stringify(of('database'))).not.toContain('hidden-word')
    expect(of('disk')).toHaveLength(1)
  })

  it('refuses an old server, and a database that does not keep every script', () => {
    const judge = (version: number, encoding: string) => judgeServer({ version, encoding }, 'here')
    expect(judge(170_005, 'UTF8')).toMatchObject({ state: 'ok', text: 'PostgreSQL 17.5: here' })
    expect(judge(140_011, 'UTF8')).toMatchObject({ state: 'fail', remedy: expect.stringContaining('15') })
    expect(judge(170_005, 'SQL_ASCII')).toMatchObject({
      ...{
        state: 'fail',
        text: expect.stringContaining('SQL_ASCII'),
        remedy: expect.stringContaining("'UTF8'"),
      },
    })
  })

  it('finds functions that are not applied, and says which ones a newer version has replaced', async () => {
    const { database } = line.test
    await database.query(`delete from schema_functions where name = 'event_id'`)
    expect((await examine()).of('migrations')).toMatchObject([
      { state: 'fail', text: 'not applied: 1 function', remedy: 'Run: warungd migrate' },
    ])
    await line.run('migrate')
    await database.query(
      `insert into schema_functions (kind, name, checksum) values ('function', 'retry_at', 'of a newer text')`,
    )
    const [found] = (await examine()).of('migrations')
    expect(found).toMatchObject({ state: 'ok', text: expect.stringContaining('function retry_at') })
    await database.query(`delete from schema_functions where checksum = 'of a newer text'`)
  })

  it('finds a master key that does not open the vault', async () => {
    const { code, of } = await examine({ WARUNG_MASTER_KEY: generateMasterKey().bytes.toString('base64') })
    expect(code).toBe(2)
    expect(of('master key')).toMatchObject([{ state: 'fail' }])
  })

  it('warns of operators without a second factor and of mails that wait in production', async () => {
    const { of } = await examine({
      ...PRODUCTION,
      WARUNG_SMTP_URL: undefined,
      WARUNG_MAIL_FROM: undefined,
      WARUNG_OPERATOR_SECOND_FACTOR: 'optional',
    })
    expect(of('mail')).toMatchObject([{ state: 'warn' }])
    expect(of('second factor')).toMatchObject([{ state: 'warn' }])
  })
})

describe('the check of an example file that nobody has changed', () => {
  const ours = {
    ...PRODUCTION,
    WARUNG_PUBLIC_URL: 'https://api.kedai.my',
    WARUNG_DASHBOARD_URL: 'https://kedai.my',
    WARUNG_SMTP_URL: 'smtp://127.0.0.1:25',
    WARUNG_MAIL_FROM: 'mail@localhost',
  }

  it('names every setting that is still as in the example, and fails in production', async () => {
    const { code, of } = await examine({ ...PRODUCTION, WARUNG_ISSUER: 'Your Company Sdn Bhd' })
    expect(code).toBe(2)
    expect(of('example')).toMatchObject([
      {
        state: 'fail',
        text:
          'still as in an example file: WARUNG_PUBLIC_URL, WARUNG_DASHBOARD_URL, WARUNG_SMTP_URL, ' +
          'WARUNG_MAIL_FROM, WARUNG_ISSUER',
      },
    ])
  })

  it('warns in staging, and finds nothing in settings of our own', async () => {
    const staging = await examine({ WARUNG_PUBLIC_URL: 'https://api.example.com' })
    expect(staging.of('example')).toMatchObject([{ state: 'warn' }])
    expect((await examine(ours)).of('example')).toEqual([])
  })

  it('finds a mail server and a sender that no name server knows', async () => {
    const mail = { WARUNG_SMTP_URL: 'smtp://mail.invalid:25', WARUNG_MAIL_FROM: 'warung@sender.invalid' }
    expect((await examine({ ...ours, ...mail })).of('mail names')).toMatchObject([
      {
        state: 'warn',
        text: 'these names are not found: WARUNG_SMTP_URL: mail.invalid, WARUNG_MAIL_FROM: sender.invalid',
      },
    ])
  })
})

describe('the check of the standby', () => {
  it('is not made where none is named', async () => {
    expect((await examine()).of('standby')).toEqual([])
  })

  it.each([
    ['a server that is none', () => line.test.url, 'it is no standby'],
    [
      'a server that does not answer',
      () => 'postgres://u:hidden-word@127.0.0.1:1/none',
      'it cannot be asked',
    ],
  ])('warns of %s, and nothing fails: the primary answers', async (_, url, text) => {
    const { code, of } = await examine({ DATABASE_READ_URL: url() })
    expect(code).toBe(1)
    expect(of('standby')).toMatchObject([
      { state: 'warn', remedy: expect.stringContaining('DATABASE_READ_URL') },
    ])
    expect(of('standby')[0]?.text).toContain(text)
    expect(of('standby')[0]?.text).toContain('the primary answers all reads')
    expect(JSON.stringify(of('standby'))).not.toContain('hidden-word')
  })
})

describe('the check of backups', () => {
  it('warns of production without a folder, and of a folder without a backup', async () => {
    expect((await examine(PRODUCTION)).of('backup')).toMatchObject([{ state: 'warn' }])
    const { of } = await examine({ WARUNG_BACKUP_DIR: line.folder })
    expect(of('backup')).toMatchObject([{ state: 'warn', remedy: expect.stringContaining('pgBackRest') }])
    expect(of('backup log')).toMatchObject([
      { state: 'warn', text: 'never archived', remedy: expect.stringContaining('archive_command') },
    ])
  })

  it('fails while a restore waits to be accepted', async () => {
    expect((await examine()).of('restore')).toEqual([])
    const to = ['--to', '2026-01-01T00:00:00Z']
    expect((await line.run('restore', 'mark', ...to, '--reason', 'a snapshot')).code).toBe(0)
    const { code, of } = await examine()
    expect(code).toBe(2)
    expect(of('restore')).toMatchObject([{ state: 'fail', text: expect.stringContaining('2026-01-01') }])
    expect((await line.run('restore', 'accept', '--reason', 'compared')).code).toBe(0)
    expect((await examine()).of('restore')).toEqual([])
  })
})

describe('the check of products', () => {
  const warns = (text: RegExp) => [{ state: 'warn', text: expect.stringMatching(text) }]

  beforeAll(async () => {
    const { database } = line.test
    await applyBase(database, BASE, 'seed')
    for (const code of ['shelf', 'other'])
      await line.run('provider', 'add', '--code', code, '--kind', 'stock')
  })

  it('names prices without a route in production, and none in staging, where all are fulfilled', async () => {
    expect((await examine()).of('routes')).toMatchObject([{ state: 'ok' }])
    expect((await examine(PRODUCTION)).of('routes')).toMatchObject(warns(/no route: .*NOVA/))
  })

  it('names routes without a price', async () => {
    const none = ['catalog', 'price', '--product', 'KITA', '--none', '--level']
    for (const level of ['STANDARD', 'GOLD']) await line.run(...none, level)
    await line.run('route', 'set', '--product', 'KITA', '--provider', 'shelf')
    expect((await examine()).of('prices')).toMatchObject(warns(/: KITA$/))
  })

  it.each([
    ['of its own', 'NOVA', '99.5%'],
    ['for an amount per order', 'NOVA', '29.90'],
    ['of every product without one', '*', '99.5%'],
  ])('names prices below the cost of a route %s', async (_, product, cost) => {
    const set = ['route', 'set', '--product', product, '--provider', 'other', '--cost', cost]
    const figure = /--accept-loss (\S+?)\.?\n/.exec((await line.run(...set)).err)?.[1] ?? ''
    const saved = await line.run(...set, '--accept-loss', figure)
    expect(saved, saved.err).toMatchObject({ code: 0 })
    expect((await examine()).of('below cost')).toMatchObject(warns(/cost: .*NOVA/))
    const remove = ['route', 'remove', '--product', product, '--provider', 'other', '--to-any']
    expect((await line.run(...remove, '--accept-loss', '0')).code).toBe(0)
    expect((await examine()).of('below cost')).toMatchObject([{ state: 'ok' }])
  })
})

describe('the check of the surroundings', () => {
  it('warns of a service that every address reaches and that trusts no proxy', async () => {
    expect((await examine({ WARUNG_HOST: '0.0.0.0' })).of('proxy')).toMatchObject([{ state: 'warn' }])
    expect((await examine({ WARUNG_HOST: '127.0.0.1' })).of('proxy')).toMatchObject([{ state: 'ok' }])
  })

  it.each([
    [0, 'ok'],
    [-999, 'ok'],
    [1_001, 'warn'],
    [-5_000, 'warn'],
    [31_000, 'fail'],
    [-31_000, 'fail'],
  ] as const)('judges clocks that differ by %d ms as %s, with what to do', (differenceMs, state) => {
    const found = checkClock(differenceMs)
    expect(found.state).toBe(state)
    expect(found.remedy === '').toBe(state === 'ok')
  })

  it('fails where migrations are not applied', async () => {
    const { database } = line.test
    const { rows } = await database.query<{ row: object }>(
      'delete from schema_migrations where ctid = (select max(ctid) from schema_migrations) returning to_jsonb(schema_migrations) as row',
    )
    try {
      const { code, of } = await examine()
      expect(code).toBe(2)
      expect(of('migrations')).toMatchObject([{ state: 'fail', remedy: expect.stringContaining('migrate') }])
    } finally {
      await database.query(
        'insert into schema_migrations select * from jsonb_populate_record(null::schema_migrations, $1)',
        [rows[0]?.row],
      )
    }
  })
})
