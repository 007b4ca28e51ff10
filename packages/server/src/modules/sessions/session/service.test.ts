import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../../config.ts'
import type { Vault } from '../../../db/vault.ts'
import { UnknownDataKeyError } from '../../../db/vault.ts'
import type { IncomingRequest } from '../../../http/operation.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { proven } from '../../../testing/sessions.ts'
import { createOperator, createReseller, createUser } from '../../accounts/service.ts'
import { createAuditLog } from '../../audit/service.ts'
import { invite, listInvitations, revokeInvitation } from '../passwords/invitations.service.ts'
import { changePassword, confirmReset, requestReset, sweepResets } from '../passwords/passwords.service.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import type { MemberCaller, OperatorCaller } from '../people/types.ts'
import { codeAt, stepAt } from '../second-factor/totp.rules.ts'
import { confirmEnrolment, enrol } from '../second-factor/totp.service.ts'
import type { Enrolment } from '../second-factor/totp.types.ts'
import { createOperatorToken } from '../tokens/tokens.service.ts'
import { createMemberAuthenticator, createOperatorAuthenticator } from './authentication.service.ts'
import type { SignIn } from './service.ts'
import { endOtherSessions, endOwnSession, signIn, signOut, sweepSessions } from './service.ts'

const PASSWORD = 'a long enough password'
const SCRIPT = { label: 'script', role: 'admin', expiresInDays: 1 }

let test: TestDatabase
let staging: SessionsOptions
let production: SessionsOptions

beforeAll(async () => {
  test = await openTestDatabase()
  const { database, vault } = test
  const audit = createAuditLog({ database, vault })
  const options = (environment: Environment): SessionsOptions => ({
    database,
    vault,
    audit,
    config: {
      environment,
      publicUrl: undefined,
      dashboardUrl: undefined,
      operatorSecondFactor: 'optional',
      issuer: 'Kedai Digital',
    },
    nowMs: Date.now,
    onProblem: () => {},
  })
  staging = options('staging')
  production = options('production')
  const accounts = { database, vault, environment: 'staging' } as const
  for (const demo of [true, false]) {
    const email = `${demo ? 'demo' : 'real'}@example.com`
    await createOperator(accounts, { email, name: 'Somebody', password: PASSWORD, role: 'admin', demo })
    const reseller = await createReseller(accounts, { name: 'Kedai', email, priceLevel: 'RETAIL', demo })
    await createUser(accounts, reseller.id, { username: email, password: PASSWORD, role: 'admin' })
  }
})
afterAll(() => test.close())

function attempt(kind: SignIn['kind'], login: string, address = '192.0.2.1'): SignIn {
  return {
    kind,
    login,
    password: PASSWORD,
    code: undefined,
    previousSecret: undefined,
    deviceSecret: undefined,
    address,
    userAgent: 'test\nagent',
  }
}

function request(headers: Record<string, string>, method = 'GET'): IncomingRequest {
  return {
    id: '0',
    method,
    rawQuery: '',
    headers,
    body: Buffer.alloc(0),
    address: '192.0.2.1',
    deadlineMs: Number.MAX_SAFE_INTEGER,
  }
}

async function refusal(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof RequestError) return error.code
    throw error
  }
  throw new Error('it was not refused')
}

describe('production', () => {
  it.each(['operator', 'member'] as const)('lets no demo %s in, by whatever they hold', async (kind) => {
    const login = 'demo@example.com'
    expect(await refusal(() => signIn(production, attempt(kind, login)))).toBe('invalid_credentials')
    const { secret } = await signIn(staging, attempt(kind, login))
    const authenticate =
      kind === 'operator'
        ? (options: SessionsOptions) => createOperatorAuthenticator(options)()
        : (options: SessionsOptions) => createMemberAuthenticator(options)('self')
    const cookie = `warung_${kind}=${secret}`
    expect(await authenticate(staging)(request({ cookie }))).toMatchObject({ caller: { kind } })
    expect(await refusal(() => authenticate(production)(request({ cookie })))).toBe('invalid_session')
  })

  it('takes no token of a demo operator', async () => {
    const { secret } = await signIn(staging, attempt('operator', 'demo@example.com'))
    const authenticated = await createOperatorAuthenticator(staging)()(
      request({ cookie: `warung_operator=${secret}` }),
    )
    const { token } = await createOperatorToken(
      staging,
      await provenBy(authenticated.caller),
      SCRIPT,
      undefined,
    )
    const bearing = request({ authorization: `Bearer ${token}` })
    expect(await createOperatorAuthenticator(staging)()(bearing)).toMatchObject({ caller: { via: 'token' } })
    expect(await refusal(() => createOperatorAuthenticator(production)()(bearing))).toBe('invalid_token')
  })

  it.each(['operator', 'member'] as const)('lets a real %s in', async (kind) => {
    const { person } = await signIn(production, attempt(kind, 'REAL@example.com '))
    expect(person).toMatchObject({ kind, login: 'real@example.com' })
  })
})

describe('a service with an https address', () => {
  it('only a cookie that browsers keep to this host counts, and writes come from https pages', async () => {
    const secure = { ...staging, config: { ...staging.config, publicUrl: 'https://pay.example' } }
    const { secret, csrfToken } = await signIn(secure, attempt('operator', 'real@example.com'))
    const authenticate = createOperatorAuthenticator(secure)()
    const plain = request({ cookie: `warung_operator=${secret}` })
    expect(await refusal(() => authenticate(plain))).toBe('unauthorized')
    const headers = {
      cookie: `__Host-warung_operator=${secret}`,
      'x-csrf-token': csrfToken,
      host: 'pay.example',
    }
    expect(await authenticate(request(headers, 'POST'))).toMatchObject({ caller: { via: 'session' } })
    const foreign = request({ ...headers, origin: 'http://pay.example' }, 'POST')
    expect(await refusal(() => authenticate(foreign))).toBe('foreign_origin')
  })
})

describe('the record of a request for a new password', () => {
  it('is the same for those who exist and those who do not', async () => {
    for (const login of ['real@example.com', 'nobody@example.com', 'Nobody@example.com']) {
      await requestReset(staging, { kind: 'operator', login, address: '192.0.2.9' })
    }
    const { rows } = await test.database.query<{ login: string }>(
      'select login from password_reset_requests order by login',
    )
    expect(rows.map(({ login }) => login)).toEqual(['nobody@example.com', 'real@example.com'])
    const { rows: resets } = await test.database.query('select from password_resets')
    expect(resets).toEqual([])
  })

  it('takes no token that was never mailed', async () => {
    const request = { kind: 'operator', token: 'wpr_x', password: PASSWORD, address: '192.0.2.8' } as const
    expect(await refusal(() => confirmReset(staging, request))).toBe('validation_failed')
  })
})

describe('a name that nobody can have', () => {
  it.each(['a\u0000b', 'İ'.repeat(254)])('is nobody’s: %j', async (login) => {
    for (const kind of ['operator', 'member'] as const) {
      const signingIn = () => signIn(staging, attempt(kind, login, '192.0.2.7'))
      expect(await refusal(signingIn)).toBe('invalid_credentials')
      await requestReset(staging, { kind, login, address: '192.0.2.6' })
    }
  })
})

/** Number of operators that `newcomer` has made. Each one signs in from an address of their own. */
let newcomers = 0

async function newcomer(name: string) {
  const email = `${name}@example.com`
  const accounts = { ...test, environment: 'staging' } as const
  await createOperator(accounts, { email, name, password: PASSWORD, role: 'admin' })
  // Each has an address of their own, because one address may make only twenty attempts a second.
  newcomers += 1
  const address = `203.0.113.${newcomers}`
  const { secret } = await signIn(staging, attempt('operator', email, address))
  const cookie = `warung_operator=${secret}`
  return (await createOperatorAuthenticator(staging)()({ ...request({ cookie }), address })).caller
}

function provenBy(caller: OperatorCaller): Promise<OperatorCaller> {
  return proven(staging, caller, PASSWORD)
}

/** Code that the app shows. */
function codeOf({ secret }: Enrolment, nowMs = Date.now()): string {
  return codeAt(secret, stepAt(nowMs))
}

describe('a token for scripts', () => {
  it('is made by who proves once more who they are, with the second factor where there is one', async () => {
    const caller = await newcomer('token-maker')
    const make = async (code?: string, password = PASSWORD) =>
      createOperatorToken(staging, await proven(staging, caller, password), SCRIPT, code)
    expect(await refusal(() => make(undefined, 'a wrong one'))).toBe('wrong_password')
    await make()
    const enrolment = await enrol(staging, await provenBy(caller))
    expect(new URL(enrolment.uri).searchParams.get('issuer')).toBe('Kedai Digital')
    const [recovery] = await confirmEnrolment(staging, caller, codeOf(enrolment))
    expect(await refusal(() => make())).toBe('validation_failed')
    expect(await refusal(() => make('aaaa-bbbb-cccc-dddd'))).toBe('validation_failed')
    await make(recovery)
    expect(await refusal(() => make(recovery))).toBe('validation_failed')
  })

  it('ends when its operator changes the password', async () => {
    const caller = await newcomer('password-changer')
    const { token } = await createOperatorToken(staging, await provenBy(caller), SCRIPT, undefined)
    const bearing = request({ authorization: `Bearer ${token}` })
    await createOperatorAuthenticator(staging)()(bearing)
    const passwords = { currentPassword: PASSWORD, password: 'another long password' }
    await changePassword(staging, caller, passwords, { address: '192.0.2.1', userAgent: '' })
    expect(await refusal(() => createOperatorAuthenticator(staging)()(bearing))).toBe('invalid_token')
  })
})

/** Reads the rows of the log about a person, oldest first. */
async function rowsAbout(target: string) {
  const { rows } = await test.database.query<{ action: string; target_kind: string; after: unknown }>(
    'select action, target_kind, after from audit_log where target = $1 order by sequence',
    [target],
  )
  return rows
}

describe('the log', () => {
  it('has operators’ sessions, from their beginning to their end', async () => {
    const caller = await newcomer('comer')
    const current = BigInt(caller.credentialId.slice('session:'.length))
    const [one, other] = [
      await signIn(staging, attempt('operator', caller.email)),
      await signIn(staging, attempt('operator', caller.email)),
    ]
    await endOwnSession(staging, caller, one.session.id)
    expect(await endOtherSessions(staging, caller, current)).toBe(1)
    expect(await endOtherSessions(staging, caller, current)).toBe(0)
    await signOut(staging, caller, other.secret)
    const rows = await rowsAbout(caller.email)
    expect(rows.map(({ action }) => action)).toEqual([
      'session.sign_in',
      'session.sign_in',
      'session.sign_in',
      'session.end',
      'session.end_others',
      'session.sign_out',
    ])
    expect(rows[3]).toMatchObject({ target_kind: 'operator', after: { session: String(one.session.id) } })
  })

  it('has nothing of members’ sessions, which stand in their list', async () => {
    const count = async () => (await test.database.query('select from audit_log')).rowCount
    const before = await count()
    const { secret } = await signIn(staging, attempt('member', 'real@example.com'))
    const cookie = `warung_member=${secret}`
    const { caller } = await createMemberAuthenticator(staging)('self')(request({ cookie }))
    await signOut(staging, caller, secret)
    expect(await count()).toBe(before)
    expect(await refusal(() => createMemberAuthenticator(staging)('self')(request({ cookie })))).toBe(
      'invalid_session',
    )
  })
})

describe('a second factor', () => {
  it('is not confirmed by guessing: failures are counted with those of the password', async () => {
    const caller = await newcomer('guesser')
    const enrolment = await enrol(staging, await provenBy(caller))
    const right = codeOf(enrolment)
    const wrong = right === '000000' ? '000001' : '000000'
    for (let guess = 0; guess < 10; guess += 1) {
      const from = { ...caller, address: `198.51.100.${guess}` }
      expect(await refusal(() => confirmEnrolment(staging, from, wrong))).toBe('validation_failed')
    }
    const from = { ...caller, address: '198.51.100.99' }
    expect(await refusal(() => confirmEnrolment(staging, from, right))).toBe('too_many_requests')
  })

  it('is not confirmed a quarter of an hour after its secret was shown', async () => {
    const caller = await newcomer('sleeper')
    const enrolment = await enrol(staging, await provenBy(caller))
    await test.database.query(
      "update second_factors set created_at = created_at - interval '15 minutes' where person_id = $1",
      [caller.operatorId],
    )
    expect(await refusal(() => confirmEnrolment(staging, caller, codeOf(enrolment)))).toBe('conflict')
    await confirmEnrolment(staging, caller, codeOf(await enrol(staging, await provenBy(caller))))
  })

  it('opens on a node that has not seen its data key yet', async () => {
    const caller = await newcomer('elsewhere')
    const enrolment = await enrol(staging, await provenBy(caller))
    let isFresh = false
    const vault: Vault = {
      ...test.vault,
      open(context, sealed) {
        if (!isFresh) throw new UnknownDataKeyError(7)
        return test.vault.open(context, sealed)
      },
      async refresh() {
        isFresh = true
      },
    }
    await confirmEnrolment({ ...staging, vault }, caller, codeOf(enrolment))
  })
})

describe('invitations', () => {
  async function newInviter() {
    const accounts = { ...test, environment: 'staging' } as const
    made += 1
    const username = `inviter${made}`
    const shop = { name: 'Kedai', email: 'kedai@example.com', priceLevel: 'RETAIL' }
    const reseller = await createReseller(accounts, shop)
    await createUser(accounts, reseller.id, { username, password: PASSWORD, role: 'admin' })
    const { secret } = await signIn(staging, attempt('member', username, '192.0.2.5'))
    const cookie = `warung_member=${secret}`
    return (await createMemberAuthenticator(staging)('self')(request({ cookie }))).caller
  }
  let made = 0

  it('invitations to one address are limited to three a day, whoever invites, also at once and when they were revoked', async () => {
    const [one, other] = [await newInviter(), await newInviter()]
    const send = (caller: MemberCaller, email = 'Wanted@example.com') =>
      invite(staging, caller, { email, role: 'viewer' })
    const first = await send(one)
    await revokeInvitation(staging, one, first.id)
    const outcomes = await Promise.allSettled([send(one), send(other), send(one), send(other)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await refusal(() => send(other, 'wanted@example.com'))).toBe('too_many_requests')
    await send(one, 'somebody-else@example.com')
  })

  it('invitations of one account are limited to a hundred a day, however many are open', async () => {
    const caller = await newInviter()
    await test.database.query(
      `insert into invitations (reseller_id, digest, email, role, invited_by, expires_at, revoked_at)
       select $1, sha256(convert_to('filler' || n, 'utf8')), 'to' || n || '@example.com', 'viewer', $2,
              clock_timestamp() + interval '7 days', clock_timestamp() from generate_series(1, 99) n`,
      [caller.reseller.id, caller.userId],
    )
    await invite(staging, caller, { email: 'hundredth@example.com', role: 'viewer' })
    const another = () => invite(staging, caller, { email: 'one-more@example.com', role: 'viewer' })
    expect(await refusal(another)).toBe('too_many_requests')
    await test.database.query(
      "update invitations set created_at = created_at - interval '1 day' where reseller_id = $1",
      [caller.reseller.id],
    )
    await another()
  })

  it('invitations that ended long ago are forgotten', async () => {
    const caller = await newInviter()
    const [old, young] = [
      await invite(staging, caller, { email: 'old@example.com', role: 'viewer' }),
      await invite(staging, caller, { email: 'young@example.com', role: 'viewer' }),
    ]
    await test.database.query(
      "update invitations set expires_at = clock_timestamp() - interval '31 days' where id = $1",
      [old.id],
    )
    await sweepResets(staging)
    const left = await listInvitations(test.database, caller.reseller.id)
    expect(left.map(({ id }) => id)).toEqual([young.id])
  })
})

describe('sweeping', () => {
  it('forgets what ended long ago and keeps the rest', async () => {
    const [old, young] = [
      await signIn(staging, attempt('operator', 'real@example.com')),
      await signIn(staging, attempt('operator', 'real@example.com')),
    ]
    const shift = "update sessions set expires_at = clock_timestamp() - interval '31 days' where id = $1"
    await test.database.query(shift, [old.session.id])
    await sweepSessions(test.database)
    await sweepResets(staging)
    const { rows } = await test.database.query<{ id: bigint }>(
      'select id from sessions where id = any ($1::bigint[])',
      [[old.session.id, young.session.id]],
    )
    expect(rows.map(({ id }) => id)).toEqual([young.session.id])
  })
})
