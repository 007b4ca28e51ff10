import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, from, newAddress, TRUST_TEST_PROXY } from '../clients.ts'
import { expectForbidden, expectProblem, expectUnauthorized } from '../edge.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, newMasterKey, openService, stopServices } from '../service.ts'
import { createUser } from '../tokens.ts'
import type { Lies } from './authenticator.ts'
import { newAuthenticator } from './authenticator.ts'
import { dataOf } from './members.ts'
import { addPasskey, beginPasskey, beginSignIn, originOf, signInWithPasskey, tryPasskey } from './passkeys.ts'
import type { Browser, Side, SignInFields } from './people.ts'
import { appCode, call, createOperator, enrol, signIn } from './people.ts'

let service: Service
let database: TestDatabase
const MASTER_KEY = newMasterKey()

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database, masterKey: MASTER_KEY, environment: TRUST_TEST_PROXY })
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

const SIDES: readonly Side[] = ['operator', 'portal']

async function somebody(side: Side): Promise<{ browser: Browser; person: SignInFields }> {
  const { username, password } =
    side === 'portal' ? await createUser(service) : { username: '', password: '' }
  const person = side === 'portal' ? { username, password } : await createOperator(service, 'support')
  return { browser: await signIn(service, side, person), person }
}

async function withPasskey(side: Side) {
  const { browser, person } = await somebody(side)
  return { browser, person, ...(await addPasskey(service, browser, { password: person.password })) }
}

type Listed = { id: string; label: string; last_used_at: string | null }
const listOf = async (browser: Browser) => dataOf<Listed[]>(await browser.get('/passkeys'))

describe.each(SIDES)('a passkey (%s)', (side) => {
  it('signs its person in without password and code, and the session says so', async () => {
    const { browser, person, device } = await withPasskey(side)
    await enrol(browser, person.password)
    const other = await signInWithPasskey(service, side, device)
    const whoIs = async (each: Browser) => dataOf(await each.get('/session'))
    expect(await whoIs(other)).toEqual(await whoIs(browser))
    const sessions = dataOf<{ is_current: boolean; signed_in_with: string; device: object }[]>(
      await other.get('/sessions'),
    )
    expect(sessions.find((each) => each.is_current)).toMatchObject({
      signed_in_with: 'passkey',
      device: { browser: null, os: null },
    })
    expect((await listOf(other))[0]?.last_used_at).not.toBeNull()
  })

  it('is registered after the password, and the code where there is one', async () => {
    const { browser, person } = await somebody(side)
    const ask = (proof: object) => browser.send('POST', '/passkeys/options', proof)
    expectForbidden(await ask({ password: 'a wrong one' }), 'wrong_password')
    const { secret } = await enrol(browser, person.password)
    expectProblem(await ask({ password: person.password }), 400, ['code'])
    expect((await ask({ password: person.password, code: appCode(secret) })).status).toBe(200)
  })

  it('is listed, renamed and removed by its person, after the password', async () => {
    const { browser, person, id, device } = await withPasskey(side)
    expect((await browser.send('PATCH', `/passkeys/${id}`, { label: 'Old phone' })).status).toBe(200)
    expect(await listOf(browser)).toMatchObject([{ id, label: 'Old phone' }])
    const opened = await signInWithPasskey(service, side, device)
    const wrong = await browser.send('DELETE', `/passkeys/${id}`, { password: 'a wrong one' })
    expectForbidden(wrong, 'wrong_password')
    expect((await browser.send('DELETE', `/passkeys/${id}`, { password: person.password })).status).toBe(204)
    expect(await listOf(browser)).toEqual([])
    expectUnauthorized(await tryPasskey(service, side, device), 'invalid_passkey')
    expectUnauthorized(await opened.get('/session'), 'invalid_session')
    expect((await browser.get('/session')).status).toBe(200)
  })

  it('a passkey of one person is registered by no other', async () => {
    const { device } = await withPasskey(side)
    const { browser, person } = await somebody(side)
    const { ceremony, options } = await beginPasskey(browser, { password: person.password })
    const body = { ceremony, label: 'Mine', credential: device.create(options) }
    expectProblem(await browser.send('POST', '/passkeys', body), 409)
  })

  it('is not registered for a challenge of another session', async () => {
    const [mine, theirs] = [await somebody(side), await somebody(side)]
    const { ceremony, options } = await beginPasskey(mine.browser, { password: mine.person.password })
    const credential = newAuthenticator(originOf(service)).create(options)
    const body = { ceremony, label: 'Theirs', credential }
    expectProblem(await theirs.browser.send('POST', '/passkeys', body), 400)
    expect((await mine.browser.send('POST', '/passkeys', body)).status).toBe(201)
    // The challenge is spent.
    const again = { ...body, credential: newAuthenticator(originOf(service)).create(options) }
    expectProblem(await mine.browser.send('POST', '/passkeys', again), 400)
  })

  it.each<[name: string, lies: Lies]>([
    ['by a page of another site', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['without a check of its owner', { isVerified: false }],
    ['as an answer to something else', { type: 'webauthn.get' }],
  ])('made %s is not registered', async (_, lies) => {
    const { browser, person } = await somebody(side)
    const { ceremony, options } = await beginPasskey(browser, { password: person.password })
    const credential = newAuthenticator(originOf(service)).create(options, lies)
    expectProblem(await browser.send('POST', '/passkeys', { ceremony, label: 'x', credential }), 400)
    expect(await listOf(browser)).toEqual([])
  })

  it.each<[name: string, lies: Lies]>([
    ['by a page of another site', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['without a check of its owner', { isVerified: false }],
    ['as an answer to something else', { type: 'webauthn.create' }],
    ['for another person', { userHandle: 'bm9ib2R5' }],
    ['under an unknown id', { credentialId: 'bm9ib2R5' }],
    ['with a wrong signature', { signature: 'MEUCIQ' }],
  ])('used %s opens nothing', async (_, lies) => {
    const { device } = await withPasskey(side)
    const answer = await tryPasskey(service, side, device, lies)
    expectUnauthorized(answer, 'invalid_passkey')
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect((await tryPasskey(service, side, device)).status).toBe(200)
  })

  it('answers a challenge once', async () => {
    const { device } = await withPasskey(side)
    const { ceremony, options } = await beginSignIn(service, side)
    const send = () =>
      call(service, 'POST', `/${side}/v1/session/passkey`, { ceremony, credential: device.get(options) })
    expect((await send()).status).toBe(200)
    expectUnauthorized(await send(), 'invalid_passkey')
  })

  it('answers no challenge after its time', async () => {
    const { device } = await withPasskey(side)
    const { ceremony, options } = await beginSignIn(service, side)
    await database.query(`update passkey_challenges set expires_at = now() - interval '1 second'`)
    const body = { ceremony, credential: device.get(options) }
    expectUnauthorized(await call(service, 'POST', `/${side}/v1/session/passkey`, body), 'invalid_passkey')
  })

  it('a passkey whose count of signatures goes back is refused, and the audit log says so', async () => {
    const { device } = await withPasskey(side)
    expect((await tryPasskey(service, side, device, { counter: 9 })).status).toBe(200)
    for (const counter of [9, 8, 0]) {
      expectUnauthorized(await tryPasskey(service, side, device, { counter }), 'invalid_passkey')
    }
    const { rows } = await database.query<{ after: { counter: string } }>(
      `select after from audit_log where action = 'passkey.refuse_copy' order by sequence desc limit 1`,
    )
    expect(rows[0]?.after).toMatchObject({ counter: '0' })
    expect((await tryPasskey(service, side, device, { counter: 10 })).status).toBe(200)
  })

  it('a passkey of one side opens nothing on the other', async () => {
    const { device } = await withPasskey(side)
    const other: Side = side === 'portal' ? 'operator' : 'portal'
    expectUnauthorized(await tryPasskey(service, other, device), 'invalid_passkey')
  })

  it('a passkey that fails too often at one place is locked out there like a password', async () => {
    const { device } = await withPasskey(side)
    const here = from(newAddress())
    for (let time = 0; time < 10; time += 1) {
      const answer = await tryPasskey(service, side, device, { origin: 'https://evil.example' }, here)
      if (answer.status === 429 && answer.headers['retry-after'] === '1') time -= 1
      else expectUnauthorized(answer, 'invalid_passkey')
    }
    expectProblem(await tryPasskey(service, side, device, {}, here), 429)
    expect((await tryPasskey(service, side, device)).status).toBe(200)
  })

  it('a passkey of a person who was disabled opens nothing', async () => {
    const { device, person } = await withPasskey(side)
    await database.query(
      side === 'portal'
        ? `update users set status = 'disabled' where username = $1`
        : `update operators set status = 'disabled' where email = $1`,
      [side === 'portal' ? person.username : person.email],
    )
    expectUnauthorized(await tryPasskey(service, side, device), 'invalid_passkey')
  })

  it('is asked for by no page of another site', async () => {
    const headers = { Origin: 'https://evil.example' }
    const answer = await call(service, 'POST', `/${side}/v1/session/passkey/options`, {}, headers)
    expect([answer.status, errorOf(answer)]).toEqual([403, 'foreign_origin'])
  })
})

it('the begin of a sign-in shows nothing about who exists', async () => {
  const { options } = await beginSignIn(service, 'portal')
  expect(options).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    rpId: 'localhost',
    timeout: 300_000,
    allowCredentials: [],
    userVerification: 'required',
  })
})

it('a service at an address where browsers offer no passkeys says so', async () => {
  const plain = await openService({
    database,
    masterKey: MASTER_KEY,
    environment: { ...TRUST_TEST_PROXY, WARUNG_PUBLIC_URL: 'http://shop.example.com' },
  })
  const answer = await call(plain, 'POST', '/portal/v1/session/passkey/options', {})
  expectProblem(answer, 409)
  expect(answer.text).toContain('WARUNG_PUBLIC_URL')
})
