import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import { generateMasterKey } from '../../../lib/secrets/sealing.ts'
import type { CommandLine } from '../../../testing/command-line.ts'
import { openCommandLine } from '../../../testing/command-line.ts'
import { judgeSelling } from '../../diagnosis.ts'
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
    // The disk is the machine's own.
    const isFull = of('disk')[0]?.state !== 'ok'
    expect({ code, state }).toEqual(isFull ? { code: 1, state: 'warn' } : { code: 0, state: 'ok' })
    const checks = [
      'settings',
      'proxy',
      'mail',
      'disk',
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

describe('what is sold', () => {
  const price = (unitPrice: bigint) => ({ discountType: 'percentage', unitPrice, currency: 'MYR' }) as const
  const level = {
    code: 'STANDARD',
    name: 'Standard',
    prices: new Map([
      ['NOVA', price(97_000_000n)],
      ['KERIS', price(97_000_000n)],
      ['LONELY', price(97_000_000n)],
    ]),
  }
  const route = (productCode: string, value: bigint | null) => ({
    productCode,
    cost: value === null ? null : ({ kind: 'percentage', value } as const),
  })
  const routes = [route('NOVA', 9_750n), route('KERIS', 9_800n), route('KERIS', 9_700n), route('GHOST', null)]
  const textOf = (check: string, hasFallback: boolean) =>
    judgeSelling([level], routes, hasFallback).find((each) => each.check === check)

  it('names prices without a route, unless somebody takes every product', () => {
    expect(textOf('routes', false)).toMatchObject({ state: 'warn', text: expect.stringMatching(/: LONELY$/) })
    expect(textOf('routes', true)).toMatchObject({ state: 'ok' })
  })

  it('names routes without a price', () => {
    expect(textOf('prices', true)).toMatchObject({ state: 'warn', text: expect.stringMatching(/: GHOST$/) })
  })

  it('names prices below the cheapest cost of their routes', () => {
    const found = textOf('below cost', true)
    expect(found).toMatchObject({ state: 'warn', text: expect.stringMatching(/: NOVA at STANDARD$/) })
  })
})
