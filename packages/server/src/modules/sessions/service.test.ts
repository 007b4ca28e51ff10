import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../config.ts'
import type { IncomingRequest } from '../../http/operation.ts'
import { RequestError } from '../../lib/errors.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { createOperator, createReseller, createUser } from '../accounts/service.ts'
import { createAuditLog } from '../audit/service.ts'
import { createMemberAuthenticator, createOperatorAuthenticator } from './authentication.service.ts'
import { confirmReset, requestReset, sweepResets } from './passwords.service.ts'
import type { SignIn } from './service.ts'
import { signIn, sweepSessions } from './service.ts'
import type { SessionsOptions } from './settings.types.ts'
import { createOperatorToken } from './tokens.service.ts'

const PASSWORD = 'a long enough password'

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
    config: { environment, publicUrl: undefined, dashboardUrl: undefined },
    nowMs: Date.now,
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
        : (options: SessionsOptions) => createMemberAuthenticator(options)()
    const cookie = `warung_${kind}=${secret}`
    expect(await authenticate(staging)(request({ cookie }))).toMatchObject({ caller: { kind } })
    expect(await refusal(() => authenticate(production)(request({ cookie })))).toBe('invalid_session')
  })

  it('takes no token of a demo operator', async () => {
    const { secret } = await signIn(staging, attempt('operator', 'demo@example.com'))
    const authenticated = await createOperatorAuthenticator(staging)()(
      request({ cookie: `warung_operator=${secret}` }),
    )
    const { token } = await createOperatorToken(staging, authenticated.caller, {
      label: 'script',
      role: 'admin',
      expiresInDays: 1,
    })
    const bearing = request({ authorization: `Bearer ${token}` })
    expect(await createOperatorAuthenticator(staging)()(bearing)).toMatchObject({ caller: { via: 'token' } })
    expect(await refusal(() => createOperatorAuthenticator(production)()(bearing))).toBe('invalid_token')
  })

  it.each(['operator', 'member'] as const)('lets a real %s in', async (kind) => {
    const { person } = await signIn(production, attempt(kind, 'REAL@example.com '))
    expect(person).toMatchObject({ kind, login: 'real@example.com' })
  })
})

describe('with an https address', () => {
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

describe('what is written down of a request for a new password', () => {
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
