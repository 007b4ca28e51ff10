import { describe, expect, it } from 'vitest'
import { digestOf } from '../../lib/secrets/digests.ts'
import {
  cacheOf,
  claimsOf,
  failuresDigestOf,
  isRefreshTokenShaped,
  isTokenShaped,
  KEY_RETIREMENT_SECONDS,
  KEYS_AGE_FOR_SIGNING_MAX_MS,
  newRefreshToken,
  readIdClaims,
  TOKEN_LIFETIME_SECONDS,
} from './tokens.rules.ts'

const SIGNATURE = Buffer.alloc(64, 7).toString('base64url')

describe('the shape of a token', () => {
  it('is three parts of Base64url with a signature of 64 bytes', () => {
    expect(isTokenShaped(`aGVhZA.Ym9keQ.${SIGNATURE}`)).toBe(true)
  })

  it.each([
    ['nothing', ''],
    ['two parts', `aGVhZA.${SIGNATURE}`],
    ['four parts', `a.b.c.${SIGNATURE}`],
    ['an empty part', `.Ym9keQ.${SIGNATURE}`],
    ['no signature', 'aGVhZA.Ym9keQ.'],
    ['a short signature', 'aGVhZA.Ym9keQ.c2ln'],
    ['padding', `aGVhZA.Ym9keQ.${SIGNATURE}==`],
    ['the other alphabet', `aGVhZA.Ym9k+Q.${SIGNATURE}`],
    ['a space at the end', `aGVhZA.Ym9keQ.${SIGNATURE} `],
    ['a line end', `aGVhZA.Ym9keQ.${SIGNATURE}\n`],
    ['more than any token of ours', `${'a'.repeat(5_000)}.Ym9keQ.${SIGNATURE}`],
  ])('is not %s', (_what, text) => {
    expect(isTokenShaped(text)).toBe(false)
  })

  it('has one spelling: bits of the last character that decoders ignore must be as the signer wrote them', () => {
    const last = SIGNATURE.at(-1)
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter(
      (character) => character !== last,
    )
    const sameBytes = others.filter((character) =>
      Buffer.from(SIGNATURE.slice(0, -1) + character, 'base64url').equals(Buffer.alloc(64, 7)),
    )
    expect(sameBytes).toHaveLength(15)
    for (const character of sameBytes) {
      expect(isTokenShaped(`aGVhZA.Ym9keQ.${SIGNATURE.slice(0, -1)}${character}`)).toBe(false)
    }
  })
})

describe('the claims of an ID token', () => {
  const subject = { userId: 7n, resellerId: 3n, account: '1234567', username: 'siti' }
  const claims = { ...claimsOf(subject, 'id'), sub: '7', exp: 100 }

  it('name the user and when the token ends', () => {
    expect(readIdClaims(claims)).toEqual({
      userId: 7n,
      resellerId: 3n,
      account: '1234567',
      expiresAtMs: 100_000,
    })
  })

  it.each([
    ['of another kind', { token_use: 'access' }],
    ['of no kind', { token_use: undefined }],
    ['without a subject', { sub: undefined }],
    ['with a subject that is no id', { sub: '-7' }],
    ['with a numeric reseller', { reseller_id: 3 }],
    ['without an account', { reseller: undefined }],
    ['without an end', { exp: undefined }],
  ])('are refused %s', (_what, change) => {
    expect(readIdClaims({ ...claims, ...change })).toBeUndefined()
  })
})

describe('refresh tokens', () => {
  it('carry 256 random bits behind their prefix', () => {
    const tokens = Array.from({ length: 100 }, newRefreshToken)
    expect(new Set(tokens).size).toBe(100)
    for (const token of tokens) {
      expect(isRefreshTokenShaped(token)).toBe(true)
      expect(Buffer.from(token.slice('wrt_'.length), 'base64url')).toHaveLength(32)
    }
  })

  it.each([
    '',
    'wrt_',
    `wrt_${'a'.repeat(42)}`,
    `wrt_${'a'.repeat(44)}`,
    `xyz_${'a'.repeat(43)}`,
    `wrt_${'é'.repeat(43)}`,
  ])('are not %j', (text) => {
    expect(isRefreshTokenShaped(text)).toBe(false)
  })
})

describe('counting failures', () => {
  it('spellings of one user name share a limit, different names do not', () => {
    expect(failuresDigestOf('member', 'Siti@Example')).toEqual(failuresDigestOf('member', 'siti@example'))
    expect(failuresDigestOf('member', 'siti')).not.toEqual(failuresDigestOf('member', 'siti2'))
    expect(failuresDigestOf('member', 'siti')).toEqual(digestOf('member:siti'))
    expect(failuresDigestOf('operator', 'siti')).not.toEqual(failuresDigestOf('member', 'siti'))
    expect(failuresDigestOf('operator', 'siti')).not.toEqual(failuresDigestOf('member', 'operator:siti'))
  })
})

describe('retiring a key', () => {
  it('outlasts the last token that a node which has not heard yet may sign', () => {
    expect(KEY_RETIREMENT_SECONDS).toBeGreaterThan(
      TOKEN_LIFETIME_SECONDS + KEYS_AGE_FOR_SIGNING_MAX_MS / 1_000,
    )
  })
})

describe('the cache of verified tokens', () => {
  it('never grows past its bound, and drops what was not used for longest', () => {
    const cache = cacheOf<number>(3)
    for (const [index, key] of ['a', 'b', 'c'].entries()) cache.put(key, index)
    expect(cache.find('a')).toBe(0)
    cache.put('d', 3)
    expect(['a', 'b', 'c', 'd'].map((key) => cache.find(key))).toEqual([0, undefined, 2, 3])
  })

  it('putting a known key again makes room for nobody', () => {
    const cache = cacheOf<number>(2)
    cache.put('a', 0)
    cache.put('b', 1)
    cache.put('b', 2)
    expect([cache.find('a'), cache.find('b')]).toEqual([0, 2])
    cache.delete('a')
    expect(cache.find('a')).toBeUndefined()
  })
})
