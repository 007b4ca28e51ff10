import { randomBytes } from 'node:crypto'
import { ID } from '../../lib/input/ids.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import type { TokenSubject, TokenUse } from './tokens.types.ts'

export const TOKEN_LIFETIME_SECONDS = 3_600
export const REFRESH_TOKEN_LIFETIME_DAYS = 365
export const TOKEN_REQUESTS_PER_SECOND_MAX = 20

/** The only algorithm. A header that names another is refused before any key is read. */
export const ALGORITHM = 'ES256'
export const AUDIENCE = 'warung:reseller-api'

/**
 * Types of the tokens. The type of RFC 9068 prevents the use of an access token as an ID token, even before its claims
 * are read.
 */
export const TOKEN_TYPES: Readonly<Record<TokenUse, string>> = { id: 'JWT', access: 'at+jwt' }

/** Interval at which a node reads keys that other nodes made. */
export const KEYS_POLL_MS = 30_000
/**
 * Interval between reads for unknown key ids. Anybody can invent such ids, so they cause at most one read in this time.
 */
export const KEYS_RELOAD_INTERVAL_MS = 1_000
/**
 * Limit of the view's age for signing. A node with an older view reads again first, so that a replaced key signs no
 * longer than this.
 */
export const KEYS_AGE_FOR_SIGNING_MAX_MS = 60_000
const CLOCK_SKEW_SECONDS = 240
/** Time for which a replaced key stays: it may still sign, its tokens last, and clocks differ. */
export const KEY_RETIREMENT_SECONDS =
  TOKEN_LIFETIME_SECONDS + KEYS_AGE_FOR_SIGNING_MAX_MS / 1_000 + CLOCK_SKEW_SECONDS

export const VERIFIED_TOKENS_MAX = 10_000

const TOKEN_LENGTH_MAX = 4_096
const SIGNATURE_BYTES = 64
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)$/

/**
 * Tells whether a text can be a token of this service. The signature must have its canonical spelling: its last
 * character carries four bits that decoders ignore, and a token with other values there would verify too.
 */
export function isTokenShaped(text: string): boolean {
  if (text.length > TOKEN_LENGTH_MAX) return false
  const signature = COMPACT_JWS.exec(text)?.[1]
  if (signature === undefined) return false
  const bytes = Buffer.from(signature, 'base64url')
  return bytes.length === SIGNATURE_BYTES && bytes.toString('base64url') === signature
}

export function claimsOf(subject: TokenSubject, use: TokenUse): Record<string, string> {
  return {
    token_use: use,
    reseller: subject.account,
    reseller_id: subject.resellerId.toString(),
    username: subject.username,
  }
}

export type IdClaims = Omit<TokenSubject, 'username'> & { readonly expiresAtMs: number }

/** Reads the claims of a verified token. undefined: they are not those of an ID token. */
export function readIdClaims(claims: Readonly<Record<string, unknown>>): IdClaims | undefined {
  const userId = ID.read(claims.sub)
  const resellerId = ID.read(claims.reseller_id)
  if (claims.token_use !== 'id' || typeof claims.reseller !== 'string') return undefined
  if (userId === undefined || resellerId === undefined || typeof claims.exp !== 'number') return undefined
  return { userId, resellerId, account: claims.reseller, expiresAtMs: claims.exp * 1_000 }
}

const REFRESH_TOKEN_BYTES = 32
// The prefix lets secret scanners, and people, see what leaked.
const REFRESH_TOKEN = /^wrt_[A-Za-z0-9_-]{43}$/

export function newRefreshToken(): string {
  return `wrt_${randomBytes(REFRESH_TOKEN_BYTES).toString('base64url')}`
}

export function isRefreshTokenShaped(text: string): boolean {
  return REFRESH_TOKEN.test(text)
}

/**
 * Digest under which failures are counted. It uses the name in lower case, known or not, so that all spellings of a
 * name share a limit and the limit does not show which names exist. The kind comes first, so that a member and an
 * operator of the same name are counted apart.
 */
export function failuresDigestOf(kind: 'member' | 'operator', name: string): Buffer {
  return digestOf(`${kind}:${name.toLowerCase()}`)
}

export type Cache<V> = {
  find(key: string): V | undefined
  put(key: string, value: V): void
  delete(key: string): void
}

/** Makes a cache of at most `entriesMax` entries. A new entry replaces the least recently used one. */
export function cacheOf<V>(entriesMax: number): Cache<V> {
  const entries = new Map<string, V>()
  function put(key: string, value: V): void {
    // A Map keeps the order of insertion: the first entry is the one not used for longest.
    entries.delete(key)
    entries.set(key, value)
    const [oldest] = entries.keys()
    if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest)
  }
  return {
    find(key) {
      const value = entries.get(key)
      if (value !== undefined) put(key, value)
      return value
    },
    put,
    delete: (key) => void entries.delete(key),
  }
}
