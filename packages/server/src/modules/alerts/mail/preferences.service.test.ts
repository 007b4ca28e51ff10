import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MailBench } from '../../../testing/events/mailing.ts'
import { openMailBench } from '../../../testing/events/mailing.ts'
import { updateUser } from '../../accounts/service.ts'
import type { MailKind } from './mail.types.ts'
import { MAIL_KINDS } from './mail.types.ts'
import {
  findMailLanguage,
  listAddressees,
  listRecipients,
  REGISTERED,
  rememberLanguage,
  switchMail,
} from './preferences.service.ts'

let bench: MailBench

beforeAll(async () => {
  bench = await openMailBench()
})
afterAll(() => bench.close())

async function shop() {
  const reseller = await bench.newReseller()
  const admin = await bench.newMember(reseller, 'admin', 'admin@example.com')
  const viewer = await bench.newMember(reseller, 'viewer', 'viewer@example.com')
  const recipients = async (kind: MailKind) =>
    (await listRecipients(bench.database, reseller, kind)).map(({ address }) => address)
  const turn = (userId: bigint, kind: string, isOn: boolean) =>
    switchMail(bench.database, reseller, userId, { kind, isOn })
  return { reseller, admin, viewer, recipients, turn }
}

describe('a recipient of mail', () => {
  it('is at first the registered address and admins, not viewers', async () => {
    const { recipients } = await shop()
    for (const kind of MAIL_KINDS) {
      expect(await recipients(kind), kind).toEqual(['registered@example.com', 'admin@example.com'])
    }
  })

  it('is switched per member and kind, and back', async () => {
    const { admin, viewer, recipients, turn } = await shop()
    await turn(admin.id, 'deposit', false)
    await turn(viewer.id, 'deposit', true)
    expect(await recipients('deposit')).toEqual(['registered@example.com', 'viewer@example.com'])
    expect(await recipients('case')).toEqual(['registered@example.com', 'admin@example.com'])
    await turn(admin.id, 'deposit', true)
    await turn(viewer.id, 'deposit', false)
    expect(await recipients('deposit')).toEqual(['registered@example.com', 'admin@example.com'])
  })

  it('mails about a low balance or a case always include the registered address; other mails may leave it out', async () => {
    const { recipients, turn } = await shop()
    for (const kind of ['balance.low', 'case'] as const) {
      await expect(turn(REGISTERED, kind, false)).rejects.toMatchObject({ status: 409, code: 'always_on' })
      expect(await recipients(kind)).toContain('registered@example.com')
    }
    for (const kind of ['deposit', 'delivery'] as const) {
      await turn(REGISTERED, kind, false)
      expect(await recipients(kind)).toEqual(['admin@example.com'])
    }
  })

  it('gets one mail at one address, however many members share it', async () => {
    const { reseller, recipients } = await shop()
    await bench.newMember(reseller, 'admin', 'Registered@Example.com')
    await bench.newMember(reseller, 'admin', 'ADMIN@example.com')
    expect(await recipients('deposit')).toEqual(['registered@example.com', 'admin@example.com'])
  })

  it('is no member who was disabled', async () => {
    const { reseller, admin, recipients } = await shop()
    await updateUser({ ...bench, environment: 'staging' }, reseller.id, admin.id, { status: 'disabled' })
    expect(await recipients('deposit')).toEqual(['registered@example.com'])
  })

  it('is decided by the kind of the mail', async () => {
    const { reseller, admin, turn } = await shop()
    await turn(admin.id, 'delivery', false)
    const data = { stream: 'balance', url: 'https://shop.example/hook', error: 'HTTP 500' }
    for (const kind of ['delivery.failed', 'endpoint.paused'] as const) {
      await bench.notify(reseller, kind, data)
    }
    await bench.notify(reseller, 'case', { number: 'C7', state: 'in_progress' })
    await bench.tell()
    const told = (await bench.mailsOf(reseller)).map(({ kind, recipient }) => [kind, recipient])
    expect(told.sort()).toEqual([
      ['case', 'admin@example.com'],
      ['case', 'registered@example.com'],
      ['delivery.failed', 'registered@example.com'],
      ['endpoint.paused', 'registered@example.com'],
    ])
  })
})

describe('a switch', () => {
  it('a switch of another account’s member, or of a kind that does not exist, is refused', async () => {
    const [mine, other] = [await shop(), await shop()]
    await expect(mine.turn(other.admin.id, 'deposit', false)).rejects.toMatchObject({ status: 404 })
    await expect(mine.turn(mine.admin.id, 'weather', false)).rejects.toMatchObject({ status: 400 })
  })

  it('shows who is told what afterwards', async () => {
    const { reseller, viewer, turn } = await shop()
    const shown = await turn(viewer.id, 'case', true)
    expect(shown).toEqual(await listAddressees(bench.database, reseller))
    expect(shown.at(-1)).toMatchObject({
      userId: viewer.id,
      role: 'viewer',
      isOn: { 'balance.low': false, deposit: false, delivery: false, case: true },
    })
  })
})

it("a mail is in the language that its reader chose, else in the owner's, else in English", async () => {
  const { reseller, admin, viewer } = await shop()
  const { database } = bench
  const languages = async () => (await listAddressees(database, reseller)).map(({ language }) => language)
  expect(await languages()).toEqual(['en', 'en', 'en'])
  await database.transaction((tx) => rememberLanguage(tx, reseller.id, viewer.id, 'zh'))
  expect(await languages()).toEqual(['en', 'en', 'zh'])
  await database.transaction((tx) => rememberLanguage(tx, reseller.id, admin.id, 'ta'))
  expect(await languages()).toEqual(['ta', 'ta', 'zh'])
  expect(await findMailLanguage(database, reseller.id, viewer.id)).toBe('zh')
  expect(await findMailLanguage(database, reseller.id, REGISTERED)).toBe('ta')
  expect(await listRecipients(database, reseller, 'deposit')).toEqual([
    { address: 'registered@example.com', language: 'ta' },
    { address: 'admin@example.com', language: 'ta' },
  ])
})
