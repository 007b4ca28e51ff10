import { createHash, createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IncomingRequest } from '../../http/operation.ts'
import { RequestError } from '../../lib/errors.ts'
import type { TestUser, TokenNode, TokensBench } from '../../testing/tokens.ts'
import { newAddress, openTokensBench } from '../../testing/tokens.ts'
import { DIRECTORY_STALE_MS } from '../accounts/directory.ts'
import { allowNetworks, createApiKey } from '../accounts/keys.service.ts'
import { createUser } from '../accounts/service.ts'
import type { Scope } from '../accounts/types.ts'
import { createNonces } from './nonces.service.ts'
import type { Authenticator, AuthenticatorOptions } from './service.ts'
import { createAuthenticator, createRecognizer, nonceRefused, seesSecrets } from './service.ts'

let bench: TokensBench
let node: TokenNode
let options: AuthenticatorOptions
let authenticate: Authenticator

beforeAll(async () => {
  bench = await openTokensBench()
  node = await bench.openNode()
  options = {
    directory: node.directory,
    nonces: createNonces(bench.database),
    tokens: node.tokens,
    clock: { nowMs: Date.now },
    explainSignatures: false,
  }
  authenticate = createAuthenticator(options)
})
afterAll(() => bench.close())

function requestWith(headers: IncomingRequest['headers']): IncomingRequest {
  return {
    id: randomUUID(),
    method: 'GET',
    rawQuery: '',
    headers,
    body: Buffer.alloc(0),
    address: '203.0.113.9',
    deadlineMs: performance.now() + 20_000,
  }
}

const BODY_HASH = createHash('sha256').update('').digest('base64')
const nowSeconds = () => String(Math.floor(Date.now() / 1_000))

function signedHeaders(
  key: string,
  secret: Buffer,
  nonce: string = randomUUID(),
  { timestamp = nowSeconds(), method = 'GET' } = {},
) {
  const canonical = ['v1', timestamp, nonce, method, '', BODY_HASH].join(':')
  const signature = `v1=${createHmac('sha256', secret).update(canonical).digest('base64')}`
  return { 'x-api-key': key, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature }
}

async function newKey(resellerId: bigint, scopes: Scope[], withoutSecret = false) {
  const made = await createApiKey(bench.accounts, resellerId, { label: '', scopes, withoutSecret })
  await node.directory.refresh()
  return { id: String(made.id), key: made.key, secret: Buffer.from(made.signingSecret ?? '', 'base64') }
}

async function refusalOf(
  scope: Scope,
  request: IncomingRequest,
  authenticated = authenticate,
): Promise<RequestError> {
  try {
    await authenticated(scope)(request)
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
  throw new Error('a refusal was expected')
}

describe('the owner learns of a refused request', () => {
  it('a refused request of a key without the scope is told, and so is a nonce that such a request used before', async () => {
    const { resellerId, account } = await bench.newUser()
    const { id, key, secret } = await newKey(resellerId, ['read'])
    const claimed = { reseller: account, key_id: id }
    const headers = signedHeaders(key, secret)
    expect(await refusalOf('pay', requestWith(headers))).toMatchObject({
      code: 'insufficient_scope',
      claimed,
    })
    expect(await refusalOf('pay', requestWith(headers))).toMatchObject({ code: 'nonce_reused', claimed })
  })

  it('a refused bearer token from an address that is not on the list is told', async () => {
    const user = await bench.newUser()
    const { idToken } = await node.tokens.issue({ ...user, address: newAddress() })
    await allowNetworks(bench.accounts, user.resellerId, { networks: ['198.51.100.0/24'] })
    await node.directory.refresh()
    expect(await refusalOf('read', requestWith({ authorization: `Bearer ${idToken}` }))).toMatchObject({
      code: 'ip_not_allowed',
      claimed: { reseller: user.account, user_id: String(user.userId) },
    })
  })
})

describe('a signed request', () => {
  it('is one of its key and account, with the scopes of the key, and is confirmed once', async () => {
    const { resellerId, account } = await bench.newUser()
    const { id, key, secret } = await newKey(resellerId, ['read', 'pay'])
    const headers = signedHeaders(key, secret)
    const first = await authenticate('pay')(requestWith(headers))
    expect(first).toMatchObject({
      caller: { kind: 'key', memberId: id, reseller: { account }, scopes: new Set(['read', 'pay']) },
      query: {},
      logFields: { reseller: account, key_id: id },
    })
    await first.confirm?.()
    const second = await authenticate('pay')(requestWith(headers))
    await expect(second.confirm?.()).rejects.toMatchObject({ status: 401, code: 'nonce_reused' })
  })

  it('a request that lacks something, or has it in a wrong form, is refused with the code of the first fault', async () => {
    const { resellerId } = await bench.newUser()
    const { key, secret } = await newKey(resellerId, ['read'])
    const { key: bare } = await newKey(resellerId, ['read'], true)
    const right = signedHeaders(key, secret)
    const { 'x-api-key': _key, ...keyless } = right
    const codes = {
      unauthorized: [keyless, { ...keyless, authorization: 'Basic a2V5' }, {}],
      missing_api_key: [{ ...right, 'x-api-key': '' }],
      invalid_api_key: [{ ...right, 'x-api-key': 'unknown' }, { 'x-api-key': 'unknown' }],
      hmac_not_configured: [{ ...right, 'x-api-key': bare }],
      missing_hmac_headers: ['x-timestamp', 'x-nonce', 'x-signature'].map((name) => ({
        ...right,
        [name]: undefined,
      })),
      empty_hmac_values: ['x-timestamp', 'x-nonce', 'x-signature'].map((name) => ({ ...right, [name]: '' })),
      invalid_nonce_format: [
        { ...right, 'x-nonce': 'short' },
        { ...right, 'x-nonce': [randomUUID(), randomUUID()] },
      ],
      invalid_timestamp_format: [{ ...right, 'x-timestamp': 'now' }],
      timestamp_expired: [{ ...right, 'x-timestamp': '1' }],
      invalid_signature_format: [{ ...right, 'x-signature': 'v1=short' }],
      invalid_signature: [{ ...right, 'x-nonce': randomUUID() }],
    }
    for (const [code, requests] of Object.entries(codes)) {
      for (const headers of requests) {
        const refused = await refusalOf('read', requestWith(headers))
        expect({ headers, status: refused.status, code: refused.code }).toEqual({
          headers,
          status: 401,
          code,
        })
      }
    }
  })

  it('an unknown key is refused in the same words, whatever else is sent with it', async () => {
    const right = { ...signedHeaders('unknown', Buffer.from('guessed')), 'x-api-key': 'unknown' }
    const lacking = Object.keys(right)
      .filter((name) => name !== 'x-api-key')
      .map((name) => ({ ...right, [name]: undefined }))
    for (const headers of [right, ...lacking, { ...right, 'x-signature': 'v1=short' }]) {
      const refused = await refusalOf('read', requestWith(headers))
      expect(refused).toMatchObject({ status: 401, code: 'invalid_api_key' })
    }
  })

  it('a time in milliseconds is refused with the hint to send seconds', async () => {
    const { resellerId } = await bench.newUser()
    const { key, secret } = await newKey(resellerId, ['read'])
    const textOf = async (timestamp: string) => {
      const headers = signedHeaders(key, secret, undefined, { timestamp })
      const { code, publicText } = await refusalOf('read', requestWith(headers))
      expect(code).toBe('timestamp_expired')
      return publicText
    }
    expect(await textOf('1000000000000')).toContain('It looks like milliseconds')
    expect(await textOf('999999999999')).not.toContain('milliseconds')
  })

  it('a nonce that is refused after its time is told as expired, and within it as used', () => {
    const command = { digest: randomUUID(), requestId: randomUUID(), timestampSeconds: 1_000_000 }
    const codeAt = (seconds: number) =>
      nonceRefused({ nowMs: () => (1_000_000 + seconds) * 1_000 }, command).code
    expect([codeAt(0), codeAt(300), codeAt(301)]).toEqual([
      'nonce_reused',
      'nonce_reused',
      'timestamp_expired',
    ])
  })

  it('a wrong signature is explained in staging alone, and to the log of the owner always', async () => {
    const { resellerId, account } = await bench.newUser()
    const { id, key, secret } = await newKey(resellerId, ['read'])
    const explaining = createAuthenticator({ ...options, explainSignatures: true })
    const nonce = randomUUID()
    const timestamp = nowSeconds()
    const canonical = ['v1', timestamp, nonce, 'GET', '', BODY_HASH].join(':')
    const unlike = requestWith(signedHeaders(key, Buffer.from('another'), nonce, { timestamp }))
    const lowerCase = requestWith(signedHeaders(key, secret, nonce, { timestamp, method: 'get' }))
    const debug = { canonical_string: canonical, body_hash: BODY_HASH }
    const claimed = { reseller: account, key_id: id }
    for (const request of [unlike, lowerCase]) {
      const plain = await refusalOf('read', request)
      expect(plain).toMatchObject({ code: 'invalid_signature', canonicalString: canonical, claimed })
      expect(plain.extra).toBeUndefined()
    }
    expect((await refusalOf('read', unlike, explaining)).extra).toStrictEqual({ debug })
    expect((await refusalOf('read', lowerCase, explaining)).extra).toEqual({
      debug: { ...debug, hint: expect.stringContaining('lower case') },
    })
  })
})

describe('a bearer token', () => {
  it('is one of a user: an admin may do everything, and a viewer may read', async () => {
    const admin = await bench.newUser()
    const viewer = { username: `viewer.${randomUUID()}`, password: 'right viewer' }
    const { id } = await createUser(bench.accounts, admin.resellerId, { ...viewer, role: 'viewer' })
    await node.directory.refresh()
    const headersOf = async (user: { username: string; password: string }) => {
      const { idToken } = await node.tokens.issue({ ...user, address: newAddress() })
      return { authorization: `Bearer ${idToken}` }
    }
    const { account } = admin
    expect(await authenticate('pay')(requestWith(await headersOf(admin)))).toMatchObject({
      caller: { kind: 'user', memberId: String(admin.userId), reseller: { account } },
      logFields: { reseller: account, user_id: String(admin.userId) },
    })
    const viewing = await headersOf(viewer)
    expect(await authenticate('read')(requestWith(viewing))).toMatchObject({
      caller: { kind: 'user', memberId: String(id), reseller: { account } },
    })
    const refused = await refusalOf('pay', requestWith(viewing))
    expect(refused).toMatchObject({ status: 403, code: 'insufficient_scope' })
    expect(refused.publicText).toContain('"pay"')
  })

  it('a token that is not ours is refused', async () => {
    const refused = await refusalOf('read', requestWith({ authorization: 'Bearer forged' }))
    expect(refused).toMatchObject({ status: 401, code: 'invalid_token' })
  })
})

it('a large body is read for a key that exists or a token that is valid, before its signature is checked', async () => {
  const user = await bench.newUser()
  const { key } = await newKey(user.resellerId, ['read'])
  const { idToken } = await node.tokens.issue({ ...user, address: newAddress() })
  const recognize = async (headers: IncomingRequest['headers']) =>
    createRecognizer(options)(requestWith(headers), {})
  await recognize({ 'x-api-key': key })
  await recognize({ authorization: `bearer ${idToken}` })
  for (const [code, headers] of [
    ['invalid_api_key', { 'x-api-key': 'unknown' }],
    ['invalid_token', { authorization: 'bearer forged' }],
    ['unauthorized', {}],
  ] as const) {
    await expect(recognize(headers)).rejects.toMatchObject({ status: 401, code })
  }
})

it('a node whose directory may have missed a revoked key refuses everybody', async () => {
  const { resellerId } = await bench.newUser()
  const { key, secret } = await newKey(resellerId, ['read'])
  const at = (ageMs: number) => ({ ...options, directory: { ...node.directory, ageMs: () => ageMs } })
  const request = () => requestWith(signedHeaders(key, secret))
  const [fresh, stale] = [at(DIRECTORY_STALE_MS), at(DIRECTORY_STALE_MS + 1)]
  await createAuthenticator(fresh)('read')(request())
  await createRecognizer(fresh)(request(), {})
  const refused = { status: 503, code: 'directory_stale' }
  expect(await refusalOf('read', request(), createAuthenticator(stale))).toMatchObject(refused)
  await expect(createRecognizer(stale)(request(), {})).rejects.toMatchObject(refused)
})

it('output that is worth money is shown to keys, and to people who may spend it', () => {
  const read: ReadonlySet<Scope> = new Set(['read'] as const)
  const pay: ReadonlySet<Scope> = new Set(['read', 'pay'] as const)
  expect(seesSecrets({ kind: 'key', scopes: read })).toBe(true)
  expect(seesSecrets({ kind: 'user', scopes: pay })).toBe(true)
  expect(seesSecrets({ kind: 'user', scopes: read })).toBe(false)
})

describe('a user with a second factor', () => {
  const enrol = (user: TestUser, confirmedAt: Date | null) =>
    bench.database.query(
      `insert into second_factors (kind, reseller_id, person_id, sealed_secret, confirmed_at)
       values ('member', $1, $2, 'sealed', $3)`,
      [user.resellerId, user.userId, confirmedAt],
    )
  const issueTo = (user: TestUser) => node.tokens.issue({ ...user, address: newAddress() })
  const refresh = (refreshToken: string | null) =>
    node.tokens.refresh({ refreshToken: refreshToken ?? 'none', address: newAddress() })
  const tokenRefusal = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    )
  const REFUSED = { status: 401, code: 'second_factor_enabled' }

  it('gets no token for the password alone, and none for a refresh token of before', async () => {
    const user = await bench.newUser()
    const { refreshToken } = await issueTo(user)
    await enrol(user, new Date())
    // The password is right, so these are not guesses and lock nobody out.
    for (let time = 0; time < 10; time += 1) await tokenRefusal(issueTo(user))
    expect(await tokenRefusal(issueTo(user))).toMatchObject(REFUSED)
    expect(await tokenRefusal(refresh(refreshToken))).toMatchObject(REFUSED)
  })

  it('looks like everybody else to who has not got the password', async () => {
    const user = await bench.newUser()
    await enrol(user, new Date())
    expect(await tokenRefusal(issueTo({ ...user, password: 'a wrong one' }))).toMatchObject({
      status: 401,
      code: 'invalid_credentials',
    })
  })

  it('has tokens until the factor is confirmed', async () => {
    const user = await bench.newUser()
    await enrol(user, null)
    const { refreshToken } = await issueTo(user)
    await refresh(refreshToken)
  })
})
