import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { errorOf, from, newAddress, untilAnswered } from '../../clients.ts'
import { BALANCE, balanceOf, createReseller, expectEdgeHeaders, expectUnauthorized } from '../../edge.ts'
import { send } from '../../http.ts'
import type { Service } from '../../service.ts'
import { runWarungd } from '../../service.ts'
import { signRequest } from '../../signing.ts'
import type { TestUser } from '../../tokens.ts'
import { askToken, balanceByToken, createUser, getTokens, tokensIn } from '../../tokens.ts'

let service: Service
let user: TestUser

beforeAll(async () => {
  service = (await shareDemo()).service
  user = await createUser(service)
})

function postForm(body: string, contentType = 'application/x-www-form-urlencoded') {
  const headers = { 'Content-Type': contentType, ...from(newAddress()) }
  return send({ baseUrl: service.baseUrl, method: 'POST', path: '/v2/token', headers, body })
}

describe('POST /v2/token with the right password', () => {
  it('answers the contract’s record and nothing else, which nobody may store', async () => {
    const answer = await askToken(service, { username: user.username, password: user.password })
    expect(answer.status).toBe(200)
    expect(answer.json()).toStrictEqual({
      AuthenticationResult: {
        AccessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        ExpiresIn: 3600,
        TokenType: 'Bearer',
        RefreshToken: expect.stringMatching(/^\S{32,}$/),
        IdToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      },
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    expectEdgeHeaders(answer)
  })

  it('says that it is deprecated and where its successor is described', async () => {
    const answer = await askToken(service, { username: user.username, password: user.password })
    expect(answer.headers.deprecation).toMatch(/\S/)
    const link = /^<([^>]+)>; rel="successor-version"$/.exec(String(answer.headers.link))?.[1]
    expect((await service.get(link ?? '')).status).toBe(200)
  })

  it('takes a form as well as JSON, and other fields beside', async () => {
    const fields = { username: user.username, password: user.password, client_id: 'till 1' }
    expect((await askToken(service, fields)).status).toBe(200)
    const form = new URLSearchParams(fields).toString()
    for (const type of [
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded; charset=UTF-8',
    ]) {
      const answer = await postForm(form, type)
      expect((await balanceByToken(service, tokensIn(answer).IdToken)).status).toBe(200)
    }
  })

  it('takes a password of any letters, spaces and signs, by both ways of sending', async () => {
    const password = ' +&=%25 "пароль" 王小明 🍜'
    const login = ['--reseller', user.account, '--username', 'any.letters']
    await service.warungd('user', 'create', ...login, '--role', 'admin')
    await setPassword('any.letters', password)
    const credentials = { username: 'any.letters', password }
    expect((await askToken(service, credentials)).status).toBe(200)
    expect((await postForm(new URLSearchParams(credentials).toString())).status).toBe(200)
    expect((await askToken(service, { ...credentials, password: password.trim() })).status).toBe(401)
  })

  it('knows the user by its name in any letter case', async () => {
    const username = user.username.toUpperCase()
    expect((await askToken(service, { username, password: user.password })).status).toBe(200)
  })

  it('reads JSON when no type is named', async () => {
    const body = JSON.stringify({ username: user.username, password: user.password })
    const headers = from(newAddress())
    const answer = await send({
      baseUrl: service.baseUrl,
      method: 'POST',
      path: '/v2/token',
      headers,
      body,
    })
    expect(answer.status).toBe(200)
  })

  it('gives each caller tokens of its own, and leaves the earlier ones alone', async () => {
    const first = await getTokens(service, user)
    const second = await getTokens(service, user)
    expect(second.IdToken).not.toBe(first.IdToken)
    expect(second.RefreshToken).not.toBe(first.RefreshToken)
    for (const { IdToken } of [first, second]) {
      expect((await balanceByToken(service, IdToken)).status).toBe(200)
    }
  })
})

async function setPassword(username: string, password: string): Promise<void> {
  const args = ['user', 'password', '--reseller', user.account, '--username', username, '--password-stdin']
  const { code, stdout, stderr } = await runWarungd(service.environment, args, `${password}\n`)
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stderr: '' })
  expect(stdout).not.toContain(password)
}

describe('the ID token as bearer', () => {
  it('shows the account of its user, to admins and viewers alike', async () => {
    const reseller = await createReseller(service)
    const signedAnswer = await balanceOf(service, reseller)
    for (const role of ['admin', 'viewer'] as const) {
      const { IdToken } = await getTokens(
        service,
        await createUser(service, { account: reseller.account, role }),
      )
      const answer = await balanceByToken(service, IdToken)
      expect(answer.status).toBe(200)
      expect(answer.json()).toEqual(signedAnswer.json())
    }
  })

  it('is the only token that counts: access and refresh tokens are refused', async () => {
    const { AccessToken, RefreshToken } = await getTokens(service, user)
    for (const token of [AccessToken, RefreshToken]) {
      expectUnauthorized(await balanceByToken(service, token), 'invalid_token')
    }
  })

  it('is refused when anything about it was changed', async () => {
    const { IdToken } = await getTokens(service, user)
    const [header = '', payload = '', signature = ''] = IdToken.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = [
      `${header}.${encode({ ...claims, exp: Number(claims.exp) + 1 })}.${signature}`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${payload}`,
      `${IdToken}x`,
      '',
    ]
    for (const token of forged) {
      const answer = await balanceByToken(service, token)
      expect(answer.status).toBe(401)
      expect(errorOf(answer)).toMatch(/^(invalid_token|unauthorized)$/)
    }
    expect((await balanceByToken(service, IdToken)).status).toBe(200)
  })

  it('is not looked at when the request is signed: the signature decides', async () => {
    const reseller = await createReseller(service)
    const { IdToken } = await getTokens(service, user)
    const signature = { ...signRequest({ ...reseller, method: 'GET' }) }
    const ask = (headers: Record<string, string>) =>
      send({ baseUrl: service.baseUrl, path: BALANCE, headers })
    const both = await ask({ ...signature, Authorization: 'Bearer nonsense' })
    expect(both.json()).toMatchObject({ data: { account: reseller.account } })
    const wrong = { ...signature, 'X-Signature': `v1=${Buffer.alloc(32).toString('base64')}` }
    expect(errorOf(await ask({ ...wrong, Authorization: `Bearer ${IdToken}` }))).toBe('invalid_signature')
  })

  it('stops within 5 seconds when its user is disabled', async () => {
    const person = await createUser(service)
    const { IdToken } = await getTokens(service, person)
    expect((await balanceByToken(service, IdToken)).status).toBe(200)
    const login = ['--reseller', person.account, '--username', person.username]
    await service.warungd('user', 'disable', ...login)
    const refused = await untilAnswered(() => balanceByToken(service, IdToken), 401, 'invalid_token')
    expectUnauthorized(refused, 'invalid_token')
    await service.warungd('user', 'enable', ...login)
    await untilAnswered(() => balanceByToken(service, IdToken), 200)
  })
})
