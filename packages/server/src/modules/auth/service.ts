import { randomBytes } from 'node:crypto'
import type { DatabaseClock } from '../../db/clock.ts'
import type { Authenticate, Authenticated, IncomingRequest, Recognize } from '../../http/operation.ts'
import type { AuthenticationCode } from '../../http/refusals.ts'
import { AUTHENTICATION_REFUSALS, refusal } from '../../http/refusals.ts'
import { RequestError, unavailable } from '../../lib/errors.ts'
import { parseQuery } from '../../lib/input/forms.ts'
import type { HmacKey } from '../../lib/secrets/hmac.ts'
import { createHmacKey } from '../../lib/secrets/hmac.ts'
import { DIRECTORY_STALE_MS } from '../accounts/directory.ts'
import { tokenScopesOf } from '../accounts/members.rules.ts'
import type { Directory, DirectoryKey, DirectoryReseller, Scope } from '../accounts/types.ts'
import { nonceDigest } from './nonces.rules.ts'
import type { NonceCommand, Nonces } from './nonces.types.ts'
import { findFormatHint, findSignatureHint } from './signing/signature-hints.rules.ts'
import type { SignedParts } from './signing/signing.rules.ts'
import {
  bodyHashOf,
  canonicalQueries,
  canonicalString,
  findSignedQuery,
  isNonce,
  isWithinSkew,
  parseSignature,
  parseTimestamp,
  SKEW_MAX_SECONDS,
} from './signing/signing.rules.ts'
import type { Tokens } from './tokens.types.ts'
import type { Caller } from './types.ts'

/** Skew for operations that spend nonces in a commit of their own. */
export const NONCE_SKEW_MAX_SECONDS = SKEW_MAX_SECONDS

export type AuthenticatorOptions = {
  directory: Directory
  nonces: Nonces
  tokens: Pick<Tokens, 'verify'>
  clock: Pick<DatabaseClock, 'nowMs'>
  /** True in staging: a failed signature is answered with the text that the server built. */
  explainSignatures: boolean
}

/** Authenticates the callers of an operation. It is called once per request. */
export type Authenticator = (scope: Scope | 'any') => Authenticate<Caller>

/** Stands in for the secret of a key that does not exist, so that both cases do the same work. */
const DUMMY_SECRET = createHmacKey(randomBytes(32))

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return (scope) => (request) => {
    refuseStale(options.directory)
    const identified = identify(options, request)
    return identified instanceof Promise
      ? identified.then((authenticated) => withScope(authenticated, scope))
      : withScope(identified, scope)
  }
}

/**
 * Checks whether a caller may send a large body before it is read: the key must exist, the token must be valid. The
 * signature needs the body and is checked afterwards.
 */
export function createRecognizer(options: Pick<AuthenticatorOptions, 'directory' | 'tokens'>): Recognize {
  return async (request) => {
    refuseStale(options.directory)
    const credential = credentialOf(request)
    if (credential.kind === 'token') await options.tokens.verify(credential.token)
    else findKey(options.directory, credential.apiKey)
  }
}

/**
 * Refuses everything when the directory is stale: a revoked key must not keep working on a node that has lost its
 * database.
 */
function refuseStale(directory: Directory): void {
  const ageMs = directory.ageMs()
  if (ageMs > DIRECTORY_STALE_MS) {
    throw unavailable('directory_stale', `the directory is ${Math.round(ageMs)} ms old`)
  }
}

/** Refuses a caller without the scope, but only after everything else of the request was found right. */
function withScope(
  authenticated: Authenticated<Caller>,
  scope: Scope | 'any',
): Authenticated<Caller> | Promise<Authenticated<Caller>> {
  if (scope === 'any' || authenticated.caller.scopes.has(scope)) return authenticated
  const missing = refusal('insufficient_scope', {
    publicText: `This credential does not have the scope "${scope}".`,
  })
  const confirmed = authenticated.confirm?.() ?? Promise.resolve()
  return confirmed
    .then(() => Promise.reject(missing))
    .catch((error: unknown) => Promise.reject(claimedBy(authenticated.logFields, error)))
}

type Credential =
  | { readonly kind: 'key'; readonly apiKey: string }
  | { readonly kind: 'token'; readonly token: string }

function credentialOf(request: IncomingRequest): Credential {
  const apiKey = header(request, 'x-api-key')
  if (apiKey !== undefined) return { kind: 'key', apiKey }
  const authorization = header(request, 'authorization')
  if (authorization !== undefined && /^bearer\b/i.test(authorization)) {
    return { kind: 'token', token: authorization.slice('bearer'.length).trim() }
  }
  throw refusal('unauthorized')
}

function identify(
  options: AuthenticatorOptions,
  request: IncomingRequest,
): Authenticated<Caller> | Promise<Authenticated<Caller>> {
  const credential = credentialOf(request)
  if (credential.kind === 'token') return identifyByToken(options, request, credential.token)
  return identifyBySignature(options, request, credential.apiKey)
}

/** Finds a key. `beforeRefusal` is called before an unknown key is refused. */
function findKey(directory: Directory, apiKey: string, beforeRefusal = () => {}): DirectoryKey {
  if (apiKey === '') throw refusal('missing_api_key')
  const key = directory.findKey(apiKey)
  if (key !== undefined) return key
  beforeRefusal()
  throw refusal('invalid_api_key')
}

function identifyBySignature(
  options: AuthenticatorOptions,
  request: IncomingRequest,
  apiKey: string,
): Authenticated<Caller> {
  const key = findKey(options.directory, apiKey, () => verifyDummy(request))
  const logFields = { reseller: key.reseller.account, key_id: String(key.id) }
  const { timestampSeconds, nonce, query } = claiming(logFields, () => {
    const read = readSignature(options, request, key)
    refuseForeignAddress(key.reseller, request.address)
    if (!key.allowsAddress(request.address)) throw foreignAddress(request.address, 'this key')
    return read
  })
  const command = { digest: nonceDigest(key.id, nonce), requestId: request.id, timestampSeconds }
  return {
    caller: {
      reseller: key.reseller,
      kind: 'key',
      memberId: String(key.id),
      scopes: key.scopes,
      purposeId: key.purposeId,
      products: key.products,
      caps: key.caps,
      unspentNonce: command,
    },
    query: parseQuery(query),
    logFields,
    confirm: () =>
      options.nonces.spend(command, request.deadlineMs).then((isSpent) => {
        if (!isSpent) throw nonceRefused(options.clock, command)
      }),
  }
}

/**
 * Tells whether a caller may see data that is worth money: keys may, as the contract says, and people who may spend.
 */
export function seesSecrets({ kind, scopes }: Pick<Caller, 'kind' | 'scopes'>): boolean {
  return kind === 'key' || scopes.has('pay')
}

/** Adds the key's fields to a refusal, so that the key's owner sees refused requests that named it. */
function claiming<T>(claimed: Readonly<Record<string, string>>, check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw claimedBy(claimed, error)
  }
}

function claimedBy(claimed: Authenticated<Caller>['logFields'], error: unknown): unknown {
  if (error instanceof RequestError) error.claimed = claimed
  return error
}

/**
 * Error for a refused nonce. The store checked the timestamp once more, by its own clock, when it would have stored the
 * nonce.
 */
export function nonceRefused(
  clock: Pick<DatabaseClock, 'nowMs'>,
  { timestampSeconds }: NonceCommand,
): RequestError {
  if (!isWithinSkew(timestampSeconds, clock.nowMs())) return expired(String(timestampSeconds))
  return refusal('nonce_reused')
}

type ReadSignature = { timestampSeconds: number; nonce: string; query: string }

/** Checks the signing headers, in the order in which the contract lists the error codes. */
function readSignature(
  options: AuthenticatorOptions,
  request: IncomingRequest,
  key: DirectoryKey,
): ReadSignature {
  if (key.secret === null) throw refusal('hmac_not_configured')
  const timestamp = header(request, 'x-timestamp')
  const nonce = header(request, 'x-nonce')
  const signature = header(request, 'x-signature')
  if (timestamp === undefined || nonce === undefined || signature === undefined) {
    throw refusal('missing_hmac_headers')
  }
  if (timestamp === '' || nonce === '' || signature === '') throw refusal('empty_hmac_values')
  if (!isNonce(nonce)) throw refusal('invalid_nonce_format')
  const timestampSeconds = parseTimestamp(timestamp)
  if (timestampSeconds === undefined) throw refusal('invalid_timestamp_format')
  if (!isWithinSkew(timestampSeconds, options.clock.nowMs())) throw expired(timestamp)
  const bytes = parseSignature(signature)
  if (bytes === undefined) {
    const hint = options.explainSignatures ? findFormatHint(signature) : undefined
    throw withHint('invalid_signature_format', hint)
  }
  const parts = { timestamp, nonce, method: request.method, rawQuery: request.rawQuery, body: request.body }
  const bodyHash = bodyHashOf(request.body)
  const query = findSignedQuery(parts, key.secret, bytes, bodyHash)
  if (query === undefined) throw wrongSignature(options, parts, bodyHash, key.secret, bytes)
  return { timestampSeconds, nonce, query }
}

/** Does the work of a wrong signature for a key that does not exist, so that both take the same time. */
function verifyDummy(request: IncomingRequest): void {
  const timestamp = header(request, 'x-timestamp')
  const nonce = header(request, 'x-nonce')
  const signature = parseSignature(header(request, 'x-signature') ?? '')
  if (timestamp === undefined || nonce === undefined || signature === undefined) return
  const parts = { timestamp, nonce, method: request.method, rawQuery: request.rawQuery, body: request.body }
  const bodyHash = bodyHashOf(request.body)
  findSignedQuery(parts, DUMMY_SECRET, signature, bodyHash)
  ourString(parts, bodyHash)
}

/** The canonical string in the contract's own form, as the service builds it. */
function ourString(parts: SignedParts, bodyHash: string): string {
  const [query = ''] = canonicalQueries(parts.rawQuery)
  return canonicalString(parts, query, bodyHash)
}

async function identifyByToken(
  options: AuthenticatorOptions,
  request: IncomingRequest,
  token: string,
): Promise<Authenticated<Caller>> {
  const { user } = await options.tokens.verify(token)
  const logFields = { reseller: user.reseller.account, user_id: String(user.id) }
  claiming(logFields, () => refuseForeignAddress(user.reseller, request.address))
  return {
    caller: {
      reseller: user.reseller,
      kind: 'user',
      memberId: String(user.id),
      scopes: tokenScopesOf(user.role),
    },
    query: parseQuery(request.rawQuery),
    logFields,
  }
}

function refuseForeignAddress(reseller: DirectoryReseller, address: string): void {
  if (reseller.allowsAddress(address)) return
  throw foreignAddress(address, 'this account')
}

function foreignAddress(address: string, whose: string): RequestError {
  return refusal('ip_not_allowed', { publicText: `The address ${address} is not on ${whose}'s allowlist.` })
}

function wrongSignature(
  options: AuthenticatorOptions,
  parts: SignedParts,
  bodyHash: string,
  secret: HmacKey,
  signature: Buffer,
): RequestError {
  const text = ourString(parts, bodyHash)
  const hint = options.explainSignatures ? findSignatureHint(parts, secret, signature) : undefined
  const debug = { canonical_string: text, body_hash: bodyHash, ...(hint !== undefined && { hint }) }
  const error = refusal('invalid_signature', options.explainSignatures ? { extra: { debug } } : {})
  error.canonicalString = text
  return error
}

function expired(timestamp: string): RequestError {
  const isLong = timestamp.length >= 13
  return withHint('timestamp_expired', isLong ? 'It looks like milliseconds; send seconds.' : undefined)
}

/** Builds a refusal whose message ends with a hint about the usual mistake. */
function withHint(code: AuthenticationCode, hint: string | undefined): RequestError {
  if (hint === undefined) return refusal(code)
  return refusal(code, { publicText: `${AUTHENTICATION_REFUSALS[code].message} ${hint}` })
}

/** Reads a header. One that is sent twice is joined by a comma, and so fails its format check. */
function header(request: IncomingRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
