import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../http.ts'
import { readMailbox } from '../mail/mailbox.ts'
import type { Shop } from '../portal/members.ts'
import { dataOf, openShop } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import { call, signIn, signInOperator, trySignIn } from '../portal/people.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices, until } from '../service.ts'
import type { Person } from './operators.ts'
import { hireOperator, signInAs } from './operators.ts'

// One operator alone must not end with a login or a key of a reseller that has money, whichever operations they use.

let service: Service
let database: TestDatabase
let alone: Answer
let rogue: Person
let browser: Browser
let second: Browser
let shop: Shop
let account: string

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database, environment: { WARUNG_DEMO: 'accounts' } })
  const lone = await signInOperator(service)
  const helper = { email: mine(), name: 'First helper', role: 'support', reason: REASON }
  alone = await lone.send('POST', '/operators', helper)
  rogue = await hireOperator(service, 'admin')
  browser = await signIn(service, 'operator', rogue)
  second = await signInAs(service, 'finance')
  shop = await openShop(service, '150')
  account = shop.payer.account
})
afterAll(async () => {
  await stopServices()
  await database.drop()
})

type Approval = { id: string; kind: string; state: string; command: Record<string, string | null> }
type Send = (method: string, path: string, body: object) => Promise<Answer>

const REASON = 'they wrote to us'
const newName = () => `login-${randomBytes(5).toString('hex')}`
const mine = () => `${newName()}@rogue.example`

async function disable(username: string): Promise<void> {
  await service.warungd('user', 'disable', '--reseller', account, '--username', username)
}

async function newUser(role: 'admin' | 'viewer'): Promise<string> {
  const username = newName()
  const whose = ['--reseller', account, '--username', username, '--role', role]
  await service.warungd('user', 'create', ...whose, '--email', mine())
  return username
}

/** Doors to a login of the reseller, or to the address that is warned of one. */
const DOORS: Readonly<Record<string, (send: Send) => Promise<Answer>>> = {
  'a new admin': (send) =>
    send('POST', `/resellers/${account}/users`, { username: newName(), email: mine(), role: 'admin' }),
  'a new viewer': (send) =>
    send('POST', `/resellers/${account}/users`, { username: newName(), email: mine(), role: 'viewer' }),
  'a viewer who becomes an admin': async (send) => {
    const username = await newUser('viewer')
    return send('PATCH', `/resellers/${account}/users/${username}`, { role: 'admin' })
  },
  'a disabled admin who is let in again': async (send) => {
    const username = await newUser('admin')
    await disable(username)
    return send('PATCH', `/resellers/${account}/users/${username}`, { status: 'active' })
  },
  'another registered address': (send) => send('PATCH', `/resellers/${account}`, { email: mine() }),
  'a new operator': (send) => send('POST', '/operators', { email: mine(), name: 'Helper', role: 'finance' }),
  'an operator with more rights': async (send) => {
    const { email } = await hireOperator(service, 'support')
    const { data } = (await browser.get('/operators')).json<{ data: { id: string; email: string }[] }>()
    const id = data.find((each) => each.email === email)?.id
    return send('PATCH', `/operators/${id}`, { role: 'finance' })
  },
}

/** Returns everything by which somebody could act for the reseller or decide about it. */
async function access(): Promise<unknown> {
  const { rows } = await database.query(
    `select (select json_agg(row (u.username, u.role, u.status, u.email) order by u.id) from users u) as users,
            (select json_agg(row (o.email, o.role, o.status) order by o.id) from operators o) as operators,
            (select count(*) from api_keys) as keys,
            (select json_agg(row (r.account, r.email) order by r.id) from resellers r) as resellers`,
  )
  return rows
}

function byToken(token: string): Send {
  const headers = { Authorization: `Bearer ${token}` }
  return (method, path, body) => call(service, method, `/operator/v1${path}`, body, headers)
}

const withReason =
  (send: Send): Send =>
  (method, path, body) =>
    send(method, path, { ...body, reason: REASON })

describe.each(Object.keys(DOORS))('%s', (door) => {
  it('is asked for by one operator, and changes nothing until a second person approves', async () => {
    let before: unknown
    const answer = await DOORS[door]?.(async (method, path, body) => {
      before = await access()
      return withReason(browser.send)(method, path, body)
    })
    expect(answer?.status, answer?.text).toBe(202)
    const asked = dataOf<Approval>(answer as Answer)
    expect(asked).toMatchObject({ state: 'pending', requested_by: rogue.email, decision: null })
    // The same person in another session, and an operator whom that person could have made, are no second person.
    const again = await signIn(service, 'operator', rogue)
    for (const own of [browser, again]) {
      const approved = await own.send('POST', `/approvals/${asked.id}/approve`, { reason: 'mine' })
      expect([approved.status, approved.json()]).toMatchObject([403, { error: 'own_request' }])
    }
    expect(await access()).toEqual(before)
  })

  it('is not opened by a token', async () => {
    const made = await browser.send('POST', '/tokens', {
      label: 'script',
      role: 'admin',
      expires_in_days: 1,
      password: rogue.password,
    })
    const { token } = dataOf<{ token: string }>(made)
    let before: unknown
    const answer = await DOORS[door]?.(async (method, path, body) => {
      before = await access()
      return withReason(byToken(token))(method, path, body)
    })
    expect(answer?.status, answer?.text).toBe(403)
    expect(await access()).toEqual(before)
  })
})

describe('a request for a login', () => {
  const ask = async (): Promise<{ username: string; asked: Approval }> => {
    const username = newName()
    const body = { username, email: mine(), role: 'admin', reason: REASON }
    return {
      username,
      asked: dataOf<Approval>(await browser.send('POST', `/resellers/${account}/users`, body)),
    }
  }

  const linkFor = (username: string) =>
    until('the reseller is warned', async () => {
      const mails = await readMailbox(service)
      const warning = mails.find(({ kind, text }) => kind === 'access' && text.includes(username))
      return /Token: (wst_[\w-]{43})/.exec(warning?.text ?? '')?.[1]
    })

  const stop = (token: string) => call(service, 'POST', '/portal/v1/approvals/stop', { token })

  it('asks whoever approves it for a fresh proof', async () => {
    const { asked } = await ask()
    const deciders = { operator: second, 'admin of the reseller': shop.admin }
    for (const [who, decider] of Object.entries(deciders)) {
      const answer = await decider.sendWithoutProof('POST', `/approvals/${asked.id}/approve`, { reason: 'x' })
      expect([who, answer.status, answer.json()]).toMatchObject([who, 403, { error: 'proof_required' }])
    }
  })

  it('is carried out by an independent operator, with a mail to choose a password', async () => {
    const { username, asked } = await ask()
    const approved = await second.send('POST', `/approvals/${asked.id}/approve`, { reason: 'rang them' })
    expect(approved.json()).toMatchObject({
      data: { state: 'approved', decision: { by_kind: 'operator', outcome: { username, role: 'admin' } } },
    })
    const mails = (await readMailbox(service)).filter(({ text }) => text.includes(username))
    expect(mails.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['invitation', 'access']))
  })

  it('is carried out or refused by an admin of the reseller, and by no viewer', async () => {
    const [one, two] = [await ask(), await ask()]
    const listed = (await shop.admin.get('/approvals')).json<{ data: Approval[] }>().data
    expect(listed.find(({ id }) => id === one.asked.id)).toMatchObject({
      kind: 'user_create',
      state: 'pending',
      requested_by: rogue.email,
      command: { username: one.username, role: 'admin', status: null, from: null },
    })
    expect((await shop.viewer.send('POST', `/approvals/${one.asked.id}/approve`)).status).toBe(403)
    const approved = await shop.admin.send('POST', `/approvals/${one.asked.id}/approve`)
    expect(approved.json()).toMatchObject({
      data: { state: 'approved', decision: { by: shop.admin.username, by_kind: 'member' } },
    })
    const refused = await shop.admin.send('POST', `/approvals/${two.asked.id}/refuse`)
    expect(refused.json()).toMatchObject({ data: { state: 'refused' } })
    const late = await second.send('POST', `/approvals/${two.asked.id}/approve`, { reason: 'x' })
    expect(late.status, late.text).toBe(409)
  })

  it('is stopped by the link in the mail before a second person approves', async () => {
    const { username, asked } = await ask()
    const token = await linkFor(username)
    const stopped = await stop(token)
    expect([stopped.status, stopped.json()]).toEqual([200, { data: { outcome: 'refused' } }])
    const late = await second.send('POST', `/approvals/${asked.id}/approve`, { reason: 'x' })
    expect(late.status, late.text).toBe(409)
    expect((await second.get(`/approvals/${asked.id}`)).json()).toMatchObject({
      data: { state: 'refused', decision: { by_kind: 'link' } },
    })
    expect((await stop(token)).json()).toEqual({ data: { outcome: 'refused' } })
    expect((await stop(`wst_${'x'.repeat(43)}`)).status).toBe(400)
  })

  it('is undone by the link after it was carried out, with its sessions and the keys that it made', async () => {
    const { username, asked } = await ask()
    const token = await linkFor(username)
    await second.send('POST', `/approvals/${asked.id}/approve`, { reason: 'was fooled' })
    const whose = ['--reseller', account, '--username', username]
    const { password } = await service.warungd<{ password: string }>('user', 'password', ...whose)
    const taken = await signIn(service, 'portal', { username, password })
    const key = await taken.send('POST', '/api-keys', { label: 'mine', password })
    expect(key.status, key.text).toBe(201)
    expect((await stop(token)).json()).toEqual({ data: { outcome: 'undone' } })
    expect((await taken.get('/session')).status).toBe(401)
    expect((await trySignIn(service, 'portal', { username, password })).status).toBe(401)
    const keys = (await shop.admin.get('/api-keys')).json<{ data: { label: string; state: string }[] }>().data
    expect(keys.find(({ label }) => label === 'mine')).toMatchObject({ state: 'revoked' })
    expect(keys.find(({ label }) => label !== 'mine')).toMatchObject({ state: 'active' })
  })
})

it('a single admin lets an operator in alone, who is no person of their own', () => {
  expect([alone.status, dataOf(alone)]).toEqual([
    201,
    expect.objectContaining({ let_in_by: expect.any(String) }),
  ])
})

it('another registered address of a reseller with money is not changed together with anything else', async () => {
  const body = { email: mine(), name: 'Kedai Baharu', reason: REASON }
  const answer = await browser.send('PATCH', `/resellers/${account}`, body)
  expect([answer.status, answer.json()]).toMatchObject([400, { errors: { email: expect.anything() } }])
})

it('the mail address of a user is changed by no operator, so no reset of a password goes elsewhere', async () => {
  const path = `/resellers/${account}/users/${shop.admin.username}`
  expect((await browser.send('PATCH', path, { email: mine(), reason: REASON })).status).toBe(400)
})

it('rights are taken away by one operator at once', async () => {
  const username = await newUser('admin')
  const path = `/resellers/${account}/users/${username}`
  expect((await browser.send('PATCH', path, { role: 'viewer', reason: REASON })).status).toBe(200)
  expect((await browser.send('PATCH', path, { status: 'disabled', reason: REASON })).status).toBe(200)
})

it('a login that is made at the machine is told to the reseller', async () => {
  const username = await newUser('viewer')
  const told = await until('the reseller is told', async () =>
    (await readMailbox(service)).find(({ kind, text }) => kind === 'access' && text.includes(username)),
  )
  expect(told.text).toContain('at the machine')
  expect(told.text).not.toContain('wst_')
})
