import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Env } from './config.ts'
import { ConfigError, describeConfig, readConfig } from './config.ts'

const MASTER_KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64')
const PRODUCTION: Env = {
  WARUNG_ENV: 'production',
  WARUNG_MASTER_KEY: MASTER_KEY,
  WARUNG_PUBLIC_URL: 'https://api.example.com',
  WARUNG_DASHBOARD_URL: 'https://shop.example.com',
  WARUNG_TRUST_PROXY: 'none',
  DATABASE_URL: 'postgres://warung:hunter2@db.example.com:5432/warung',
}

function problemsOf(env: Env): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(([name, text]) => `${name}: ${text}`)
    throw error
  }
  return []
}

describe('the proxy in front', () => {
  it('must be named in production, or said not to be there', () => {
    const { WARUNG_TRUST_PROXY: _, ...unsaid } = PRODUCTION
    expect(problemsOf(unsaid)).toEqual([expect.stringMatching(/^WARUNG_TRUST_PROXY: .*or none/)])
    expect(problemsOf({ ...unsaid, WARUNG_TRUST_PROXY: ' NONE ' })).toEqual([])
    expect(readConfig({ ...unsaid, WARUNG_TRUST_PROXY: '127.0.0.1, ::1' }).trustProxy).toHaveLength(2)
    expect(problemsOf({ ...unsaid, WARUNG_TRUST_PROXY: 'none, 10.0.0.1' })).toHaveLength(1)
  })

  it('may be left out in staging', () => {
    expect(readConfig({}).trustProxy).toEqual([])
  })
})

describe('backups', () => {
  it('have no folder unless one is named, and an age in hours', () => {
    expect(readConfig({}).backup).toEqual({ dir: undefined, ageMaxMs: 26 * 3_600_000 })
    const named = readConfig({ WARUNG_BACKUP_DIR: '/var/backups/warung', WARUNG_BACKUP_MAX_AGE_HOURS: '2' })
    expect(named.backup).toEqual({ dir: '/var/backups/warung', ageMaxMs: 7_200_000 })
    expect(problemsOf({ WARUNG_BACKUP_MAX_AGE_HOURS: '0' })).toEqual([
      'WARUNG_BACKUP_MAX_AGE_HOURS: must be a whole number from 1 to 10000',
    ])
  })
})

describe('a password in DATABASE_URL', () => {
  it.each([
    'postgres://user:12/34secret@db.example.com/warung',
    'postgres://user:12#34secret@db.example.com/warung',
    'postgres://user:12?34secret@db.example.com/warung',
    'postgres://user:secret#1@db.example.com/warung',
    'postgres://user:sec/ret@db.example.com/warung',
    'postgres://user:secret@db.example.com/warung#secret',
  ])(
    'a password in DATABASE_URL that is not percent-encoded is refused, and no part of it is shown: %s',
    (url) => {
      const problems = problemsOf({ ...PRODUCTION, DATABASE_URL: url })
      expect(problems).toEqual([expect.stringMatching(/^DATABASE_URL: /)])
      expect(problems.join()).not.toMatch(/12|34|sec|ret|user:/)
    },
  )

  it('is never shown, wherever it stands', () => {
    const url =
      'postgres://user:s%2Fecret@db.example.com/warung?sslpassword=secret&sslkey=secret&sslmode=require'
    const shown = String(describeConfig(readConfig({ ...PRODUCTION, DATABASE_URL: url })).database)
    expect(shown).toContain('db.example.com/warung')
    expect(shown).toContain('sslmode=require')
    expect(shown).not.toContain('ecret')
  })
})

describe('the webhook for alerts', () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const given = (url: string, key = secret) => ({
    ...PRODUCTION,
    WARUNG_ALERT_WEBHOOK: url,
    WARUNG_ALERT_WEBHOOK_SECRET: key,
  })

  it('shows neither its path nor its secret', () => {
    const config = readConfig(given('https://hooks.example.com/services/T0/secret'))
    expect(config.alertWebhook).toEqual({ url: 'https://hooks.example.com/services/T0/secret', secret })
    expect(describeConfig(config).alert_webhook).toBe('https://hooks.example.com, signed')
  })

  it.each(['http://hooks.example.com/', 'https://user:pass@hooks.example.com/', 'hooks', 'ftp://x/'])(
    'is not %s',
    (url) => {
      expect(problemsOf(given(url))).toEqual([expect.stringMatching(/^WARUNG_ALERT_WEBHOOK:/)])
    },
  )

  it.each(['', 'whsec_', 'whsec_c2hvcnQ=', 'plain text', `whsec_${'!'.repeat(44)}`])(
    'does not sign with %s',
    (key) => {
      expect(problemsOf(given('https://hooks.example.com/', key))).toEqual([
        expect.stringMatching(/^WARUNG_ALERT_WEBHOOK_SECRET:/),
      ])
    },
  )
})

it('the metrics keep their port in production, and may move in staging alone', () => {
  expect(readConfig(PRODUCTION).metricsPort).toBe(9_464)
  expect(readConfig({ ...PRODUCTION, WARUNG_METRICS_PORT: '0' }).metricsPort).toBe(0)
  expect(readConfig({}).metricsPort).toBeUndefined()
})

describe('the collector of traces', () => {
  it('is none unless it is named, and is shown without its path', () => {
    expect(readConfig(PRODUCTION).traces).toBeUndefined()
    const url = 'http://127.0.0.1:4318/v1/traces'
    const config = readConfig({ ...PRODUCTION, WARUNG_TRACES_URL: url, WARUNG_TRACES_TO_SUPPLIERS: 'true' })
    expect(config.traces).toEqual({ url, oneIn: 10, toSuppliers: true })
    expect(describeConfig(config).traces).toBe('http://127.0.0.1:4318, one in 10, told to suppliers')
  })

  it.each(['collector', 'ftp://x/', 'http://user:pass@collector/v1/traces', 'http://collector/#a'])(
    'is not %s',
    (url) => {
      const env = { ...PRODUCTION, WARUNG_TRACES_URL: url }
      expect(problemsOf(env)).toEqual([expect.stringMatching(/^WARUNG_TRACES_URL: must be an http/)])
    },
  )

  it.each(['0', '1000001', '0.1', 'all'])('keeps not one in %s traces', (oneIn) => {
    const env = { ...PRODUCTION, WARUNG_TRACES_ONE_IN: oneIn }
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^WARUNG_TRACES_ONE_IN: /)])
  })
})

describe('a master key', () => {
  it.each([
    ['zeros', Buffer.alloc(32)],
    ['one byte repeated', Buffer.alloc(32, 0xa5)],
    ['a short pattern', Buffer.alloc(32, 'warung!')],
    ['hexadecimal text', Buffer.from('00112233445566778899aabbccddeeff')],
  ])('a master key that is %s is refused', (_, bytes) => {
    const env = { ...PRODUCTION, WARUNG_MASTER_KEY: bytes.toString('base64') }
    expect(problemsOf(env)).toContainEqual(expect.stringMatching(/^WARUNG_MASTER_KEY: is not random/))
  })

  it('a master key that was drawn at random is taken', () => {
    for (let count = 0; count < 1_000; count += 1) {
      const env = { ...PRODUCTION, WARUNG_MASTER_KEY: randomBytes(32).toString('base64') }
      expect(problemsOf(env)).toEqual([])
    }
  })
})

describe('configuration', () => {
  it('needs nothing at all for a demo', () => {
    expect(readConfig({})).toMatchObject({
      environment: 'staging',
      port: 3000,
      database: { kind: 'embedded' },
      masterKey: { kind: 'file' },
      rateLimit: 30_000,
      rateBlockMinutes: 240,
      requestTimeoutMs: 29_000,
    })
  })

  it('reports every problem at once, each with its variable', () => {
    const problems = problemsOf({
      WARUNG_PORT: '99999',
      WARUNG_RATE_LIMIT: 'many',
      WARUNG_TRUST_PROXY: '10.0.0.0/8, nonsense',
      WARUNG_MASTER_KEY: 'short',
      WARUNG_LOG_LEVEL: 'loud',
      WARUNG_PROT: '3000',
    })
    for (const name of [
      'WARUNG_PORT',
      'WARUNG_RATE_LIMIT',
      'WARUNG_TRUST_PROXY',
      'WARUNG_MASTER_KEY',
      'WARUNG_LOG_LEVEL',
      'WARUNG_PROT',
    ]) {
      expect(problems.filter((problem) => problem.startsWith(`${name}:`))).toHaveLength(1)
    }
    expect(problems).toHaveLength(6)
  })

  it('leaves the variables of the integrators’ command alone: its shell can start a service too', () => {
    const readme = readFileSync(new URL('../../cli/README.md', import.meta.url), 'utf8')
    const names = new Set(readme.match(/WARUNG_[A-Z_]+/g))
    expect(names.size).toBeGreaterThan(3)
    expect(problemsOf(Object.fromEntries([...names].map((name) => [name, 'x'])))).toEqual([])
  })

  it('production starts with a master key, a database and public addresses', () => {
    expect(problemsOf(PRODUCTION)).toEqual([])
  })

  it.each([
    ['WARUNG_MASTER_KEY', undefined],
    ['WARUNG_PUBLIC_URL', undefined],
    ['WARUNG_PUBLIC_URL', 'http://api.example.com'],
    ['WARUNG_DASHBOARD_URL', undefined],
    ['DATABASE_URL', undefined],
  ])('production refuses to start with %s = %s', (name, value) => {
    const problems = problemsOf({ ...PRODUCTION, [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name}:`))
  })

  it('a failpoint is a place and a count; production refuses to crash on purpose', () => {
    const failpoint = (text: string) => readConfig({ WARUNG_FAILPOINT: text }).failpoint
    expect(readConfig({}).failpoint).toBeUndefined()
    expect(failpoint('intake.committed')).toEqual({ name: 'intake.committed', times: 1, action: 'kill' })
    expect(failpoint('refund.before:3')).toEqual({ name: 'refund.before', times: 3, action: 'kill' })
    expect(failpoint('dispatch.before:2:stop')).toEqual({ name: 'dispatch.before', times: 2, action: 'stop' })
    for (const wrong of ['nowhere', 'intake.before:0', 'intake.before:x', 'intake.before:-1']) {
      expect(problemsOf({ WARUNG_FAILPOINT: wrong })[0]).toMatch(/^WARUNG_FAILPOINT:/)
    }
    expect(problemsOf({ ...PRODUCTION, WARUNG_FAILPOINT: 'intake.before' })).toEqual([
      expect.stringMatching(/^WARUNG_FAILPOINT:.*production/),
    ])
  })

  it('local work may open addresses and trust an authority of its own; production refuses to start with either', () => {
    const authority = fileURLToPath(new URL('./testing/tls/ca.pem', import.meta.url))
    expect(readConfig({}).outbound).toEqual({ allow: [], authority: undefined, nameServers: undefined })
    const given = { WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8, ::1', WARUNG_OUTBOUND_CA: authority }
    expect(describeConfig(readConfig(given))).toMatchObject({
      outbound_allow: '127.0.0.0/8, ::1',
      outbound_ca: authority,
    })
    expect(readConfig(given).outbound.authority?.pem).toContain('BEGIN CERTIFICATE')
    for (const wrong of ['/no/such/file.pem', fileURLToPath(import.meta.url)]) {
      expect(problemsOf({ WARUNG_OUTBOUND_CA: wrong })).toEqual([
        expect.stringMatching(/^WARUNG_OUTBOUND_CA:/),
      ])
    }
    expect(problemsOf({ ...PRODUCTION, ...given })).toEqual([
      expect.stringMatching(/^WARUNG_OUTBOUND_ALLOW:.*production/),
      expect.stringMatching(/^WARUNG_OUTBOUND_CA:.*production/),
    ])
  })

  it('name servers are addresses, with a port where it is not the usual one', () => {
    const given = { WARUNG_DNS_SERVERS: '127.0.0.1:5353, 9.9.9.9,[::1]:53 , 2620:fe::fe' }
    expect(readConfig(given).outbound.nameServers).toEqual([
      '127.0.0.1:5353',
      '9.9.9.9',
      '[::1]:53',
      '2620:fe::fe',
    ])
    expect(problemsOf({ ...PRODUCTION, ...given })).toEqual([])
    for (const wrong of ['dns.example.com', '127.0.0.1:0', '127.0.0.1:65536', '[127.0.0.1]:53', '::1:x']) {
      expect(problemsOf({ WARUNG_DNS_SERVERS: wrong })).toEqual([
        expect.stringMatching(/^WARUNG_DNS_SERVERS:/),
      ])
    }
  })

  it('mail needs an address to come from, and its password is never shown', () => {
    const WARUNG_SMTP_URL = 'smtps://warung:hunter3@smtp.example.com:465'
    const given = { WARUNG_SMTP_URL, WARUNG_MAIL_FROM: 'Warung <mail@example.com>' }
    expect(readConfig(given).mail).toEqual({
      smtpUrl: WARUNG_SMTP_URL,
      sender: { name: 'Warung', address: 'mail@example.com' },
    })
    expect(describeConfig(readConfig(given))).toMatchObject({
      mail: 'smtps://warung:****@smtp.example.com:465',
      mail_from: 'Warung <mail@example.com>',
    })
    expect(readConfig({}).mail.smtpUrl).toBeUndefined()
    expect(problemsOf(PRODUCTION)).toEqual([])
    expect(problemsOf({ WARUNG_SMTP_URL })).toEqual([expect.stringMatching(/^WARUNG_MAIL_FROM:/)])
    const wrongSender = { ...given, WARUNG_MAIL_FROM: 'Warung <mail@example.com>\r\nBcc: a@b.c' }
    expect(problemsOf(wrongSender)).toEqual([expect.stringMatching(/^WARUNG_MAIL_FROM:/)])
  })

  it.each([
    'smtp.example.com',
    'https://smtp.example.com',
    'smtp://',
    'smtp://host/path',
    'smtps://host?tls.rejectUnauthorized=false',
    'smtp://user:%zz@host',
  ])('%s is no mail server', (url) => {
    const problems = problemsOf({ WARUNG_SMTP_URL: url, WARUNG_MAIL_FROM: 'mail@example.com' })
    expect(problems).toEqual([expect.stringMatching(/^WARUNG_SMTP_URL:/)])
  })

  it('production takes the embedded database when that is an explicit wish', () => {
    expect(problemsOf({ ...PRODUCTION, DATABASE_URL: undefined, WARUNG_EMBEDDED: '1' })).toEqual([])
  })

  it('an external database needs a master key that its nodes share', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres://localhost/warung' })).toEqual([
      expect.stringMatching(/^WARUNG_MASTER_KEY:/),
    ])
  })

  it('production accepts for a while when it stops, so that a balancer notices; staging stops at once', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({ drainMs: 5_000, drainAnswersMs: 60_000 })
    expect(readConfig({})).toMatchObject({ drainMs: 0 })
    expect(readConfig({ ...PRODUCTION, WARUNG_DRAIN_SECONDS: '0' })).toMatchObject({ drainMs: 0 })
    expect(problemsOf({ WARUNG_DRAIN_SECONDS: '301', WARUNG_DRAIN_ANSWERS_SECONDS: '-1' })).toEqual([
      'WARUNG_DRAIN_SECONDS: must be a whole number from 0 to 300',
      'WARUNG_DRAIN_ANSWERS_SECONDS: must be a whole number from 0 to 1800',
    ])
  })

  it('a standby belongs to a database that is named, and its password is never shown', () => {
    const readUrl = 'postgres://warung:hunter2@standby.example.com/warung'
    const config = readConfig({ ...PRODUCTION, DATABASE_READ_URL: readUrl })
    expect(config.database).toMatchObject({ kind: 'external', readUrl })
    expect(JSON.stringify(describeConfig(config))).toContain('standby.example.com')
    expect(JSON.stringify(describeConfig(config))).not.toContain('hunter2')
    expect(problemsOf({ DATABASE_READ_URL: readUrl })).toEqual([
      'DATABASE_READ_URL: needs DATABASE_URL, whose standby it is',
    ])
  })

  it('a schema has a plain name, and stands in one place', () => {
    expect(readConfig({ WARUNG_SCHEMA: 'g2' }).schema).toBe('g2')
    expect(readConfig({}).schema).toBeUndefined()
    for (const name of ['Two', '2g', 'g_2', 'g-2', 'g2; drop', 'g'.repeat(25)]) {
      expect(problemsOf({ WARUNG_SCHEMA: name })).toEqual([expect.stringMatching(/^WARUNG_SCHEMA: must be/)])
    }
    const url = 'postgres://localhost/warung?options=-c%20search_path%3Dg1'
    expect(problemsOf({ ...PRODUCTION, DATABASE_URL: url, WARUNG_SCHEMA: 'g2' })).toEqual([
      'WARUNG_SCHEMA: the address of the database has a search_path: name the schema once',
    ])
  })

  it('the summary shows no password and no key', () => {
    const shown = JSON.stringify(describeConfig(readConfig(PRODUCTION)))
    expect(shown).not.toContain('hunter2')
    expect(shown).not.toContain(MASTER_KEY)
    expect(shown).toContain('db.example.com')
  })
})
