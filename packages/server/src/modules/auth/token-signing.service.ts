import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { DatabaseClock } from '../../db/clock.ts'
import { refusal } from '../../http/refusals.ts'
import type { RequestError } from '../../lib/errors.ts'
import { assert, unavailable } from '../../lib/errors.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import type { Directory } from '../accounts/types.ts'
import type { TokenKeys } from './token-keys.service.ts'
import type { IdClaims } from './tokens.rules.ts'
import {
  ALGORITHM,
  AUDIENCE,
  cacheOf,
  claimsOf,
  isTokenShaped,
  readIdClaims,
  TOKEN_LIFETIME_SECONDS,
  TOKEN_TYPES,
  VERIFIED_TOKENS_MAX,
} from './tokens.rules.ts'
import type { SignedTokens, TokenSubject, Tokens, TokenUse } from './tokens.types.ts'

export async function signTokens(
  keys: TokenKeys,
  issuer: string,
  subject: TokenSubject,
  issuedAt: Date,
): Promise<SignedTokens> {
  const { kid, key } = await keys.getSigningKey()
  const issuedAtSeconds = Math.floor(issuedAt.getTime() / 1_000)
  const sign = (use: TokenUse) =>
    new SignJWT(claimsOf(subject, use))
      .setProtectedHeader({ alg: ALGORITHM, typ: TOKEN_TYPES[use], kid })
      .setIssuer(issuer)
      .setAudience(AUDIENCE)
      .setSubject(subject.userId.toString())
      .setIssuedAt(issuedAtSeconds)
      .setExpirationTime(issuedAtSeconds + TOKEN_LIFETIME_SECONDS)
      .setJti(randomUUID())
      .sign(key)
  const [idToken, accessToken] = await Promise.all([sign('id'), sign('access')])
  return { idToken, accessToken, expiresInSeconds: TOKEN_LIFETIME_SECONDS }
}

/** Signs claims that are no token: the type in its header is another one. */
export async function signDocument(
  keys: TokenKeys,
  type: string,
  claims: Readonly<Record<string, unknown>>,
): ReturnType<Tokens['signDocument']> {
  assert(!Object.values(TOKEN_TYPES).includes(type), 'a document is no token')
  const { kid, key } = await keys.getSigningKey()
  const publicJwk = keys.published().keys.find((each) => each.kid === kid)
  assert(publicJwk !== undefined, 'a key that signs is published')
  const jws = await new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: type, kid }).sign(key)
  return { jws, kid, publicJwk }
}

type VerifiedToken = IdClaims & { readonly kid: string }

export type VerifierOptions = {
  keys: TokenKeys
  directory: Directory
  issuer: () => string
  clock: Pick<DatabaseClock, 'nowMs'>
}

/** Verifies tokens and caches the verified ones. The user, and whether the key may verify, are looked up every time. */
export function createVerifier(options: VerifierOptions): Tokens['verify'] {
  const { keys, directory, issuer, clock } = options
  const verified = cacheOf<VerifiedToken>(VERIFIED_TOKENS_MAX)

  const findUser = (token: VerifiedToken) => {
    const user = directory.findUser(token.resellerId, token.userId)
    return user?.reseller.account === token.account ? user : undefined
  }

  return async function verify(bearer) {
    if (!isTokenShaped(bearer)) throw invalidToken('not shaped like a token')
    const digest = digestOf(bearer).toString('base64')
    const known = verified.find(digest)
    const token = known ?? (await readToken(keys, issuer(), new Date(clock.nowMs()), bearer))
    if (known === undefined) verified.put(digest, token)
    else if (known.expiresAtMs <= clock.nowMs() || !keys.has(known.kid)) {
      verified.delete(digest)
      throw invalidToken('expired')
    }
    // A token seen for the first time may belong to a user who is newer than this node's view.
    if (known === undefined && findUser(token) === undefined) await refreshDirectory(directory)
    const user = findUser(token)
    if (user === undefined) throw invalidToken('the user is gone')
    return { user }
  }
}

async function readToken(keys: TokenKeys, issuer: string, now: Date, bearer: string): Promise<VerifiedToken> {
  try {
    const { payload, protectedHeader } = await jwtVerify(bearer, ({ kid }) => getPublicKey(keys, kid), {
      algorithms: [ALGORITHM],
      typ: TOKEN_TYPES.id,
      issuer,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'iat', 'exp', 'jti'],
      currentDate: now,
    })
    const claims = readIdClaims(payload)
    const { kid } = protectedHeader
    if (claims === undefined || kid === undefined) throw invalidToken('not an ID token')
    return { ...claims, kid }
  } catch (error) {
    if (error instanceof errors.JOSEError) throw invalidToken(error.message, error)
    throw error
  }
}

async function getPublicKey(keys: TokenKeys, kid: unknown) {
  if (typeof kid !== 'string') throw invalidToken('no key id')
  const key = await keys.findPublicKey(kid).catch((error) => {
    // The token may be valid, so it is not refused with 401.
    throw unavailable('token_keys_unavailable', 'the token keys could not be read', error)
  })
  if (key === undefined) throw invalidToken('unknown key id')
  return key
}

export async function refreshDirectory(directory: Directory): Promise<void> {
  try {
    await directory.refresh()
  } catch (error) {
    // The user may exist, so nobody is refused with 401.
    throw unavailable('directory_unavailable', 'the accounts could not be read', error)
  }
}

function invalidToken(internalText: string, cause?: unknown): RequestError {
  return refusal('invalid_token', { internalText: `bearer token refused: ${internalText}`, cause })
}
