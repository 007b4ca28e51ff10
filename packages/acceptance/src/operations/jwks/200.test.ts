import type { JSONWebKeySet } from 'jose'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilAnswered } from '../../clients.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, makeDirectory, newMasterKey, openService, stopServices } from '../../service.ts'
import type { TestUser } from '../../tokens.ts'
import { balanceByToken, createUser, getTokens } from '../../tokens.ts'

const masterKey = newMasterKey()
let database: TestDatabase
let foreign: TestDatabase
let service: Service
let user: TestUser

beforeAll(async () => {
  database = await createDatabase()
  foreign = await createDatabase()
  service = await openService({ database, masterKey, dataDir: await makeDirectory() })
  user = await createUser(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
  await foreign?.drop()
})

async function getJwks(): Promise<JSONWebKeySet> {
  const answer = await service.get('/.well-known/jwks.json')
  expect(answer.status).toBe(200)
  return answer.json<JSONWebKeySet>()
}

describe('GET /.well-known/jwks.json', () => {
  it('verifies the tokens that the service gives, with nothing but a JOSE library', async () => {
    const { IdToken, AccessToken } = await getTokens(service, user)
    const keys = createLocalJWKSet(await getJwks())
    const id = await jwtVerify(IdToken, keys, { typ: 'JWT', requiredClaims: ['iss', 'aud', 'sub', 'jti'] })
    expect(id.payload).toMatchObject({
      token_use: 'id',
      username: user.username,
      reseller: user.account,
    })
    expect((id.payload.exp ?? 0) - (id.payload.iat ?? 0)).toBe(3600)
    expect(Math.abs((id.payload.iat ?? 0) - Date.now() / 1000)).toBeLessThan(300)
    const access = await jwtVerify(AccessToken, keys)
    expect(access.payload.token_use).toBe('access')
  })

  it('shows the public halves alone, and may be cached for a while', async () => {
    const answer = await service.get('/.well-known/jwks.json')
    const { keys } = answer.json<JSONWebKeySet>()
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) {
      expect(key).toMatchObject({ use: 'sig', alg: 'ES256', kty: 'EC', kid: expect.any(String) })
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(secret)
    }
    expect(answer.headers['cache-control']).toMatch(/max-age=\d+/)
  })

  it('keeps a replaced key, so that what it signed goes on verifying', async () => {
    const old = await getTokens(service, user)
    const { kid } = await service.warungd<{ kid: string }>('token-key', 'rotate')
    // A node that starts now signs with the new key.
    await service.stop()
    service = await openService({ database, masterKey, dataDir: service.dataDir })
    const fresh = await getTokens(service, user)
    expect(decodeProtectedHeader(fresh.IdToken).kid).toBe(kid)
    expect(decodeProtectedHeader(old.IdToken).kid).not.toBe(kid)
    const keys = createLocalJWKSet(await getJwks())
    for (const { IdToken } of [old, fresh]) {
      await expect(jwtVerify(IdToken, keys)).resolves.toMatchObject({ payload: { token_use: 'id' } })
      await untilAnswered(() => balanceByToken(service, IdToken), 200)
    }
  })

  it('does not verify what another service signed', async () => {
    const other = await openService({ database: foreign })
    const [reseller] = other.demo.resellers
    const { IdToken } = await getTokens(other, {
      username: reseller?.username ?? '',
      password: reseller?.password ?? '',
    })
    await expect(jwtVerify(IdToken, createLocalJWKSet(await getJwks()))).rejects.toThrow()
    expect((await balanceByToken(service, IdToken)).status).toBe(401)
  })
})
