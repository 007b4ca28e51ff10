import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { from, newAddress } from '../clients.ts'
import { expectForbidden, expectProblem, expectUnauthorized } from '../edge.ts'
import type { Answer } from '../http.ts'
import type { Service } from '../service.ts'
import { connectDatabase, until } from '../service.ts'
import { askRefresh, askToken, createUser } from '../tokens.ts'
import type { Browser, Side, SignInFields } from './people.ts'
import {
  appCode,
  call,
  createOperator,
  enrol,
  knownBrowser,
  signIn,
  signInMember,
  signInOperator,
  trySignIn,
} from './people.ts'

// Attackers who guess passwords, names, codes and tokens.

const FAILURES_MAX = 10

let service: Service
let database: pg.Client

beforeAll(async () => {
  service = (await shareDemo()).service
  database = await connectDatabase(service)
})
afterAll(() => database?.end())

const SIDES: readonly Side[] = ['operator', 'portal']

type Somebody = SignInFields & { account?: string }

async function somebody(side: Side): Promise<Somebody> {
  return side === 'operator' ? createOperator(service, 'support') : createUser(service)
}

function nobody(side: Side): SignInFields {
  const name = `nobody.${randomBytes(6).toString('hex')}@example.com`
  return { [side === 'operator' ? 'email' : 'username']: name, password: 'whatever it is' }
}

/** Returns everything that an answer reveals, without what identifies the request. */
function visibleParts({ status, headers, text }: Answer) {
  const { 'x-request-id': _id, date: _date, ...rest } = headers
  const limits = Object.keys(rest).filter((name) => name.startsWith('ratelimit-'))
  const names = Object.keys(rest).filter((name) => !limits.includes(name))
  return { status, text, names }
}

describe('a name that nobody can have', () => {
  it.each(['a\u0000b', 'İ'.repeat(254)])('is answered as nobody: %j', async (name) => {
    for (const side of SIDES) {
      const fields = { [side === 'operator' ? 'email' : 'username']: name }
      const signingIn = await trySignIn(service, side, { ...fields, password: 'whatever it is' })
      expectUnauthorized(signingIn, 'invalid_credentials')
      expect((await call(service, 'POST', `/${side}/v1/password-reset`, fields)).status).toBe(202)
    }
  })
})

describe('account enumeration', () => {
  it.each(SIDES)('an unknown, a wrong and a disabled person get one answer (%s)', async (side) => {
    const [known, disabled] = [await somebody(side), await somebody(side)]
    const words =
      side === 'operator'
        ? ['operator', 'disable', '--email', disabled.email ?? '']
        : ['user', 'disable', '--reseller', disabled.account ?? '', '--username', disabled.username ?? '']
    await service.warungd(...words)
    const { account: _, ...fields } = disabled
    const [wrong, off, unknown] = [
      await trySignIn(service, side, { ...known, password: 'a wrong one' }),
      await trySignIn(service, side, fields),
      await trySignIn(service, side, nobody(side)),
    ]
    expectUnauthorized(wrong, 'invalid_credentials')
    expect(visibleParts(off)).toEqual(visibleParts(wrong))
    expect(visibleParts(unknown)).toEqual(visibleParts(wrong))
  })

  it.each(SIDES)('names that do not exist are locked as those that do (%s)', async (side) => {
    for (const person of [await somebody(side), nobody(side)]) {
      const { account: _, ...fields } = person as Somebody
      const here = from(newAddress())
      for (let time = 0; time < FAILURES_MAX; time += 1) {
        const wrong = await trySignIn(service, side, { ...fields, password: `wrong ${time}` }, here)
        expectUnauthorized(wrong, 'invalid_credentials')
      }
      expectProblem(await trySignIn(service, side, fields, here), 429)
    }
  })

  it.each(SIDES)('a request for a new password gets the same answer, known or not (%s)', async (side) => {
    const ask = ({ email, username }: SignInFields) =>
      call(service, 'POST', `/${side}/v1/password-reset`, side === 'operator' ? { email } : { username })
    const [known, unknown] = [await ask(await somebody(side)), await ask(nobody(side))]
    expect(known.status).toBe(202)
    expect(visibleParts(unknown)).toEqual(visibleParts(known))
  })
})

describe('brute force', () => {
  it.each(SIDES)(
    'many guesses at once: at most ten are answered, then not even the right one (%s)',
    async (side) => {
      const { account: _, ...person } = await somebody(side)
      const here = from(newAddress())
      const guesses = Array.from({ length: 25 }, (_each, index) =>
        trySignIn(service, side, { ...person, password: `guess number ${index}` }, here),
      )
      const answers = await Promise.all(guesses)
      expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(FAILURES_MAX)
      const locked = await trySignIn(service, side, person, here)
      expectProblem(locked, 429)
      expect(Number(locked.headers['retry-after'])).toBeGreaterThan(0)
    },
  )

  it('letter case makes no other name of it', async () => {
    const operator = await createOperator(service, 'support')
    const here = from(newAddress())
    for (let time = 0; time < FAILURES_MAX; time += 1) {
      const email = time % 2 === 0 ? operator.email.toUpperCase() : operator.email
      await trySignIn(service, 'operator', { email, password: 'a wrong one' }, here)
    }
    expectProblem(await trySignIn(service, 'operator', operator, here), 429)
  })

  it('guesses of a member’s password by tokens and by signing in share one count', async () => {
    const { username, password } = await createUser(service)
    const here = from(newAddress())
    for (let time = 0; time < FAILURES_MAX; time += 1) {
      await askToken(service, { username, password: 'a wrong one' }, here)
    }
    expectProblem(await trySignIn(service, 'portal', { username, password }, here), 429)
  })

  it('guesses at an unwatched screen count too', async () => {
    const operator = await createOperator(service, 'support')
    const browser = await signIn(service, 'operator', operator)
    for (let time = 0; time < FAILURES_MAX; time += 1) {
      const wrong = await browser.send('POST', '/two-factor', { password: 'a wrong one' })
      expectForbidden(wrong, 'wrong_password')
    }
    expectProblem(await browser.send('POST', '/two-factor', { password: operator.password }), 429)
  })

  it('leaves one line in the audit log, as does signing in, and nothing of names that are nobody’s', async () => {
    const operator = await createOperator(service, 'support')
    const unknown = nobody('operator')
    const last = await database.query<{ sequence: string }>('select max(sequence) as sequence from audit_log')
    await signIn(service, 'operator', operator)
    for (const { email } of [operator, unknown]) {
      const here = from(newAddress())
      for (let time = 0; time <= FAILURES_MAX; time += 1) {
        await trySignIn(service, 'operator', { email: email ?? '', password: `a wrong one ${time}` }, here)
      }
    }
    const { rows } = await database.query<{ action: string; target: string; row: string }>(
      `select action, target, l::text as row from audit_log l
        where action like 'session.%' and sequence > $1 order by sequence`,
      [last.rows[0]?.sequence],
    )
    const own = rows.filter(({ target }) => target === operator.email)
    expect(own.map(({ action }) => action)).toEqual(['session.sign_in', 'session.lock_out'])
    const all = rows.map(({ row }) => row).join('\n')
    for (const secret of [operator.password, 'a wrong one', unknown.email ?? '?', 'nobody']) {
      expect(all).not.toContain(secret)
    }
  })

  it('guesses from one address are held up, whatever names they try', async () => {
    const address = newAddress()
    await until('an address is refused', async () => {
      const ask = () =>
        call(
          service,
          'POST',
          '/portal/v1/password-reset/confirm',
          { token: 'wpr_nonsense', password: 'whatever it is' },
          from(address),
        )
      const answers = await Promise.all(Array.from({ length: 60 }, ask))
      return answers.some(({ status }) => status === 429)
    })
  })
})

describe('a second factor', () => {
  async function enrolled(side: Side) {
    const { account: _, ...person } = await somebody(side)
    const browser = await signIn(service, side, person)
    const { secret, codes } = await enrol(browser, person.password)
    return { person, browser, secret, codes }
  }

  it.each(SIDES)('is asked for from its confirmation on, and not before (%s)', async (side) => {
    const { account: _, ...person } = await somebody(side)
    const browser = await signIn(service, side, person)
    await browser.send('POST', '/two-factor', { password: person.password })
    await signIn(service, side, person)
    const { secret } = await enrol(browser, person.password)
    expectUnauthorized(await trySignIn(service, side, person), 'code_required')
    expectUnauthorized(await trySignIn(service, side, { ...person, code: '000000' }), 'invalid_code')
    expectUnauthorized(
      await trySignIn(service, side, { ...person, password: 'a wrong one', code: appCode(secret) }),
      'invalid_credentials',
    )
    const signedIn = await signIn(service, side, { ...person, code: appCode(secret) })
    expect((await signedIn.get('/session')).json()).toMatchObject({ data: { two_factor: true } })
  })

  it.each(SIDES)('replay: a code that was taken is refused, and so is one before it (%s)', async (side) => {
    const { person, secret } = await enrolled(side)
    const [before, code] = [appCode(secret, Date.now() - 30_000), appCode(secret)]
    await signIn(service, side, { ...person, code })
    expectUnauthorized(await trySignIn(service, side, { ...person, code }), 'invalid_code')
    expectUnauthorized(await trySignIn(service, side, { ...person, code: before }), 'invalid_code')
  })

  it('replay: of one code sent many times at once one opens a session', async () => {
    const { person, secret } = await enrolled('operator')
    const code = appCode(secret)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => trySignIn(service, 'operator', { ...person, code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('keeps the legacy tokens shut, which cannot ask for it', async () => {
    const { account: _, ...person } = await somebody('portal')
    const browser = await signIn(service, 'portal', person)
    const before = await askToken(service, person)
    const { RefreshToken } = before.json<{ AuthenticationResult: { RefreshToken: string } }>()
      .AuthenticationResult
    await enrol(browser, person.password)
    const refused = (error: string) => ({ error, message: expect.any(String), errors: {} })
    for (let time = 0; time <= FAILURES_MAX; time += 1) {
      const answer = await askToken(service, person)
      expect([answer.status, answer.json()]).toMatchObject([401, refused('second_factor_enabled')])
    }
    const refreshed = await askRefresh(service, { refresh_token: RefreshToken })
    expect([refreshed.status, refreshed.json()]).toMatchObject([401, refused('invalid_refresh_token')])
    const wrong = await askToken(service, { ...person, password: 'wrong' })
    expect([wrong.status, wrong.json()]).toMatchObject([401, refused('invalid_credentials')])
  })

  it('its codes cannot be guessed either', async () => {
    const { person, browser, secret } = await enrolled('operator')
    const here = from(newAddress())
    for (let time = 0; time < FAILURES_MAX; time += 1) {
      const code = String(time).padStart(6, '0')
      await trySignIn(service, 'operator', { ...person, code }, here)
    }
    const right = { ...person, code: appCode(secret) }
    expectProblem(await trySignIn(service, 'operator', right, here), 429)
    const owner = { ...here, ...knownBrowser(browser) }
    expect((await trySignIn(service, 'operator', right, owner)).status).toBe(200)
  })

  it.each(SIDES)('a recovery code works once, however it is typed (%s)', async (side) => {
    const { person, codes, browser } = await enrolled(side)
    const [first = '', second = ''] = codes
    expect(codes).toHaveLength(10)
    await signIn(service, side, { ...person, code: first.toUpperCase().replaceAll('-', ' ') })
    expectUnauthorized(await trySignIn(service, side, { ...person, code: first }), 'invalid_code')
    expect((await browser.get('/two-factor')).json()).toMatchObject({
      data: { enabled: true, recovery_codes_left: 9 },
    })
    const foreign = await enrolled(side)
    expectUnauthorized(await trySignIn(service, side, { ...foreign.person, code: second }), 'invalid_code')
  })

  it('new recovery codes void the old ones', async () => {
    const { person, codes, browser, secret } = await enrolled('operator')
    const proof = { password: person.password, code: appCode(secret) }
    const renewed = await browser.send('POST', '/two-factor/recovery-codes', proof)
    expect(renewed.status, renewed.text).toBe(200)
    const { data } = renewed.json<{ data: { recovery_codes: string[] } }>()
    expectUnauthorized(
      await trySignIn(service, 'operator', { ...person, code: codes[0] ?? '' }),
      'invalid_code',
    )
    await signIn(service, 'operator', { ...person, code: data.recovery_codes[0] ?? '' })
  })

  it('is taken away by password and code together, and by neither alone', async () => {
    const { person, browser, secret } = await enrolled('operator')
    const disable = (password: string, code: string) =>
      browser.send('POST', '/two-factor/disable', { password, code })
    const code = appCode(secret)
    expectForbidden(await disable('a wrong one', code), 'wrong_password')
    expectProblem(await disable(person.password, '000000'), 400, ['code'])
    expectUnauthorized(await trySignIn(service, 'operator', person), 'code_required')
    expect((await disable(person.password, code)).status).toBe(204)
    await signIn(service, 'operator', person)
  })

  it('lies nowhere as it is', async () => {
    const { secret, codes } = await enrolled('operator')
    const { rows } = await database.query<{ all: string }>(
      `select string_agg(f::text, ' ') || (select string_agg(c::text, ' ') from recovery_codes c) as all
         from second_factors f`,
    )
    expect(rows[0]?.all).not.toContain(secret)
    for (const code of codes) expect(rows[0]?.all).not.toContain(code.replaceAll('-', ''))
  })
})

describe('an operator’s token', () => {
  async function token(browser: Browser, role: string, { password } = service.demo.operator) {
    const body = { label: 'nightly script', role, expires_in_days: 30, password }
    const answer = await browser.send('POST', '/tokens', body)
    expect(answer.status, answer.text).toBe(201)
    return answer.json<{ data: { id: string; token: string; role: string } }>().data
  }

  const bearing = (secret: string) => ({ Authorization: `Bearer ${secret}` })
  const whoAmI = (secret: string) => call(service, 'GET', '/operator/v1/session', undefined, bearing(secret))

  it('opens the API with its own role, without a cookie and without a CSRF token', async () => {
    const browser = await signInOperator(service)
    const made = await token(browser, 'read_only')
    expect(made.token).toMatch(/^wop_[\w-]{43}$/)
    expect((await whoAmI(made.token)).json()).toMatchObject({
      data: { email: service.demo.operator.email, role: 'read_only' },
      csrf_token: null,
    })
    const { text } = await browser.get('/tokens')
    expect(text).not.toContain(made.token)
    const { rows } = await database.query<{ all: string }>(
      `select string_agg(t::text, ' ') as all from operator_tokens t`,
    )
    expect(rows[0]?.all).not.toContain(made.token)
  })

  it('never can more than whoever makes it, nor more than they can later', async () => {
    const operator = await createOperator(service, 'finance')
    const browser = await signIn(service, 'operator', operator)
    for (const role of ['admin', 'support', 'catalogue']) {
      const body = { label: 'more', role, expires_in_days: 1, password: operator.password }
      expectForbidden(await browser.send('POST', '/tokens', body), 'insufficient_role')
    }
    const [full, reading] = [
      await token(browser, 'finance', operator),
      await token(browser, 'read_only', operator),
    ]
    await service.warungd('operator', 'role', '--email', operator.email, '--role', 'support')
    expectUnauthorized(await whoAmI(full.token), 'invalid_token')
    expect((await whoAmI(reading.token)).status).toBe(200)
    await service.warungd('operator', 'disable', '--email', operator.email)
    expectUnauthorized(await whoAmI(reading.token), 'invalid_token')
    await service.warungd('operator', 'enable', '--email', operator.email)
    expectUnauthorized(await whoAmI(reading.token), 'invalid_token')
  })

  it('does nothing that takes a person: sessions, passwords, second factors, other tokens', async () => {
    const { token: secret } = await token(await signInOperator(service), 'admin')
    const tries = [
      ['DELETE', '/sessions'],
      ['GET', '/sessions'],
      ['GET', '/two-factor'],
      ['GET', '/tokens'],
      ['POST', '/tokens'],
      ['POST', '/password'],
      ['POST', '/two-factor'],
    ] as const
    for (const [method, path] of tries) {
      const answer = await call(service, method, `/operator/v1${path}`, undefined, bearing(secret))
      expectForbidden(answer, 'session_required')
    }
  })

  it('ends when it is revoked and when its time is over; a stranger cannot revoke it', async () => {
    const browser = await signInOperator(service)
    const [revoked, old] = [await token(browser, 'admin'), await token(browser, 'admin')]
    const stranger = await signIn(service, 'operator', await createOperator(service, 'admin'))
    expectProblem(await stranger.send('DELETE', `/tokens/${revoked.id}`), 404)
    expect((await whoAmI(revoked.token)).status).toBe(200)
    expect((await browser.send('DELETE', `/tokens/${revoked.id}`)).status).toBe(204)
    expectUnauthorized(await whoAmI(revoked.token), 'invalid_token')
    await database.query('update operator_tokens set expires_at = clock_timestamp() where id = $1', [old.id])
    expectUnauthorized(await whoAmI(old.token), 'invalid_token')
    expectUnauthorized(await whoAmI(`wop_${'a'.repeat(43)}`), 'invalid_token')
  })

  it('opens nothing in the portal', async () => {
    const { token: secret } = await token(await signInOperator(service), 'admin')
    const answer = await call(service, 'GET', '/portal/v1/session', undefined, bearing(secret))
    expectUnauthorized(answer, 'unauthorized')
    expect((await (await signInMember(service)).get('/session')).status).toBe(200)
  })
})
