import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectForbidden, expectProblem } from '../edge.ts'
import { hireOperator } from '../operator/operators.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices } from '../service.ts'
import type { RequestOptions } from './authenticator.ts'
import type { Member, Shop } from './members.ts'
import { dataOf, newMember, openShop } from './members.ts'
import type { Begun } from './passkeys.ts'
import { addPasskey } from './passkeys.ts'
import type { Browser, Side } from './people.ts'
import { call, signIn } from './people.ts'
import { scheduleOf } from './schedules.ts'

// A stolen session can sell and look, and lets nobody in: every write that makes or widens access asks for a fresh proof.

type Write = readonly [method: string, path: string, body?: object]

const why = { reason: 'a test' }

/** Writes that always ask for a proof, with a body that they would take. Written by hand: this is what is wanted. */
const WIDENS: Readonly<Record<Side, Readonly<Record<string, Write>>>> = {
  portal: {
    enrolPortalTwoFactor: ['POST', '/two-factor'],
    renewPortalRecoveryCodes: ['POST', '/two-factor/recovery-codes', { code: '000000' }],
    disablePortalTwoFactor: ['POST', '/two-factor/disable', { code: '000000' }],
    beginPortalPasskey: ['POST', '/passkeys/options', {}],
    deletePortalPasskey: ['DELETE', '/passkeys/1'],
    createInvitation: ['POST', '/invitations', { email: 'thief@example.com', role: 'admin' }],
    portalChangeMember: ['PATCH', '/members/1', { status: 'disabled' }],
    openSharedTill: ['POST', '/shared-tills', { name: 'Kaunter 1', idle_seconds: 60 }],
    endPinLocks: ['DELETE', '/shared-tills/1/locks'],
    setPin: ['PUT', '/pin', { pin: '482913' }],
    portalScheduleBatch: ['POST', '/sell/bulk/schedules', scheduleOf()],
    portalResumeSchedule: ['POST', '/sell/bulk/schedules/1/resume', { from: 'here' }],
    portalCreateKey: ['POST', '/api-keys', { label: 'Till' }],
    portalRotateKey: ['POST', '/api-keys/1/rotate', {}],
    portalRevokeKey: ['DELETE', '/api-keys/1'],
    portalAllowNetworks: ['POST', '/ip-allowlist', { networks: ['203.0.113.0/24'] }],
    portalDisallowNetwork: ['DELETE', '/ip-allowlist?network=203.0.113.0%2F24'],
    portalPutEndpoint: ['PUT', '/endpoints/balance', { url: 'https://thief.example/hook' }],
    portalChangeEndpoint: ['PATCH', '/endpoints/balance', { enabled: false }],
    portalDeleteEndpoint: ['DELETE', '/endpoints/balance'],
    portalRotateEndpointSecret: ['POST', '/endpoints/balance/secret', {}],
  },
  operator: {
    enrolOperatorTwoFactor: ['POST', '/two-factor'],
    renewOperatorRecoveryCodes: ['POST', '/two-factor/recovery-codes', { code: '000000' }],
    disableOperatorTwoFactor: ['POST', '/two-factor/disable', { code: '000000' }],
    beginOperatorPasskey: ['POST', '/passkeys/options', {}],
    deleteOperatorPasskey: ['DELETE', '/passkeys/1'],
    createOperatorToken: ['POST', '/tokens', { label: 'robot', role: 'admin', expires_in_days: 1 }],
    createOperator: ['POST', '/operators', { email: 'x@example.com', name: 'X', role: 'admin', ...why }],
    updateOperator: ['PATCH', '/operators/1', { role: 'admin', ...why }],
    vouchForOperator: ['POST', '/operators/1/vouch', why],
    createResellerUser: ['POST', '/resellers/1/users', { username: 'thief', role: 'admin', ...why }],
    updateResellerUser: ['PATCH', '/resellers/1/users/thief', { status: 'active', ...why }],
    addProvider: ['POST', '/providers', { code: 'thief', pack: 'zendit', ...why }],
    upgradeProvider: ['POST', '/providers/thief/upgrade', why],
  },
}

/** Writes some of whose changes ask for a proof. */
const MAY_WIDEN: Readonly<Record<Side, readonly string[]>> = {
  portal: [
    'portalApproveApproval',
    'portalChangeKey',
    'portalChangeSettings',
    'portalPutCheckoutSettings',
    'portalPutLimits',
    'portalPutMemberLimits',
  ],
  operator: ['approveApproval', 'updateReseller', 'putResellerLimits', 'putLevelLimits'],
}

let service: Service
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database })
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

async function newAdmin(side: Side): Promise<Browser & { readonly password: string }> {
  if (side === 'portal') return (await openShop(service, null)).admin
  const person = await hireOperator(service, 'admin')
  return { ...(await signIn(service, side, person)), password: person.password }
}

/** Another session of the same person. */
async function signInAgain({ username, password }: Member): Promise<Browser> {
  return signIn(service, 'portal', { username, password })
}

/** Lets time pass for the proofs of the sessions of one account. */
async function ageProofs(interval: string): Promise<void> {
  await database.query('update sessions set proven_at = proven_at - $1::interval', [interval])
}

type Document = {
  paths: Record<string, Record<string, { operationId: string; description?: string }>>
}

describe.each(['portal', 'operator'] as const)('the API of the %s', (side) => {
  it('every write whose document asks for a proof stands in the table, and no other', async () => {
    const { paths } = (await service.get(`/${side}/v1/openapi.json`)).json<Document>()
    const asking = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ description = '' }) => description.includes('proof_required'))
    expect(asking.map(({ operationId }) => operationId).sort()).toEqual(
      [...Object.keys(WIDENS[side]), ...MAY_WIDEN[side]].sort(),
    )
  })

  it.each(Object.entries(WIDENS[side]))('%s asks a session for a proof', async (_, [method, path, body]) => {
    const admin = await newAdmin(side)
    expectForbidden(await admin.sendWithoutProof(method, path, body), 'proof_required')
    const wrong = await admin.sendWithoutProof(method, path, { ...body, password: 'not the password' })
    expectForbidden(wrong, 'wrong_password')
    expectForbidden(
      await admin.sendWithoutProof('POST', '/session/proof', { password: 'wrong' }),
      'wrong_password',
    )
    expectForbidden(await admin.sendWithoutProof(method, path, body), 'proof_required')
    await admin.prove()
    const { status, text } = await admin.sendWithoutProof(method, path, body)
    expect(status === 401 || status === 403 || status >= 500, text).toBe(false)
  })

  it('a proof is the password or the answer of a passkey, and nothing else', async () => {
    const admin = await newAdmin(side)
    expectProblem(await admin.sendWithoutProof('POST', '/session/proof', {}), 400, ['password'])
    const stranger = await call(service, 'POST', `/${side}/v1/session/proof`, { password: admin.password })
    expect(stranger.status).toBe(401)
  })

  it('a passkey of the person proves it in the session that asked, and in no other', async () => {
    const [mine, theirs] = [await newAdmin(side), await newAdmin(side)]
    const { device } = await addPasskey(service, mine, { password: mine.password })
    await ageProofs('5 minutes')
    const begin = async (browser: Browser) =>
      dataOf<Begun<RequestOptions>>(await browser.sendWithoutProof('POST', '/session/proof/options'))
    const answer = async (asked: Browser) => {
      const { ceremony, options } = await begin(asked)
      return { ceremony, credential: device.get(options) }
    }
    for (const foreign of [await answer(theirs), await answer(mine)]) {
      expectForbidden(await theirs.sendWithoutProof('POST', '/session/proof', foreign), 'invalid_passkey')
    }
    const own = await answer(mine)
    expect((await mine.sendWithoutProof('POST', '/session/proof', own)).status).toBe(204)
    expect((await mine.sendWithoutProof('POST', '/two-factor')).status).toBe(201)
    // The challenge is spent.
    expectForbidden(await mine.sendWithoutProof('POST', '/session/proof', own), 'invalid_passkey')
  })
})

it.each(Object.entries(WIDENS.operator))('%s is refused to a token', async (_, [method, path, body]) => {
  const admin = await newAdmin('operator')
  const wanted = { label: 'robot', role: 'admin', expires_in_days: 1, password: admin.password }
  const { token } = dataOf<{ token: string }>(await admin.send('POST', '/tokens', wanted))
  const headers = { Authorization: `Bearer ${token}` }
  const tried = [body, { ...body, password: admin.password }]
  for (const each of tried) {
    const { status, json } = await call(service, method, `/operator/v1${path}`, each, headers)
    // Writes on the own sign-in are closed to tokens altogether.
    expect([status, json<{ error: string }>().error]).toEqual([
      403,
      expect.stringMatching(/^(?:proof_required|session_required)$/),
    ])
  }
  const proof = { password: admin.password }
  expectForbidden(
    await call(service, 'POST', '/operator/v1/session/proof', proof, headers),
    'session_required',
  )
})

describe('a stolen session of a portal’s admin', () => {
  const INVITATION = { email: 'thief@example.com', role: 'admin' }

  async function membersOf({ admin }: Shop): Promise<{ id: string; username: string; is_self: boolean }[]> {
    return dataOf(await admin.get('/members'))
  }

  it('invites nobody, changes no role and does not disable the owner', async () => {
    const shop = await openShop(service, null)
    const owner = await newMember(service, shop.payer.account, 'admin')
    const steal = (method: string, path: string, body: object) =>
      shop.admin.sendWithoutProof(method, path, body)
    expectForbidden(await steal('POST', '/invitations', INVITATION), 'proof_required')
    const before = await membersOf(shop)
    const idOf = (name: string) => before.find(({ username }) => username === name)?.id
    expectForbidden(
      await steal('PATCH', `/members/${idOf(shop.viewer.username)}`, { role: 'admin' }),
      'proof_required',
    )
    expectForbidden(
      await steal('PATCH', `/members/${idOf(owner.username)}`, { status: 'disabled' }),
      'proof_required',
    )
    expect((await membersOf(shop)).map(({ username }) => username)).toEqual(
      before.map(({ username }) => username),
    )
    expect(dataOf(await shop.admin.get('/invitations'))).toEqual([])
    expect((await owner.get('/overview')).status).toBe(200)
  })

  it('turns the need of a key off for nobody, and on without a proof', async () => {
    const { admin } = await openShop(service, null)
    const set = (isOn: boolean) =>
      admin.sendWithoutProof('PATCH', '/settings', { topup_requires_api_key: isOn })
    expect((await set(true)).status).toBe(200)
    expectForbidden(await set(false), 'proof_required')
    expect(dataOf(await admin.get('/settings'))).toMatchObject({ topup_requires_api_key: true })
    await admin.prove()
    expect((await set(false)).status).toBe(200)
  })

  it('lets no further site sell and accepts no loss, and changes colours without a proof', async () => {
    const { admin } = await openShop(service, null)
    const present = dataOf<{ theme: object }>(await admin.get('/checkout-settings'))
    const put = (changes: object) =>
      admin.sendWithoutProof('PUT', '/checkout-settings', { ...present, ...changes })
    expectForbidden(await put({ allowed_origins: ['https://thief.example'] }), 'proof_required')
    expectForbidden(await put({ accepts_loss: true }), 'proof_required')
    expect((await put({ theme: { ...present.theme, accent: '#123456' } })).status).toBe(200)
    expect(dataOf(await admin.get('/checkout-settings'))).toMatchObject({
      allowed_origins: [],
      accepts_loss: false,
    })
    await admin.prove()
    const origins = { allowed_origins: ['https://shop.example'] }
    expect((await put(origins)).status).toBe(200)
    await ageProofs('5 minutes')
    expect((await put(origins)).status).toBe(200)
    expect((await put({ allowed_origins: [] })).status).toBe(200)
  })

  it('moves no receiver of any stream and learns no new secret', async () => {
    const { admin } = await openShop(service, null)
    const streams = dataOf<{ stream: string }[]>(await admin.get('/endpoints')).map(({ stream }) => stream)
    expect(streams).toEqual(expect.arrayContaining(['callback', 'catalog', 'balance']))
    for (const stream of streams) {
      const path = `/endpoints/${stream}`
      await admin.prove()
      dataOf(await admin.sendWithoutProof('PUT', path, { url: 'https://own.example/hook' }))
      await ageProofs('5 minutes')
      expectForbidden(
        await admin.sendWithoutProof('PUT', path, { url: 'https://thief.example/' }),
        'proof_required',
      )
      expectForbidden(await admin.sendWithoutProof('POST', `${path}/secret`, {}), 'proof_required')
      expectForbidden(await admin.sendWithoutProof('PATCH', path, { enabled: false }), 'proof_required')
      expectForbidden(await admin.sendWithoutProof('DELETE', path), 'proof_required')
    }
    const urls = dataOf<{ url: string }[]>(await admin.get('/endpoints')).map(({ url }) => url)
    expect(new Set(urls)).toEqual(new Set(['https://own.example/hook']))
  })

  it('finds no use for the proof of another session of the same person', async () => {
    const { admin } = await openShop(service, null)
    const owners = await signInAgain(admin)
    await owners.prove()
    expectForbidden(await admin.sendWithoutProof('POST', '/invitations', INVITATION), 'proof_required')
    expect((await owners.sendWithoutProof('POST', '/invitations', INVITATION)).status).toBe(201)
  })

  it('finds no use for a proof 5 minutes later, nor after a change of the password', async () => {
    const { admin } = await openShop(service, null)
    const invite = (email: string, browser: Browser = admin) =>
      browser.sendWithoutProof('POST', '/invitations', { email, role: 'viewer' })
    await admin.prove()
    expect((await invite('one@example.com')).status).toBe(201)
    await ageProofs('4 minutes')
    expect((await invite('two@example.com')).status).toBe(201)
    await ageProofs('1 minute')
    expectForbidden(await invite('three@example.com'), 'proof_required')
    await admin.prove()
    const passwords = { current_password: admin.password, password: 'another long password' }
    expect((await admin.sendWithoutProof('POST', '/password', passwords)).status).toBe(200)
    expect((await invite('four@example.com')).status).toBe(401)
    const next = await signIn(service, 'portal', { username: admin.username, password: passwords.password })
    expectForbidden(await invite('four@example.com', next), 'proof_required')
  })
})

describe('a stolen session of an operators’ admin', () => {
  it('gives no account another mail address, more rights or its activity back, and takes them without a proof', async () => {
    const { payer } = await openShop(service, null)
    const admin = await newAdmin('operator')
    const change = (changes: object) =>
      admin.sendWithoutProof('PATCH', `/resellers/${payer.account}`, { ...changes, ...why })
    for (const wider of [
      { email: 'thief@example.com' },
      { access: 0 },
      { status: 'active' },
      { topup_requires_api_key: false },
      { name: 'Kedai', email: 'thief@example.com' },
    ]) {
      expectForbidden(await change(wider), 'proof_required')
    }
    for (const narrower of [{ access: 50 }, { status: 'suspended' }, { topup_requires_api_key: true }]) {
      expect((await change(narrower)).status).toBe(200)
    }
    expect((await change({ access: 0, password: admin.password })).status).toBe(200)
    expectForbidden(await change({ status: 'active' }), 'proof_required')
    await admin.prove()
    expect((await change({ status: 'active' })).status).toBe(200)
  })
})
