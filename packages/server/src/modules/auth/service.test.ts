import { createHash, createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IncomingRequest } from '../../http/operation.ts'
import { RequestError } from '../../lib/errors.ts'
import type { TestUser, TokenNode, TokensBench } from '../../testing/tokens.ts'
import { newAddress, openTokensBench } from '../../testing/tokens.ts'
import { allowNetworks, createApiKey } from '../accounts/keys.service.ts'
import type { Scope } from '../accounts/types.ts'
import { createNonces } from './nonces.service.ts'
import type { Authenticator } from './service.ts'
import { createAuthenticator, seesSecrets } from './service.ts'

let bench: TokensBench
let node: TokenNode
let authenticate: Authenticator

beforeAll(async () => {
  bench = await openTokensBench()
  node = await bench.openNode()
  authenticate = createAuthenticator({
    directory: node.directory,
    nonces: createNonces(bench.database),
    tokens: node.tokens,
    clock: { nowMs: Date.now },
    explainSignatures: false,
  })
})
afterAll(() => bench.close())

function requestWith(headers: Record<string, string>): IncomingRequest {
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

function signedHeaders(key: string, secret: Buffer, nonce: string = randomUUID()) {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const bodyHash = createHash('sha256').update('').digest('base64')
  const canonical = ['v1', timestamp, nonce, 'GET', '', bodyHash].join(':')
  const signature = `v1=${createHmac('sha256', secret).update(canonical).digest('base64')}`
  return { 'x-api-key': key, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature }
}

async function newKey(resellerId: bigint, scopes: Scope[]) {
  const made = await createApiKey(bench.accounts, resellerId, { label: '', scopes, withoutSecret: false })
  await node.directory.refresh()
  return { id: String(made.id), key: made.key, secret: Buffer.from(made.signingSecret ?? '', 'base64') }
}

async function refusalOf(scope: Scope, request: IncomingRequest): Promise<RequestError> {
  try {
    await authenticate(scope)(request)
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
