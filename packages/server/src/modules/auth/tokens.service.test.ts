import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import { verifyDummyHash, verifyPassword } from '../../lib/secrets/passwords.ts'
import type { TestUser, TokenNode, TokensBench } from '../../testing/tokens.ts'
import {
  holdTokenRequests,
  ISSUER,
  newAddress,
  openTokensBench,
  seedTokenRequests,
} from '../../testing/tokens.ts'
import { allowNetworks } from '../accounts/keys.service.ts'
import { updateUser } from '../accounts/service.ts'
import { failuresDigestOf, TOKEN_LIFETIME_SECONDS } from './tokens.rules.ts'
import type { PasswordCheck } from './tokens.service.ts'

let bench: TokensBench
let node: TokenNode
/** Log of the node's argon2 verifications, one letter each: p for a user's hash, n for an unknown user. */
let verifications = ''

const counting: PasswordCheck = {
  verifyPassword(hash, password, asker) {
    verifications += 'p'
    return verifyPassword(hash, password, asker)
  },
  verifyDummyHash(password, asker) {
    verifications += 'n'
    return verifyDummyHash(password, asker)
  },
}

beforeAll(async () => {
  bench = await openTokensBench()
  node = await bench.openNode({ passwords: counting })
})
afterAll(() => bench.close())

const issue = (user: Pick<TestUser, 'username' | 'password'>, address = newAddress()) =>
  node.tokens.issue({ username: user.username, password: user.password, address })

const refresh = (refreshToken: string | null, address = newAddress()) =>
  node.tokens.refresh({ refreshToken: refreshToken ?? 'none', address })

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof RequestError)) throw new Error('a refusal was expected', { cause: error })
  return {
    status: error.status,
    code: error.code,
    publicText: error.publicText,
    ...(error.headers && { headers: error.headers }),
  }
}

const INVALID_CREDENTIALS = {
  status: 401,
  code: 'invalid_credentials',
  publicText: 'The user name or password is incorrect.',
}

async function failTimes(username: string, count: number, ago: string) {
  await bench.database.query(
    `insert into login_failures (username_digest, failed_at)
     select $1, clock_timestamp() - $2::interval from generate_series(1, $3)`,
    [failuresDigestOf('member', username), ago, count],
  )
}

async function countFailures(username: string): Promise<number> {
  const { rows } = await bench.database.query<{ count: number }>(
    'select count(*)::int as count from login_failures where username_digest = $1',
    [failuresDigestOf('member', username)],
  )
  return rows[0]?.count ?? 0
}

describe('issuing', () => {
  it('right credentials give an ID token that verifies as their user', async () => {
    const user = await bench.newUser()
    const result = await issue(user)
    expect(result.expiresInSeconds).toBe(3_600)
    const verified = await node.tokens.verify(result.idToken)
    expect(verified.user).toMatchObject({ id: user.userId, role: 'admin' })
    expect(verified.user.reseller).toMatchObject({ id: user.resellerId, account: user.account })
  })

  it('a user name counts in any letter case', async () => {
    const user = await bench.newUser()
    const { idToken } = await issue({ ...user, username: user.username.toUpperCase() })
    expect(decodeJwt(idToken).username).toBe(user.username)
  })

  it('both tokens carry who, for whom, from when to when, and which of the two they are', async () => {
    const user = await bench.newUser()
    const result = await issue(user)
    for (const [token, use, typ] of [
      [result.idToken, 'id', 'JWT'],
      [result.accessToken, 'access', 'at+jwt'],
    ] as const) {
      const [{ kid }] = node.tokens.jwks().keys as [{ kid: string }]
      expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ, kid })
      const claims = decodeJwt(token)
      expect(claims).toEqual({
        iss: ISSUER,
        aud: 'warung:reseller-api',
        sub: String(user.userId),
        iat: expect.any(Number),
        exp: Number(claims.iat) + TOKEN_LIFETIME_SECONDS,
        jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
        token_use: use,
        reseller: user.account,
        reseller_id: String(user.resellerId),
        username: user.username,
      })
    }
    expect(decodeJwt(result.idToken).jti).not.toBe(decodeJwt(result.accessToken).jti)
  })

  it('a wrong password, an unknown and a disabled user get one answer for one argon2 verification', async () => {
    const [wrong, disabled] = [await bench.newUser(), await bench.newUser()]
    await updateUser(bench.accounts, disabled.resellerId, disabled.userId, { status: 'disabled' })
    verifications = ''
    const refusals = [
      await refusalOf(issue({ ...wrong, password: 'not this one' })),
      await refusalOf(issue({ username: 'nobody.at.all', password: wrong.password })),
      await refusalOf(issue({ username: 'no\u0000body', password: wrong.password })),
      await refusalOf(issue({ username: ' ', password: wrong.password })),
      await refusalOf(issue(disabled)),
    ]
    expect(refusals).toEqual(Array(5).fill(INVALID_CREDENTIALS))
    expect(verifications).toBe('pnnnn')
  })

  it('a failure is counted for known and unknown names alike, and a success does not forget them', async () => {
    const user = await bench.newUser()
    await refusalOf(issue({ ...user, password: 'wrong' }))
    await refusalOf(issue({ username: `${user.username}x`, password: 'wrong' }))
    expect([await countFailures(user.username), await countFailures(`${user.username}x`)]).toEqual([1, 1])
    await issue(user)
    expect(await countFailures(user.username)).toBe(1)
  })

  it('an address outside the allowlist is told so only with right credentials', async () => {
    const user = await bench.newUser()
    await allowNetworks(bench.accounts, user.resellerId, { networks: ['192.0.2.0/24'] })
    await node.directory.refresh()
    expect(await refusalOf(issue({ ...user, password: 'wrong' }, '198.51.100.7'))).toEqual(
      INVALID_CREDENTIALS,
    )
    expect(await refusalOf(issue(user, '198.51.100.7'))).toMatchObject({
      status: 403,
      code: 'ip_not_allowed',
    })
    const { refreshToken } = await issue(user, '192.0.2.9')
    expect(await refusalOf(refresh(refreshToken, '198.51.100.7'))).toMatchObject({
      status: 403,
      code: 'ip_not_allowed',
    })
    await refresh(refreshToken, '::ffff:192.0.2.9')
  })
})

describe('limits', () => {
  it('the twenty-first token request of an address within a second is refused, whatever it asks', async () => {
    const user = await bench.newUser()
    const address = newAddress()
    await seedTokenRequests(bench.database, address, 19)
    await issue(user, address)
    await holdTokenRequests(bench.database, address)
    const limited = { status: 429, code: 'too_many_requests', headers: { 'Retry-After': '1' } }
    verifications = ''
    expect(await refusalOf(issue(user, address))).toMatchObject(limited)
    expect(await refusalOf(refresh('wrt_x', address))).toMatchObject(limited)
    expect(await refusalOf(refresh('wrt_x', `::ffff:${address}`))).toMatchObject(limited)
    expect(verifications).toBe('')
    expect(await refusalOf(refresh('wrt_x'))).toMatchObject({ status: 401 })
  })

  it('requests of more than a second ago no longer count', async () => {
    const address = newAddress()
    await bench.database.query(
      `insert into token_request_counters (address, recent)
       values ($1, array_fill(clock_timestamp() - interval '1 second', array[20]))`,
      [address],
    )
    expect(await refusalOf(refresh('wrt_x', address))).toMatchObject({ status: 401 })
    const { rows } = await bench.database.query<{ kept: number }>(
      'select cardinality(recent) as kept from token_request_counters where address = $1',
      [address],
    )
    expect(rows).toEqual([{ kept: 1 }])
  })
})

describe('refreshing', () => {
  it('gives new tokens for the same user, and no new refresh token', async () => {
    const user = await bench.newUser()
    const first = await issue(user)
    const second = await refresh(first.refreshToken)
    expect(second.refreshToken).toBeNull()
    expect(second.idToken).not.toBe(first.idToken)
    expect(decodeJwt(second.idToken)).toMatchObject({ sub: String(user.userId), username: user.username })
    expect((await node.tokens.verify(second.idToken)).user.id).toBe(user.userId)
    expect((await refresh(first.refreshToken)).refreshToken).toBeNull()
  })

  it('a refresh token lasts a year and no longer', async () => {
    const { refreshToken } = await issue(await bench.newUser())
    const digest = digestOf(String(refreshToken))
    const { rows } = await bench.database.query<{ days: number }>(
      `select extract(day from expires_at - created_at)::int as days from refresh_tokens where digest = $1`,
      [digest],
    )
    expect(rows).toEqual([{ days: 365 }])
    await bench.database.query('update refresh_tokens set expires_at = clock_timestamp() where digest = $1', [
      digest,
    ])
    expect(await refusalOf(refresh(refreshToken))).toEqual({
      status: 401,
      code: 'invalid_refresh_token',
      publicText: 'The refresh token is invalid, expired or revoked.',
    })
  })

  it('unknown and malformed refresh tokens, and tokens of the other kinds, are refused', async () => {
    const { idToken, accessToken, refreshToken } = await issue(await bench.newUser())
    const texts = [
      '',
      'x',
      `wrt_${'a'.repeat(43)}`,
      `${refreshToken}=`,
      ` ${refreshToken}`,
      idToken,
      accessToken,
    ]
    for (const text of texts) {
      expect(await refusalOf(refresh(text))).toMatchObject({ status: 401, code: 'invalid_refresh_token' })
    }
  })

  it('revoking ends every refresh token of that user and of nobody else, ID tokens living on', async () => {
    const [user, other] = [await bench.newUser(), await bench.newUser()]
    const [first, second, others] = [await issue(user), await issue(user), await issue(other)]
    const revoked = await bench.database.transaction((tx) =>
      node.tokens.revokeUserTokens(tx, user.resellerId, user.userId),
    )
    expect(revoked).toBe(2)
    for (const { refreshToken } of [first, second]) {
      expect(await refusalOf(refresh(refreshToken))).toMatchObject({ code: 'invalid_refresh_token' })
    }
    await refresh(others.refreshToken)
    expect((await node.tokens.verify(first.idToken)).user.id).toBe(user.userId)
  })

  it('a new password ends the refresh tokens of the old one by itself; its own work at once', async () => {
    const user = await bench.newUser()
    const old = await issue(user)
    await updateUser(bench.accounts, user.resellerId, user.userId, { password: 'another password' })
    const fresh = await issue({ ...user, password: 'another password' })
    await refresh(fresh.refreshToken)
    expect(await refusalOf(refresh(old.refreshToken))).toMatchObject({ code: 'invalid_refresh_token' })
    expect(await refusalOf(issue(user))).toEqual(INVALID_CREDENTIALS)
    expect((await node.tokens.verify(old.idToken)).user.id).toBe(user.userId)
  })

  it('a disabled user gets nothing for a refresh token', async () => {
    const user = await bench.newUser()
    const { refreshToken } = await issue(user)
    await updateUser(bench.accounts, user.resellerId, user.userId, { status: 'disabled' })
    await node.directory.refresh()
    expect(await refusalOf(refresh(refreshToken))).toMatchObject({ code: 'invalid_refresh_token' })
  })

  it('no table holds a refresh token, nor a private key, in a readable form', async () => {
    const { refreshToken } = await issue(await bench.newUser())
    const { rows } = await bench.database.query<{ everything: string }>(
      `select concat((select json_agg(t) from refresh_tokens t), (select json_agg(k) from token_keys k)) as everything`,
    )
    const everything = String(rows[0]?.everything)
    const secret = String(refreshToken).slice('wrt_'.length)
    for (const spelling of [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret, 'base64url').toString('hex'),
    ]) {
      expect(everything).not.toContain(spelling)
    }
    expect(everything).toContain(digestOf(String(refreshToken)).toString('hex'))
    expect(everything).not.toContain('"d":')
    expect(everything).not.toContain(Buffer.from('"d":').toString('hex'))
  })
})

describe('cleaning up', () => {
  it('deletes what no limit and no token needs, and nothing else', async () => {
    const user = await bench.newUser()
    const [live, dead, gone] = [await issue(user), await issue(user), await issue(user)]
    const expire = (token: string | null, ago: string) =>
      bench.database.query('update refresh_tokens set expires_at = now() - $2::interval where digest = $1', [
        digestOf(String(token)),
        ago,
      ])
    await expire(dead.refreshToken, '29 days')
    await expire(gone.refreshToken, '31 days')
    await failTimes('cleaned', 2_500, '61 minutes')
    await failTimes('cleaned', 3, '59 minutes')
    const [idle, busy] = [newAddress(), newAddress()]
    await bench.database.query(
      `insert into token_request_counters (address, recent)
       values ($1, array[now() - interval '3 minutes', now() - interval '2 minutes']),
         ($2, array[now() - interval '2 minutes', now()])`,
      [idle, busy],
    )
    await bench.database.query(
      `insert into token_keys (kid, public_jwk, sealed_private_jwk, retires_at)
       values ('retired', '{}', '', now() - interval '1 second')`,
    )
    expect((await node.tokens.cleanUp()).deleted).toBeGreaterThanOrEqual(2_503)
    expect(await countFailures('cleaned')).toBe(3)
    const { rows } = await bench.database.query<{ digest: Buffer }>(
      'select digest from refresh_tokens where reseller_id = $1 order by expires_at desc',
      [user.resellerId],
    )
    expect(rows.map((row) => row.digest)).toEqual(
      [live, dead].map(({ refreshToken }) => digestOf(String(refreshToken))),
    )
    const left = await bench.database.query<{ address: string }>(
      'select host(address) as address from token_request_counters where address = any($1::inet[])',
      [[idle, busy]],
    )
    expect(left.rows).toEqual([{ address: busy }])
    const keys = await bench.database.query<{ kid: string }>('select kid from token_keys')
    expect(keys.rows).toEqual([{ kid: node.tokens.jwks().keys[0]?.kid }])
  })
})
