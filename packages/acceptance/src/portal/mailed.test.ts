import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { expectForbidden, expectProblem, expectUnauthorized } from '../edge.ts'
import { readMailbox, withToken } from '../mail/mailbox.ts'
import type { Service } from '../service.ts'
import { connectDatabase, until } from '../service.ts'
import { createUser } from '../tokens.ts'
import type { Browser, Side, SignInFields } from './people.ts'
import { call, createOperator, enrol, signIn, trySignIn } from './people.ts'

// Secrets that are sent by mail and used once: tokens for a new password, and invitations.

let service: Service
let database: pg.Client

beforeAll(async () => {
  service = (await shareDemo()).service
  database = await connectDatabase(service)
})
afterAll(() => database?.end())

const SIDES: readonly Side[] = ['operator', 'portal']

async function somebody(side: Side): Promise<SignInFields & { account?: string }> {
  return side === 'operator' ? createOperator(service, 'support') : createUser(service)
}

/** Lists the tokens in the mails of a kind that contain a name, newest first. */
async function tokensFor(kind: string, name: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    'select id::text as id from mails where kind = $1 order by id desc',
    [kind],
  )
  const pages: string[] = []
  for (const { id } of rows) pages.push(await pageOf(id))
  return pages.filter((text) => text.includes(name)).map((text) => TOKEN.exec(text)?.[1] ?? '')
}

const TOKEN = /Token: (w(?:pr|iv)_[\w-]{43})/
const seen = new Map<string, string>()

/** Returns a mail as the mailbox shows it; in the database it is sealed. */
async function pageOf(id: string): Promise<string> {
  const text = seen.get(id) ?? (await service.get(withToken(service, `/mailbox/${id}`))).text
  seen.set(id, text)
  return text
}

function untilMailed(kind: string, name: string, count = 1): Promise<string[]> {
  return until(`${name} has ${count} mails about ${kind}`, async () => {
    const tokens = await tokensFor(kind, name)
    return tokens.length >= count && tokens
  })
}

function askReset(side: Side, { email, username }: SignInFields) {
  return call(service, 'POST', `/${side}/v1/password-reset`, side === 'operator' ? { email } : { username })
}

function confirmReset(side: Side, token: string, password: string) {
  return call(service, 'POST', `/${side}/v1/password-reset/confirm`, { token, password })
}

const NEW_PASSWORD = 'a new and longer one'

describe('a mailed token for a new password', () => {
  async function reset(side: Side) {
    const { account: _, ...person } = await somebody(side)
    expect((await askReset(side, person)).status).toBe(202)
    const [token = ''] = await untilMailed('password_reset', person.email ?? person.username ?? '')
    return { person, token }
  }

  it.each(SIDES)('sets it once, and ends every session (%s)', async (side) => {
    const { person, token } = await reset(side)
    const browser = await signIn(service, side, person)
    expect((await confirmReset(side, token, NEW_PASSWORD)).status).toBe(204)
    expectUnauthorized(await browser.get('/session'), 'invalid_session')
    expectUnauthorized(await trySignIn(service, side, person), 'invalid_credentials')
    await signIn(service, side, { ...person, password: NEW_PASSWORD })
    expectProblem(await confirmReset(side, token, 'yet another one'), 400, ['token'])
    await signIn(service, side, { ...person, password: NEW_PASSWORD })
  })

  it.each(SIDES)('reuse: of many who come with it at once one is heard (%s)', async (side) => {
    const { person, token } = await reset(side)
    const passwords = Array.from({ length: 5 }, (_, index) => `password number ${index}`)
    const answers = await Promise.all(passwords.map((password) => confirmReset(side, token, password)))
    const heard = answers.flatMap(({ status }, index) => (status === 204 ? [passwords[index] ?? ''] : []))
    expect(heard).toHaveLength(1)
    await signIn(service, side, { ...person, password: heard[0] ?? '' })
  })

  it.each(SIDES)('is void once another was used, or the password changed otherwise (%s)', async (side) => {
    const { person, token } = await reset(side)
    await askReset(side, person)
    const name = person.email ?? person.username ?? ''
    const [newer = ''] = (await untilMailed('password_reset', name, 2)).filter((each) => each !== token)
    expect((await confirmReset(side, newer, NEW_PASSWORD)).status).toBe(204)
    expectProblem(await confirmReset(side, token, 'yet another one'), 400, ['token'])
    await askReset(side, person)
    const tokens = await untilMailed('password_reset', name, 3)
    const [newest = ''] = tokens.filter((each) => each !== token && each !== newer)
    const browser = await signIn(service, side, { ...person, password: NEW_PASSWORD })
    const change = { current_password: NEW_PASSWORD, password: 'one that nobody mailed' }
    expect((await browser.send('POST', '/password', change)).status).toBe(200)
    expectProblem(await confirmReset(side, newest, 'yet another one'), 400, ['token'])
  })

  it.each(SIDES)('is of no use when it is old, and on the other side (%s)', async (side) => {
    const { person, token } = await reset(side)
    const other = side === 'operator' ? 'portal' : 'operator'
    expectProblem(await confirmReset(other, token, NEW_PASSWORD), 400, ['token'])
    await database.query(
      `update password_resets set expires_at = clock_timestamp()
        where expires_at between clock_timestamp() + interval '20 minutes' and clock_timestamp() + interval '30 minutes'`,
    )
    expectProblem(await confirmReset(side, token, NEW_PASSWORD), 400, ['token'])
    await signIn(service, side, person)
  })

  it('stays when the new password is none, and lies readable nowhere, not even in the mail', async () => {
    const { token } = await reset('portal')
    expectProblem(await confirmReset('portal', token, 'short'), 400, ['password'])
    const { rows } = await database.query<{ all: string }>(
      `select string_agg(r::text, ' ') || (select string_agg(m::text, ' ') from mails m) as all
         from password_resets r`,
    )
    expect(rows[0]?.all).not.toContain('wpr_')
    expect(rows[0]?.all).not.toContain(token)
    expect(rows[0]?.all).not.toContain(Buffer.from(token).toString('hex'))
    expect((await confirmReset('portal', token, NEW_PASSWORD)).status).toBe(204)
  })

  it('is a mail to the person, that says whose password it is about', async () => {
    const { person } = await reset('operator')
    const mails = await until('it is in the mailbox', async () => {
      const found = (await readMailbox(service)).filter(({ to }) => to === person.email)
      return found.length > 0 && found
    })
    expect(mails[0]).toMatchObject({ kind: 'password_reset', subject: 'A new password for Warung' })
    expect(mails[0]?.text).toContain(`a new password for ${person.email}.`)
  })

  it('does not take a second factor away, and ends an operator’s tokens', async () => {
    const { person, token } = await reset('operator')
    const browser = await signIn(service, 'operator', person)
    const { codes } = await enrol(browser, person.password)
    const proof = { password: person.password, code: codes[0] }
    const body = { label: 'script', role: 'support', expires_in_days: 1, ...proof }
    const made = (await browser.send('POST', '/tokens', body)).json<{ data: { token: string } }>().data
    const bearer = { Authorization: `Bearer ${made.token}` }
    await confirmReset('operator', token, NEW_PASSWORD)
    const answer = await call(service, 'GET', '/operator/v1/session', undefined, bearer)
    expectUnauthorized(answer, 'invalid_token')
    const signingIn = await trySignIn(service, 'operator', { ...person, password: NEW_PASSWORD })
    expectUnauthorized(signingIn, 'code_required')
  })

  it('does not fill a mailbox, and none goes to the disabled', async () => {
    const operator = await createOperator(service, 'support')
    for (const count of [1, 2, 3]) {
      await askReset('operator', operator)
      await untilMailed('password_reset', operator.email, count)
    }
    const disabled = await createOperator(service, 'support')
    await service.warungd('operator', 'disable', '--email', disabled.email)
    await askReset('operator', operator)
    await askReset('operator', disabled)
    // Requests are handled in order: when this mail is there, the earlier requests are done.
    const last = await createOperator(service, 'support')
    await askReset('operator', last)
    await untilMailed('password_reset', last.email)
    expect(await tokensFor('password_reset', operator.email)).toHaveLength(3)
    expect(await tokensFor('password_reset', disabled.email)).toEqual([])
  })
})

describe('an invitation', () => {
  async function admin(): Promise<{ browser: Browser; account: string; username: string }> {
    const { account, ...fields } = await createUser(service)
    return { browser: await signIn(service, 'portal', fields), account, username: fields.username }
  }

  const newName = () => `member.${randomBytes(6).toString('hex')}`

  async function invite(browser: Browser, role = 'viewer') {
    const email = `${newName()}@example.com`
    const answer = await browser.send('POST', '/invitations', { email, role })
    expect(answer.status, answer.text).toBe(201)
    const [token = ''] = await untilMailed('invitation', email)
    return { email, token, id: answer.json<{ data: { id: string } }>().data.id }
  }

  function accept(token: string, username = newName(), password = NEW_PASSWORD) {
    return call(service, 'POST', '/portal/v1/invitations/accept', { token, username, password })
  }

  async function states(browser: Browser) {
    const { data } = (await browser.get('/invitations')).json<{ data: { state: string }[] }>()
    return data.map(({ state }) => state)
  }

  it('makes whoever has the mail a member of that reseller, in that role', async () => {
    const { browser, account } = await admin()
    const { token, email } = await invite(browser)
    const { rows } = await database.query<{ all: string }>(
      `select string_agg(m::text, ' ') as all from mails m`,
    )
    expect(rows[0]?.all).not.toContain(token)
    const username = newName()
    const answer = await accept(token, username)
    expect(answer.status, answer.text).toBe(201)
    expect(answer.json()).toMatchObject({ data: { username, role: 'viewer', reseller: { account } } })
    const member = await signIn(service, 'portal', { username, password: NEW_PASSWORD })
    expect((await member.get('/session')).json()).toMatchObject({
      data: { email, role: 'viewer', reseller: { account } },
    })
    expect(await states(browser)).toEqual(['accepted'])
  })

  it('reuse: works once, even for many at once', async () => {
    const { browser } = await admin()
    const { token } = await invite(browser)
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400])
    expectProblem(await accept(token), 400, ['token'])
  })

  it('is void when it was revoked, is old, or its inviter could not make it any more', async () => {
    const { browser, account, username } = await admin()
    const [revoked, old, orphan] = [await invite(browser), await invite(browser), await invite(browser)]
    expect((await browser.send('DELETE', `/invitations/${revoked.id}`)).status).toBe(204)
    expectProblem(await accept(revoked.token), 400, ['token'])
    await database.query('update invitations set expires_at = clock_timestamp() where id = $1', [old.id])
    expectProblem(await accept(old.token), 400, ['token'])
    expect(await states(browser)).toEqual(['open', 'expired', 'revoked'])
    await service.warungd('user', 'disable', '--reseller', account, '--username', username)
    expectProblem(await accept(orphan.token), 400, ['token'])
    expectProblem(await accept('wiv_nonsense'), 400, ['token'])
  })

  it('stays when name or password are none, or the name is taken', async () => {
    const { browser, username } = await admin()
    const { token } = await invite(browser)
    expectProblem(await accept(token, 'a b'), 400, ['username'])
    expectProblem(await accept(token, newName(), 'short'), 400, ['password'])
    expectProblem(await accept(token, username), 409, ['username'])
    expect((await accept(token)).status).toBe(201)
  })

  it('is an admin’s alone to make, see and revoke, and of their own reseller', async () => {
    const { browser, account } = await admin()
    const { id } = await invite(browser)
    const viewer = await createUser(service, { account, role: 'viewer' })
    const viewerSession = await signIn(service, 'portal', {
      username: viewer.username,
      password: viewer.password,
    })
    const body = { email: 'somebody@example.com', role: 'admin' }
    expectForbidden(await viewerSession.send('POST', '/invitations', body), 'insufficient_role')
    expectForbidden(await viewerSession.get('/invitations'), 'insufficient_role')
    expectForbidden(await viewerSession.send('DELETE', `/invitations/${id}`), 'insufficient_role')
    const stranger = await admin()
    expectProblem(await stranger.browser.send('DELETE', `/invitations/${id}`), 404)
    expect(await states(stranger.browser)).toEqual([])
    expect(await states(browser)).toEqual(['open'])
    const tryInvite = (wrong: object) => browser.send('POST', '/invitations', { ...body, ...wrong })
    expectProblem(await tryInvite({ role: 'owner' }), 400, ['role'])
    expectProblem(await tryInvite({ email: 'a@b.example\nBcc: c@d.example' }), 400, ['email'])
  })
})
