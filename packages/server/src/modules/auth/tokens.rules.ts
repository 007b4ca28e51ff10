import { createHash, randomBytes } from 'node:crypto'
import type { TokenSubject, TokenUse } from './tokens.types.ts'

export const TOKEN_LIFETIME_SECONDS = 3_600
export const REFRESH_TOKEN_LIFETIME_DAYS = 365
export const TOKEN_REQUESTS_PER_SECOND_MAX = 20

/** The one algorithm: a header that names another is refused before any key is looked at. */
export const ALGORITHM = 'ES256'
export const AUDIENCE = 'warung:reseller-api'

/** RFC 9068's type keeps an access token from passing for an ID token even before its claims are read. */
export const TOKEN_TYPES: Readonly<Record<TokenUse, string>> = { id: 'JWT', access: 'at+jwt' }

/** How often a node looks for keys that others made. */
export const KEYS_POLL_MS = 30_000
/** An unknown key id may be made up by anybody: it costs at most this many milliseconds' one look. */
export const KEYS_RELOAD_INTERVAL_MS = 1_000
/** A node whose view is older looks again before it signs, so that a replaced key signs no longer than this. */
export const KEYS_AGE_FOR_SIGNING_MAX_MS = 60_000
const CLOCK_SKEW_SECONDS = 240
/** How long a replaced key stays: what it may still sign, what that lasts, and clocks that differ. */
export const KEY_RETIREMENT_SECONDS =
  TOKEN_LIFETIME_SECONDS + KEYS_AGE_FOR_SIGNING_MAX_MS / 1_000 + CLOCK_SKEW_SECONDS

export const VERIFIED_TOKENS_MAX = 10_000

const TOKEN_LENGTH_MAX = 4_096
const SIGNATURE_BYTES = 64
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)$/

/**
 * Whether a text can be a token of ours at all. The signature must be spelt the one canonical way: its last
 * character carries four bits that decoders ignore, and a token with those changed would verify.
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

/** What the claims of a verified token say; undefined when they are not those of an ID token. */
export function readIdClaims(claims: Readonly<Record<string, unknown>>): IdClaims | undefined {
  const userId = readId(claims.sub)
  const resellerId = readId(claims.reseller_id)
  if (claims.token_use !== 'id' || typeof claims.reseller !== 'string') return undefined
  if (userId === undefined || resellerId === undefined || typeof claims.exp !== 'number') return undefined
  return { userId, resellerId, account: claims.reseller, expiresAtMs: claims.exp * 1_000 }
}

function readId(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^\d{1,19}$/.test(value) ? BigInt(value) : undefined
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

/** 256 random bits need no slow hash: their digest alone gives nothing back. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

/**
 * What failures are counted by: the name in small letters, known or not, so that spellings of one name share
 * a limit and the limit tells nobody which names exist. Of which kind comes first: no name of the one is also one of
 * the other.
 */
export function failuresDigestOf(kind: 'member' | 'operator', name: string): Buffer {
  return digestOf(`${kind}:${name.toLowerCase()}`)
}

export type Cache<V> = {
  find(key: string): V | undefined
  put(key: string, value: V): void
  delete(key: string): void
}

/** At most `entriesMax` entries; the least recently used makes room. */
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
