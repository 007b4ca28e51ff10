import type { KeyObject } from 'node:crypto'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IssuedTokens, TestReseller } from '../../edge.ts'
import {
  BALANCE,
  balanceOf,
  createKey,
  createReseller,
  expectUnauthorized,
  issueTokens,
  nowSeconds,
} from '../../edge.ts'
import type { Answer } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, openService, stopServices, until } from '../../service.ts'
import type { Credentials } from '../../signing.ts'
import { signRequest } from '../../signing.ts'

let database: TestDatabase
let service: Service
let reseller: TestReseller
let tokens: IssuedTokens

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database })
  reseller = await createReseller(service)
  tokens = await issueTokens(service, reseller.account)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

/** Promised time on every node: five seconds after the command has returned. */
const STOPS_WITHIN_MS = 5_000

function untilRefused(key: Credentials): Promise<Answer> {
  return until(
    'the key is refused',
    async () => {
      const answer = await balanceOf(service, key)
      return answer.status !== 200 && answer
    },
    STOPS_WITHIN_MS,
  )
}

describe('keys that end', () => {
  async function rotate(key: Credentials, graceSeconds: number): Promise<Credentials> {
    const which = ['--reseller', reseller.account, '--key', key.apiKey]
    const made = await service.warungd<{ key: string; signing_secret: string }>(
      ...(['key', 'rotate', ...which, '--grace-seconds', String(graceSeconds)] as const),
    )
    return { apiKey: made.key, secretBase64: made.signing_secret }
  }

  it('a revoked key is unknown', async () => {
    const key = await createKey(service, reseller.account)
    await service.warungd('key', 'revoke', '--reseller', reseller.account, '--key', key.apiKey)
    expectUnauthorized(await untilRefused(key), 'invalid_api_key')
    expect((await balanceOf(service, reseller)).status).toBe(200)
  })

  it('a key rotated at once is unknown, and its secret does not sign for the new one', async () => {
    const old = await createKey(service, reseller.account)
    const fresh = await rotate(old, 0)
    expectUnauthorized(await untilRefused(old), 'invalid_api_key')
    expect((await balanceOf(service, fresh)).status).toBe(200)
    const mixed = await balanceOf(service, { ...fresh, secretBase64: old.secretBase64 })
    expect(mixed.json()).toMatchObject({ error: 'invalid_signature' })
  })

  it('a key rotated with a grace works beside the new one, and ends with the grace', async () => {
    const old = await createKey(service, reseller.account)
    const fresh = await rotate(old, 3_600)
    await until('the new key is known', async () => (await balanceOf(service, fresh)).status === 200)
    expect((await balanceOf(service, old)).status).toBe(200)
    const freshest = await rotate(fresh, 1)
    await until('the newest key is known', async () => (await balanceOf(service, freshest)).status === 200)
    expectUnauthorized(await untilRefused(fresh), 'invalid_api_key')
    expect((await balanceOf(service, old)).status).toBe(200)
  })
})

describe('bearer tokens', () => {
  const withBearer = (token: string) => service.get(BALANCE, { Authorization: `Bearer ${token}` })

  it.each(['', 'garbage', 'a.b.c', 'x'.repeat(5_000), 'null', 'eyJhbGciOiJub25lIn0.e30.'])(
    '%s is no token',
    async (token) => {
      expectUnauthorized(await withBearer(token), 'invalid_token')
    },
  )

  it('the access token and the refresh token are of the wrong kind', async () => {
    expectUnauthorized(await withBearer(tokens.AccessToken), 'invalid_token')
    expectUnauthorized(await withBearer(tokens.RefreshToken), 'invalid_token')
  })

  it('an ID token that was changed in one place is refused', async () => {
    const [header = '', payload = '', tail = ''] = tokens.IdToken.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const later = encode({ ...claims, exp: nowSeconds() + 999_999 })
    const noneAlgorithm = encode({ ...decodeHeader(tokens.IdToken), alg: 'none' })
    const tampered = [
      `${header}.${later}.${tail}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${noneAlgorithm}.${payload}.`,
      `${header}.${payload}.${tail.slice(0, -4)}AAAA`,
    ]
    for (const token of tampered) expectUnauthorized(await withBearer(token), 'invalid_token')
    expect((await withBearer(tokens.IdToken)).status).toBe(200)
  })

  describe('signed by a key that the service knows', () => {
    let key: KeyObject
    const kid = `test-${randomUUID()}`

    // The test adds its own key where another node would have put its key, so that tokens can have any claims.
    beforeAll(async () => {
      const { alg } = decodeHeader(tokens.IdToken)
      expect(alg).toBe('ES256')
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      key = pair.privateKey
      const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }
      await database.query(
        `insert into token_keys (kid, public_jwk, sealed_private_jwk, retires_at)
         values ($1, $2, '', now() + interval '1 day')`,
        [kid, jwk],
      )
    })

    function forge(changes: Record<string, unknown>, headerChanges: Record<string, unknown> = {}): string {
      const [, payload = ''] = tokens.IdToken.split('.')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
      const header = { ...decodeHeader(tokens.IdToken), kid, ...headerChanges }
      const text = `${encode(header)}.${encode({ ...claims, jti: randomUUID(), ...changes })}`
      const tail = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
      return `${text}.${tail.toString('base64url')}`
    }

    it('a right request opens the account, so the next tests fail for their own reason', async () => {
      expect((await withBearer(forge({}))).status).toBe(200)
    })

    it('an expired one is refused', async () => {
      const past = nowSeconds() - 1
      expectUnauthorized(await withBearer(forge({ iat: past - 3_600, exp: past })), 'invalid_token')
    })

    it('one that expires while it is in use is refused from then on', async () => {
      const token = forge({ exp: nowSeconds() + 2 })
      expect((await withBearer(token)).status).toBe(200)
      const refused = await until('it has expired', async () => {
        const answer = await withBearer(token)
        return answer.status !== 200 && answer
      })
      expectUnauthorized(refused, 'invalid_token')
    })

    it.each([
      ['of another issuer', { iss: 'https://elsewhere.example' }, {}],
      ['for another audience', { aud: 'elsewhere' }, {}],
      ['for no user', { sub: '999999999' }, {}],
      ['without an end', { exp: undefined }, {}],
      ['of the access kind', {}, { typ: 'at+jwt' }],
      ['under an unknown key', {}, { kid: 'nobodys' }],
      ['without a key id', {}, { kid: undefined }],
    ])('one %s is refused', async (_, claims, header) => {
      expectUnauthorized(await withBearer(forge(claims, header)), 'invalid_token')
    })
  })
})

describe('signed headers and a bearer token together', () => {
  it('the signed headers decide, right or wrong', async () => {
    const right = signRequest({ ...reseller, method: 'GET' })
    const bearer = { Authorization: `Bearer ${tokens.IdToken}` }
    expect((await service.get(BALANCE, { ...right, Authorization: 'Bearer garbage' })).status).toBe(200)
    expectUnauthorized(await service.get(BALANCE, { ...right, ...bearer }), 'nonce_reused')
    expectUnauthorized(await service.get(BALANCE, { 'X-Api-Key': '', ...bearer }), 'missing_api_key')
    expectUnauthorized(
      await service.get(BALANCE, { 'X-Api-Key': 'wk_stg_nobodys', ...bearer }),
      'invalid_api_key',
    )
    const keyAlone = { 'X-Api-Key': reseller.apiKey, ...bearer }
    expectUnauthorized(await service.get(BALANCE, keyAlone), 'missing_hmac_headers')
  })
})

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decodeHeader(token: string): Record<string, unknown> {
  const [header = ''] = token.split('.')
  return JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>
}
