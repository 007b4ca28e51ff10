import type { JWK, JWTPayload } from 'jose'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import { RequestError } from '../../lib/errors.ts'
import type { TestUser, TokenNode, TokensBench } from '../../testing/tokens.ts'
import { ISSUER, newAddress, openTokensBench } from '../../testing/tokens.ts'
import { updateUser } from '../accounts/service.ts'

let bench: TokensBench
let node: TokenNode
let user: TestUser
let kid: string
let publicJwk: JWK
let privateJwk: JWK

beforeAll(async () => {
  bench = await openTokensBench()
  node = await bench.openNode()
  user = await bench.newUser()
  await node.directory.refresh()
  const { rows } = await bench.database.query<{ kid: string; public_jwk: JWK; sealed_private_jwk: Buffer }>(
    'select kid, public_jwk, sealed_private_jwk from token_keys',
  )
  const [row] = rows as [(typeof rows)[number]]
  kid = row.kid
  publicJwk = row.public_jwk
  privateJwk = JSON.parse(bench.vault.open(`token_key:${kid}`, row.sealed_private_jwk).toString()) as JWK
})
afterAll(() => bench.close())

const issue = (who: TestUser) =>
  node.tokens.issue({ username: who.username, password: who.password, address: newAddress() })

type Forgery = { claims?: JWTPayload; header?: Record<string, unknown>; key?: JWK; alg?: string }

/** Makes a token as the service signs it, except for the given parts. */
async function forge({
  claims = {},
  header = {},
  key = privateJwk,
  alg = 'ES256',
}: Forgery): Promise<string> {
  const now = Math.floor(Date.now() / 1_000)
  const payload = {
    token_use: 'id',
    reseller: user.account,
    reseller_id: String(user.resellerId),
    username: user.username,
    iss: ISSUER,
    aud: 'warung:reseller-api',
    sub: String(user.userId),
    iat: now,
    exp: now + 3_600,
    jti: 'test',
    ...claims,
  }
  const protectedHeader = { alg, typ: 'JWT', kid, ...header }
  return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(await importJWK(key, alg))
}

async function expectRefused(token: string, tokens = node.tokens): Promise<void> {
  const error = await tokens.verify(token).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RequestError)
  expect(error).toMatchObject({ status: 401, code: 'invalid_token' })
}

describe('an ID token', () => {
  it('verifies as its user when it is as the service signs it', async () => {
    expect((await node.tokens.verify(await forge({}))).user.id).toBe(user.userId)
  })

  it.each<[string, Forgery]>([
    ['another issuer', { claims: { iss: 'https://other.example' } }],
    ['no issuer', { claims: { iss: undefined } as never }],
    ['another audience', { claims: { aud: 'somebody-else' } }],
    ['no end', { claims: { exp: undefined } as never }],
    ['an end that is a text', { claims: { exp: '9999999999' } as never }],
    ['an end in the past', { claims: { exp: 1_000_000_000 } }],
    ['a beginning in the future', { claims: { nbf: 9_999_999_999 } }],
    ['no id of its own', { claims: { jti: undefined } as never }],
    ["the access token's use", { claims: { token_use: 'access' } }],
    ["the access token's type", { header: { typ: 'at+jwt' } }],
    ['no type', { header: { typ: undefined } }],
    ['no key id', { header: { kid: undefined } }],
    ['a key id that is no text', { header: { kid: { toString: 'x' } } }],
    ['a user who does not exist', { claims: { sub: '999999999' } }],
    ["another account's number", { claims: { reseller: '00000000' } }],
    ['a reseller who does not exist', { claims: { reseller_id: '999999999' } }],
  ])('is refused with %s, though the signature is right', async (_what, forgery) => {
    await expectRefused(await forge(forgery))
  })

  it('is refused when its key only claims to be ours', async () => {
    const pair = await generateKeyPair('ES256', { extractable: true })
    const key = await exportJWK(pair.privateKey)
    await expectRefused(await forge({ key }))
    await expectRefused(await forge({ key, header: { kid: 'unknown' } }))
    await expectRefused(await forge({ key, header: { jwk: await exportJWK(pair.publicKey) } }))
  })

  it.each(['HS256', 'HS512'])('is refused under %s keyed with what is public', async (alg) => {
    for (const secret of [JSON.stringify(publicJwk), String(publicJwk.x), String(publicJwk.y), kid, ' ']) {
      const key = { kty: 'oct', k: Buffer.from(secret.padEnd(64)).toString('base64url') }
      await expectRefused(await forge({ alg, key }))
    }
  })

  it('is refused under any algorithm but ours, and without a signature', async () => {
    const [, payload] = (await forge({})).split('.')
    const signature = Buffer.alloc(64, 1).toString('base64url')
    for (const alg of ['none', 'None', 'ES384', 'RS256', 'PS256', 'EdDSA', '', 'es256']) {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'JWT', kid })).toString('base64url')
      await expectRefused(`${header}.${payload}.${signature}`)
      await expectRefused(`${header}.${payload}.`)
      await expectRefused(`${header}.${payload}`)
    }
  })

  it('is the one kind of token that is accepted', async () => {
    const { idToken, accessToken, refreshToken } = await issue(user)
    await node.tokens.verify(idToken)
    await expectRefused(accessToken)
    await expectRefused(String(refreshToken))
    await expectRefused(`Bearer ${idToken}`)
    await expectRefused('')
  })
})

describe('the end of an ID token', () => {
  it('comes after an hour, on a node that never saw the token and on one that remembers it', async () => {
    let aheadMs = 0
    const clock = { nowMs: () => Date.now() + aheadMs }
    const [remembering, other] = [await bench.openNode({ clock }), await bench.openNode({ clock })]
    const { idToken } = await issue(user)
    await remembering.tokens.verify(idToken)
    aheadMs = 3_500_000
    await remembering.tokens.verify(idToken)
    aheadMs = 3_601_000
    await expectRefused(idToken, remembering.tokens)
    await expectRefused(idToken, other.tokens)
  })

  it('comes with the end of its user, remembered or not', async () => {
    const leaver = await bench.newUser()
    const { idToken } = await issue(leaver)
    await node.tokens.verify(idToken)
    await updateUser(bench.accounts, leaver.resellerId, leaver.userId, { status: 'disabled' })
    await node.directory.refresh()
    await expectRefused(idToken)
    await expectRefused(idToken)
    await updateUser(bench.accounts, leaver.resellerId, leaver.userId, { status: 'active' })
    await node.directory.refresh()
    expect((await node.tokens.verify(idToken)).user.id).toBe(leaver.userId)
  })

  it('shows the user as the directory has it now, not as it was when the token was first seen', async () => {
    const changed = await bench.newUser()
    const { idToken } = await issue(changed)
    expect((await node.tokens.verify(idToken)).user.role).toBe('admin')
    await updateUser(bench.accounts, changed.resellerId, changed.userId, { role: 'viewer' })
    await node.directory.refresh()
    expect((await node.tokens.verify(idToken)).user.role).toBe('viewer')
  })
})

describe("a user that a node's view does not have", () => {
  /** Opens a node whose view is empty until it is refreshed, and counts the refreshes. */
  async function openBehind() {
    const { directory } = await bench.openNode()
    const seen = { looks: 0 }
    const behind = {
      ...directory,
      findUser: (resellerId: bigint, userId: bigint) =>
        seen.looks === 0 ? undefined : directory.findUser(resellerId, userId),
      async refresh() {
        await directory.refresh()
        seen.looks += 1
      },
    }
    return { ...(await bench.openNode({ directory: behind })), seen }
  }

  it('is found by looking again', async () => {
    const { tokens } = await openBehind()
    expect((await tokens.verify(await forge({}))).user.id).toBe(user.userId)
  })

  it('makes a node look again once per token, not at every use', async () => {
    const { tokens, seen } = await openBehind()
    const token = await forge({ claims: { sub: '999999999' } })
    for (const _use of [1, 2, 3]) await expectRefused(token, tokens)
    expect(seen.looks).toBe(1)
  })
})

it('an unknown key while the database is out of reach is a 503: nobody knows that the token is bad', async () => {
  const database = openDatabase({ connection: bench.connection, connectionsMax: 4, applicationName: 'test' })
  const { tokens, directory } = await bench.openNode({ database })
  const known = await forge({})
  const unknown = await forge({ header: { kid: 'not-known-yet' } })
  await directory.refresh()
  await database.close()
  expect((await tokens.verify(known)).user.id).toBe(user.userId)
  await expect(tokens.verify(unknown)).rejects.toMatchObject({ status: 503, code: 'token_keys_unavailable' })
})
