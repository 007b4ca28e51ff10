import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { expectForbidden, expectProblem, expectUnauthorized } from '../edge.ts'
import type { Service } from '../service.ts'
import { connectDatabase } from '../service.ts'
import { createUser } from '../tokens.ts'
import type { Side } from './people.ts'
import { browserOf, call, cookieIn, createOperator, signIn, signInMember, trySignIn } from './people.ts'

let service: Service
let database: pg.Client

beforeAll(async () => {
  service = (await shareDemo()).service
  database = await connectDatabase(service)
})
afterAll(() => database?.end())

const SIDES: readonly Side[] = ['operator', 'portal']

/** Makes a user of one side that no other test uses. */
async function somebody(side: Side) {
  if (side === 'operator') return createOperator(service, 'support')
  const { username, password, account } = await createUser(service)
  return { username, password, account }
}

describe('signing in', () => {
  it('says who one is, and gives cookies that scripts cannot read and a CSRF token', async () => {
    const answer = await trySignIn(service, 'operator', service.demo.operator)
    expect(answer.status).toBe(200)
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^warung_operator=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(
        /^warung_operator_device=[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
      ),
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual({
      data: {
        kind: 'operator',
        id: expect.stringMatching(/^\d+$/),
        email: service.demo.operator.email,
        name: 'Demo operator',
        role: 'admin',
        two_factor: false,
      },
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
    })
    const browser = browserOf(service, 'operator', answer)
    expect((await browser.get('/session')).json()).toEqual(answer.json())
  })

  it('tells a member which account is theirs', async () => {
    const [reseller] = service.demo.resellers
    const browser = await signInMember(service)
    expect((await browser.get('/session')).json()).toMatchObject({
      data: {
        kind: 'member',
        username: reseller?.username,
        role: 'admin',
        reseller: { account: reseller?.account, name: reseller?.name },
      },
    })
  })

  it.each(SIDES)('keeps nothing in the database that opens the door (%s)', async (side) => {
    const browser = await signIn(service, side, await somebody(side))
    const { rows } = await database.query<{ all: string }>(
      `select string_agg(s::text, ' ') || (select string_agg(d::text, ' ') from sign_in_devices d) as all
         from sessions s`,
    )
    expect(rows[0]?.all).not.toContain(browser.deviceSecret)
    expect(rows[0]?.all).not.toContain(browser.secret)
    expect(rows[0]?.all).not.toContain(Buffer.from(browser.secret).toString('hex'))
    expect(rows[0]?.all).not.toContain(browser.csrfToken)
  })

  it('lets nobody in without it', async () => {
    for (const side of SIDES) {
      expectUnauthorized(await call(service, 'GET', `/${side}/v1/session`), 'unauthorized')
      expectUnauthorized(
        await call(service, 'GET', `/${side}/v1/session`, undefined, {
          Cookie: `warung_operator=${'a'.repeat(43)}; warung_member=${'a'.repeat(43)}`,
        }),
        'invalid_session',
      )
    }
  })

  it('signing in on one side opens nothing on the other', async () => {
    const member = await signInMember(service)
    const answer = await call(service, 'GET', '/operator/v1/session', undefined, {
      Cookie: `warung_member=${member.secret}; warung_operator=${member.secret}`,
    })
    expectUnauthorized(answer, 'invalid_session')
  })
})

describe('the question who is signed in', () => {
  const ask = (side: Side, query: string, headers = {}) =>
    call(service, 'GET', `/${side}/v1/session${query}`, undefined, headers)

  it.each(['portal', 'operator'] as const)('(%s) is no error for a page when nobody is', async (side) => {
    const nobody = await ask(side, '?quiet=true')
    expect([nobody.status, nobody.text]).toEqual([204, ''])
    expect(nobody.headers['cache-control']).toBe('no-store')
    for (const query of ['', '?quiet=false', '?quiet=1']) {
      expectUnauthorized(await ask(side, query), 'unauthorized')
    }
  })

  it.each(['portal', 'operator'] as const)(
    '(%s) refuses a session that does not hold, however quietly',
    async (side) => {
      const name = { portal: 'warung_member', operator: 'warung_operator' }[side]
      const cookie = { Cookie: `${name}=${'a'.repeat(43)}` }
      expectUnauthorized(await ask(side, '?quiet=true', cookie), 'invalid_session')
      const bearer = { Authorization: `Bearer wop_${'a'.repeat(43)}` }
      expect((await ask(side, '?quiet=true', bearer)).status).toBe(401)
    },
  )
})

describe('session fixation', () => {
  it.each(SIDES)('a cookie that somebody planted does not become the session (%s)', async (side) => {
    const planted = 'p'.repeat(43)
    const cookie = { Cookie: `warung_operator=${planted}; warung_member=${planted}` }
    const answer = await trySignIn(service, side, await somebody(side), cookie)
    expect(answer.status).toBe(200)
    expect(cookieIn(answer, side)).not.toBe(planted)
    expectUnauthorized(
      await call(service, 'GET', `/${side}/v1/session`, undefined, cookie),
      'invalid_session',
    )
  })

  it.each(SIDES)('the session one had before signing in ends with it (%s)', async (side) => {
    const [attacker, victim] = [await somebody(side), await somebody(side)]
    const before = await signIn(service, side, attacker)
    const cookie = { Cookie: `warung_operator=${before.secret}; warung_member=${before.secret}` }
    const answer = await trySignIn(service, side, victim, cookie)
    expect(cookieIn(answer, side)).not.toBe(before.secret)
    expectUnauthorized(await before.get('/session'), 'invalid_session')
  })
})

describe('CSRF: a write', () => {
  it.each(SIDES)(
    'a write without the session’s own token is refused, and does nothing (%s)',
    async (side) => {
      const person = await somebody(side)
      const browser = await signIn(service, side, person)
      const other = await signIn(service, side, person)
      for (const token of ['', 'a'.repeat(43), other.csrfToken, browser.csrfToken.slice(0, -1)]) {
        const answer = await browser.send('DELETE', '/sessions', undefined, { 'X-CSRF-Token': token })
        expectForbidden(answer, 'invalid_csrf_token')
      }
      const name = side === 'operator' ? 'warung_operator' : 'warung_member'
      const cookie = { Cookie: `${name}=${browser.secret}` }
      expectForbidden(
        await call(service, 'DELETE', `/${side}/v1/sessions`, undefined, cookie),
        'invalid_csrf_token',
      )
      expect((await other.get('/session')).status).toBe(200)
      expect((await browser.send('DELETE', '/sessions')).json()).toEqual({ data: { ended: 1 } })
    },
  )

  it.each(SIDES)(
    'a write that another site’s page made is refused, even with the token (%s)',
    async (side) => {
      const browser = await signIn(service, side, await somebody(side))
      const foreign = [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
      ]
      for (const headers of foreign) {
        expectForbidden(await browser.send('DELETE', '/session', undefined, headers), 'foreign_origin')
      }
      const own = { Origin: service.baseUrl, 'Sec-Fetch-Site': 'same-origin' }
      expect((await browser.send('DELETE', '/session', undefined, own)).status).toBe(204)
    },
  )

  it.each(SIDES)('a sign-in from another site’s page is refused (%s)', async (side) => {
    const person = await somebody(side)
    expectForbidden(
      await trySignIn(service, side, person, { Origin: 'https://evil.example' }),
      'foreign_origin',
    )
    expectForbidden(
      await trySignIn(service, side, person, { 'Sec-Fetch-Site': 'cross-site' }),
      'foreign_origin',
    )
  })

  it('as a form of another site could send it is not read', async () => {
    const body = JSON.stringify(service.demo.operator)
    const answer = await call(service, 'POST', '/operator/v1/session', JSON.parse(body), {
      'Content-Type': 'text/plain',
    })
    expectProblem(answer, 415)
  })
})

describe('a session', () => {
  it.each(SIDES)('ends when one signs out (%s)', async (side) => {
    const browser = await signIn(service, side, await somebody(side))
    const answer = await browser.send('DELETE', '/session')
    expect(answer.status).toBe(204)
    expect(answer.headers['set-cookie']?.[0]).toMatch(/=; Path=\/; Max-Age=0;/)
    expectUnauthorized(await browser.get('/session'), 'invalid_session')
  })

  it.each(SIDES)('is listed, and ended by its owner from another (%s)', async (side) => {
    const person = await somebody(side)
    const [first, second] = [await signIn(service, side, person), await signIn(service, side, person)]
    const { data } = (await second.get('/sessions')).json<{ data: { id: string; is_current: boolean }[] }>()
    expect(data.map((each) => each.is_current)).toEqual([true, false])
    const stranger = await signIn(service, side, await somebody(side))
    const path = `/sessions/${data[1]?.id}`
    const [foreign, unknown] = [
      await stranger.send('DELETE', path),
      await stranger.send('DELETE', '/sessions/999999999'),
    ]
    expectProblem(foreign, 404)
    expect(foreign.json()).toEqual(unknown.json())
    expect((await second.send('DELETE', path)).status).toBe(204)
    expectUnauthorized(await first.get('/session'), 'invalid_session')
    expect((await second.get('/session')).status).toBe(200)
  })

  it.each(SIDES)('ends when nobody used it for long, and after its time however busy (%s)', async (side) => {
    const person = await somebody(side)
    const idleSeconds = side === 'operator' ? 1_800 : 43_200
    const lifetimeSeconds = side === 'operator' ? 43_200 : 604_800
    const ids = async () => {
      const browser = await signIn(service, side, person)
      const { data } = (await browser.get('/sessions')).json<{ data: { id: string }[] }>()
      return { browser, id: data[0]?.id }
    }
    const [unused, busy] = [await ids(), await ids()]
    const shift = 'update sessions set last_seen_at = last_seen_at - make_interval(secs => $2) where id = $1'
    await database.query(shift, [unused.id, idleSeconds - 60])
    expect((await unused.browser.get('/session')).status).toBe(200)
    // The request counted as a use, and was recorded.
    await database.query(shift, [unused.id, idleSeconds - 60])
    expect((await unused.browser.get('/session')).status).toBe(200)
    await database.query(shift, [unused.id, idleSeconds])
    expectUnauthorized(await unused.browser.get('/session'), 'invalid_session')
    const { rows } = await database.query<{ fits: boolean }>(
      'select expires_at <= created_at + make_interval(secs => $2) as fits from sessions where id = $1',
      [busy.id, lifetimeSeconds + 1],
    )
    expect(rows[0]?.fits).toBe(true)
    await database.query('update sessions set expires_at = clock_timestamp() where id = $1', [busy.id])
    expectUnauthorized(await busy.browser.get('/session'), 'invalid_session')
  })

  it('an operator’s session ends for good with a new password, another role and a disabled login', async () => {
    const steps = [
      ['operator', 'password'],
      ['operator', 'role', '--role', 'finance'],
      ['operator', 'disable'],
    ]
    for (const [noun = '', verb = '', ...rest] of steps) {
      const operator = await createOperator(service, 'support')
      const browser = await signIn(service, 'operator', operator)
      await service.warungd(noun, verb, '--email', operator.email, ...rest)
      expectUnauthorized(await browser.get('/session'), 'invalid_session')
      await service.warungd('operator', 'enable', '--email', operator.email)
      await service.warungd('operator', 'role', '--email', operator.email, '--role', 'support')
      expectUnauthorized(await browser.get('/session'), 'invalid_session')
    }
  })

  it('a member’s session ends for good with a new password, another role and a disabled login', async () => {
    const steps = [
      ['user', 'password'],
      ['user', 'role', '--role', 'viewer'],
      ['user', 'disable'],
    ]
    for (const [noun = '', verb = '', ...rest] of steps) {
      const { account, ...member } = await createUser(service)
      const browser = await signIn(service, 'portal', member)
      const words = ['--reseller', account, '--username', member.username]
      await service.warungd(noun, verb, ...words, ...rest)
      expectUnauthorized(await browser.get('/session'), 'invalid_session')
      await service.warungd('user', 'enable', ...words)
      expectUnauthorized(await browser.get('/session'), 'invalid_session')
    }
  })
})

describe('a change of password', () => {
  it.each(SIDES)(
    'takes the present one, ends every session and goes on with a new one (%s)',
    async (side) => {
      const person = await somebody(side)
      const [here, elsewhere] = [await signIn(service, side, person), await signIn(service, side, person)]
      const password = 'a new and longer one'
      const change = (current: string) =>
        here.send('POST', '/password', { current_password: current, password })
      expectProblem(await change('a wrong one'), 400, ['current_password'])
      const answer = await change(person.password)
      expect(answer.status, answer.text).toBe(200)
      for (const old of [here, elsewhere]) expectUnauthorized(await old.get('/session'), 'invalid_session')
      expect((await browserOf(service, side, answer).get('/session')).status).toBe(200)
      expectUnauthorized(await trySignIn(service, side, person), 'invalid_credentials')
      await signIn(service, side, { ...person, password })
    },
  )

  it('says what a password must be like, and changes nothing', async () => {
    const operator = await createOperator(service, 'support')
    const browser = await signIn(service, 'operator', operator)
    const body = { current_password: operator.password, password: 'short' }
    expectProblem(await browser.send('POST', '/password', body), 400, ['password'])
    expect((await browser.get('/session')).status).toBe(200)
  })
})

describe('both documents', () => {
  it('are served, and are not the resellers’', async () => {
    const ids = async (path: string) => {
      const { paths } = (await service.get(path)).json<{ paths: Record<string, object> }>()
      return Object.keys(paths)
    }
    expect(await ids('/operator/v1/openapi.json')).toContain('/operator/v1/session')
    expect(await ids('/portal/v1/openapi.json')).toContain('/portal/v1/session')
    expect((await ids('/openapi.json')).filter((path) => /^\/(operator|portal)/.test(path))).toEqual([])
  })
})
