import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandLine } from '../testing/command-line.ts'
import { openCommandLine, withoutReference } from '../testing/command-line.ts'
import type { TestDatabase } from '../testing/database.ts'

let line: CommandLine
let test: TestDatabase

beforeAll(async () => {
  line = await openCommandLine()
  test = line.test
})
afterAll(() => line.close())

async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const { code, out, err } = await line.run(...args)
  return { code, out: out + withoutReference(err) }
}

async function ask<T = Record<string, unknown>>(...args: string[]): Promise<T & { code: number }> {
  const { code, out } = await run('audit', ...args, '--json')
  return { ...JSON.parse(out), code }
}

describe('a command that moves money or gives rights', () => {
  const of = async (...args: string[]) => {
    const { code, out } = await run(...args, '--json')
    expect(code, out).toBe(0)
    return JSON.parse(out) as Record<string, string>
  }
  const rowsOf = async (target: string) => {
    const { records } = await ask<{ records: Record<string, unknown>[] }>('list', '--target', target)
    return records.reverse()
  }

  it('writes down who at the machine did what, once, and none of the secrets', async () => {
    const opened = await of('reseller', 'create', '--name', 'Kedai', '--email', 'k@example.com')
    const account = opened.account ?? ''
    const reseller = ['--reseller', account]
    const paid = [
      ...reseller,
      '--amount',
      '50',
      '--remarks',
      'Bank transfer 4711',
      '--reference',
      'bank-4711',
    ]
    await of('deposit', ...paid)
    await of('deposit', ...paid)
    await of('adjust', ...reseller, '--amount=-12.50', '--remarks', 'Bank charges')
    await of('reseller', 'suspend', ...reseller)
    await of('allowlist', 'add', ...reseller, '--network', '203.0.113.0/24')
    const key = await of('key', 'create', ...reseller)
    await of('key', 'revoke', ...reseller, '--key', key.key ?? '')
    const user = [...reseller, '--username', 'audited.user']
    const made = await of('user', 'create', ...user, '--role', 'admin')
    await of('user', 'role', ...user, '--role', 'viewer')

    const actor = { kind: 'command', name: userInfo().username, address: null }
    expect(await rowsOf(account)).toMatchObject([
      { action: 'reseller.create', actor, before: null },
      {
        action: 'deposit.post',
        actor,
        reason: 'Bank transfer 4711',
        before: { balance: '0.00' },
        after: { balance: '50.00' },
      },
      { action: 'adjustment.post', after: { balance: '37.50' } },
      { action: 'reseller.suspend', before: { status: 'active' }, after: { status: 'suspended' } },
      { action: 'allowlist.add', before: [], after: [{ network: '203.0.113.0/24' }] },
    ])
    expect(await rowsOf(`${account}/audited.user`)).toMatchObject([
      { action: 'user.create', before: null },
      { action: 'user.update', before: { role: 'admin' }, after: { role: 'viewer' } },
    ])
    const { rows } = await test.database.query<{ row: string }>(
      'select audit_log::text as row from audit_log',
    )
    const all = rows.map(({ row }) => row).join('\n')
    for (const secret of [key.signing_secret, key.key, made.password]) expect(all).not.toContain(secret)
    expect(all.match(/key\.(create|revoke)/g)).toHaveLength(2)
    expect((await ask('verify')).code).toBe(0)
  })

  it('a command that connects a provider or sends orders to it is there too, without the configuration', async () => {
    const provider = ['--code', 'shelf']
    await of('provider', 'add', ...provider, '--kind', 'stock')
    await of('provider', 'update', ...provider, '--name', 'Shelf')
    await of('provider', 'disable', ...provider)
    await of('route', 'set', '--product', '*', '--provider', 'shelf')
    await of('route', 'remove', '--product', '*', '--provider', 'shelf')
    expect(await rowsOf('shelf')).toMatchObject([
      { action: 'provider.add', before: null, after: { kind: 'stock', enabled: true } },
      {
        action: 'provider.update',
        before: { kind: 'stock', name: 'shelf', enabled: true },
        after: { name: 'Shelf', config_changed: false, credentials_replaced: [] },
      },
      { action: 'provider.disable', before: { name: 'Shelf', enabled: true }, after: { enabled: false } },
    ])
    expect(await rowsOf('*/shelf')).toMatchObject([
      { action: 'route.set', before: null },
      { action: 'route.remove', before: { provider: 'shelf' }, after: null },
    ])
  })

  it('a command that fails leaves no row', async () => {
    const opened = await of('reseller', 'create', '--name', 'Kedai', '--email', 'k@example.com')
    const account = opened.account ?? ''
    const taken = await run('adjust', '--reseller', account, '--amount=-1', '--remarks', 'too much')
    expect(taken.code).toBe(1)
    expect(await rowsOf(account)).toMatchObject([{ action: 'reseller.create' }])
  })

  it('lets operators in, and takes a lost second factor away', async () => {
    const email = ['--email', 'lost@example.com']
    const { password = '' } = await of('operator', 'create', ...email, '--name', 'Lost', '--role', 'finance')
    await test.database.query(
      `insert into second_factors (kind, reseller_id, person_id, sealed_secret, confirmed_at)
       select 'operator', 0, id, 'sealed', now() from operators where email = 'lost@example.com'`,
    )
    await of('operator', 'two-factor', 'remove', ...email)
    expect((await run('operator', 'two-factor', 'remove', ...email)).code).toBe(1)
    await of('operator', 'role', ...email, '--role', 'support')
    const rows = await rowsOf('lost@example.com')
    expect(rows).toMatchObject([
      { action: 'operator.create', actor: { kind: 'command' }, after: { role: 'finance' } },
      { action: 'two_factor.remove', before: { two_factor: true }, after: { two_factor: false } },
      { action: 'operator.update', before: { role: 'finance' }, after: { role: 'support' } },
    ])
    expect(JSON.stringify(rows)).not.toContain(password)
    const { rowCount } = await test.database.query(`select from second_factors where kind = 'operator'`)
    expect(rowCount).toBe(0)
  })
})
