import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listMails } from '../modules/alerts/mail/mail.service.ts'
import { openMail } from '../modules/alerts/mail/outbox.service.ts'
import type { CommandLine } from '../testing/command-line.ts'
import { openCommandLine } from '../testing/command-line.ts'

let line: CommandLine
let account: string
let key: string

beforeAll(async () => {
  line = await openCommandLine()
  account = (await run('reseller', 'create', '--name', 'Kedai', '--email', 'kedai@example.com')).account ?? ''
})
afterAll(() => line.close())

async function run(...args: string[]): Promise<Record<string, string>> {
  const { code, out, err } = await line.run(...args, '--json')
  expect(code, err).toBe(0)
  return JSON.parse(out)
}

/** Returns whom the newest mails told, with the text, oldest first. */
async function toldBy(...args: string[]): Promise<(readonly [string, string])[]> {
  const { database, vault } = line.test
  const before = (await listMails(database, { limit: 1_000, status: undefined })).length
  await run(...args)
  const mails = (await listMails(database, { limit: 1_000, status: undefined })).reverse().slice(before)
  return Promise.all(mails.map(async (mail) => [mail.recipient, (await openMail(vault, mail)).body] as const))
}

const addresses = (told: readonly (readonly [string, string])[]) => told.map(([address]) => address)
const ofReseller = (...more: string[]) => ['--reseller', account, ...more]

describe('access that is given at the machine', () => {
  it('tells a reseller without people and without money of a login that is not at its own address', async () => {
    expect(await toldBy('user', 'create', ...ofReseller('--username', 'own', '--role', 'viewer'))).toEqual([])
    const other = ['--username', 'boss', '--role', 'admin', '--email', 'boss@example.com']
    expect(addresses(await toldBy('user', 'create', ...ofReseller(...other)))).toEqual(['kedai@example.com'])
  })

  it.each([
    [
      'user create',
      ['--username', 'next', '--role', 'viewer'],
      'let next (kedai@example.com) into the portal',
    ],
    ['user password', ['--username', 'own'], 'give own'],
    ['user role', ['--username', 'own', '--role', 'admin'], 'have the role admin'],
    ['key create', [], 'make an API key'],
    ['reseller update', ['--email', 'new@example.com'], 'from kedai@example.com to new@example.com'],
  ])('%s tells the registered address and every admin, without a link', async (name, options, text) => {
    const told = await toldBy(...name.split(' '), ...ofReseller(...options))
    expect(addresses(told)).toEqual(['kedai@example.com', 'boss@example.com'])
    for (const [, body] of told) {
      expect(body).toContain(text)
      expect(body).toContain('at the machine')
      expect(body).not.toContain('wst_')
    }
  })

  it('tells of a user who is let in again and of a key that is replaced, and not of what is taken away', async () => {
    const own = ofReseller('--username', 'own')
    expect(await toldBy('user', 'disable', ...own)).toEqual([])
    expect(addresses(await toldBy('user', 'enable', ...own))).toContain('boss@example.com')
    expect(await toldBy('user', 'role', ...own, '--role', 'viewer')).toEqual([])
    key = (await run('key', 'create', ...ofReseller())).key ?? ''
    const rotated = await line.run('key', 'rotate', ...ofReseller('--key', key), '--json')
    key = JSON.parse(rotated.out).key
    expect(await toldBy('key', 'revoke', ...ofReseller('--key', key))).toEqual([])
    expect(await toldBy('reseller', 'update', ...ofReseller('--name', 'Kedai Baru'))).toEqual([])
  })

  it('tells the admins of the back office of another operator', async () => {
    const named = (email: string, role: string) => ['--email', email, '--name', 'Siti', '--role', role]
    expect(await toldBy('operator', 'create', ...named('first@example.com', 'admin'))).toEqual([])
    const second = await toldBy('operator', 'create', ...named('second@example.com', 'support'))
    expect(second).toEqual([['first@example.com', expect.stringContaining('as support')]])
    const wider = await toldBy('operator', 'role', '--email', 'second@example.com', '--role', 'admin')
    expect(addresses(wider)).toEqual(['first@example.com'])
    expect(await toldBy('operator', 'disable', '--email', 'second@example.com')).toEqual([])
  })
})
