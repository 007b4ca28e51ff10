import type { DatabaseClock } from '../../db/clock.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { refusal } from '../../http/refusals.ts'
import { RequestError } from '../../lib/errors.ts'
import { digestOf } from '../../lib/secrets/digests.ts'
import type { Asker } from '../../lib/secrets/hash-turns.ts'
import { personOf, strangerAt } from '../../lib/secrets/hash-turns.ts'
import { admitHash, verifyDummyHash, verifyPassword } from '../../lib/secrets/passwords.ts'
import { DIRECTORY_STALE_MS } from '../accounts/directory.ts'
import { findLogin } from '../accounts/service.ts'
import type { Directory, DirectoryUser, Login } from '../accounts/types.ts'
import type { Guess, LockoutScope } from './attempts.rules.ts'
import { digestOfNetwork, guessOf } from './attempts.rules.ts'
import { countFailure, mayAttempt, mayAttemptHere } from './attempts.service.ts'
import { deleteOldLoginFailures, findLockout, lockLoginAttempts } from './attempts.sql.ts'
import { revokeUserTokens } from './public.sql.ts'
import { openTokenKeys } from './token-keys.service.ts'
import { createVerifier, refreshDirectory, signDocument, signTokens } from './token-signing.service.ts'
import {
  isRefreshTokenShaped,
  newRefreshToken,
  REFRESH_TOKEN_LIFETIME_DAYS,
  TOKEN_REQUESTS_PER_SECOND_MAX,
} from './tokens.rules.ts'
import {
  deleteExpiredRefreshTokens,
  deleteIdleCounters,
  deleteRetiredKeys,
  findRefreshToken,
  insertRefreshToken,
} from './tokens.sql.ts'
import type { SignedTokens, TokenResult, TokenSubject, Tokens } from './tokens.types.ts'

export type TokensOptions = {
  database: Database
  vault: Vault
  directory: Directory
  /** Public address of the service, the same on every node. It is read at each use. */
  issuer: () => string
  /** Tells whether a user has a second factor. It is called within the deciding transaction. */
  hasSecondFactor: (connection: Queryable, user: UserKey) => Promise<boolean>
  /** Networks from which users got tokens before. Strangers who guess elsewhere do not lock the users out there. */
  knownNetworks: KnownNetworks
  /** Called in the commit of the failure that locks a user name out. */
  onLockedOut?: (tx: Tx, who: LockedOutUser) => Promise<void>
  /** Clock that decides what has expired; tokens are dated by the database's clock. Default: this machine's clock. */
  clock?: Pick<DatabaseClock, 'nowMs'>
  /** Called when `onLockedOut` failed. The failure is counted all the same. */
  onProblem?: (text: string, error: unknown) => void
  /** Called when reading other nodes' keys failed. This node continues with the keys it has. */
  onPollError?: (error: unknown) => void
  passwords?: PasswordCheck
}

export type LockedOutUser = {
  readonly username: string
  readonly address: string
  readonly scope: LockoutScope
}

/** Networks from which users got tokens. A place is the digest of a network. */
export type KnownNetworks = {
  isKnown(connection: Queryable, username: string, place: Buffer): Promise<boolean>
  remember(tx: Tx, user: UserKey & { readonly passwordChangedAt: Date }, place: Buffer): Promise<void>
}

export type UserKey = { readonly resellerId: bigint; readonly userId: bigint }

/** The two ways to make one argon2 verification. A test counts them. */
export type PasswordCheck = {
  verifyPassword(passwordHash: string, password: string, asker: Asker): Promise<boolean>
  verifyDummyHash(password: string, asker: Asker): Promise<false>
}

export async function openTokens(options: TokensOptions): Promise<Tokens> {
  const { database, vault, directory, issuer } = options
  const keys = await openTokenKeys({ database, vault, onPollError: options.onPollError ?? (() => {}) })
  const issuing: Issuing = {
    database,
    directory,
    hasSecondFactor: options.hasSecondFactor,
    knownNetworks: options.knownNetworks,
    onLockedOut: options.onLockedOut ?? (async () => {}),
    onProblem: options.onProblem ?? (() => {}),
    passwords: options.passwords ?? { verifyPassword, verifyDummyHash },
    sign: (subject, issuedAt) => signTokens(keys, issuer(), subject, issuedAt),
  }
  return {
    issue: (request) => issue(issuing, request),
    refresh: (request) => refresh(issuing, request),
    verify: createVerifier({ keys, directory, issuer, clock: options.clock ?? { nowMs: Date.now } }),
    revokeUserTokens,
    jwks: () => keys.published(),
    signDocument: (type, claims) => signDocument(keys, type, claims),
    rotateKey: () => keys.rotate(),
    cleanUp: () => cleanUp(database),
    close: () => keys.close(),
  }
}

// ── Issuing ──

type Issuing = {
  readonly database: Database
  readonly directory: Directory
  readonly hasSecondFactor: TokensOptions['hasSecondFactor']
  readonly knownNetworks: KnownNetworks
  readonly onLockedOut: NonNullable<TokensOptions['onLockedOut']>
  readonly onProblem: NonNullable<TokensOptions['onProblem']>
  readonly passwords: PasswordCheck
  sign(subject: TokenSubject, issuedAt: Date): Promise<SignedTokens>
}

async function issue(
  issuing: Issuing,
  request: { username: string; password: string; address: string },
): Promise<TokenResult> {
  const { database, directory } = issuing
  if (!(await mayAttemptHere(database, request.address))) throw tooManyTokens()
  const guess = await guessOfUser(issuing, request)
  if (!guess.isKnown) admitHash(strangerAt(request.address))
  if (!(await mayAttempt(database, request.address))) throw tooManyTokens()
  await refuseLockedOut(database, guess)

  const login = await findLogin(database, request.username)
  const asker =
    guess.isKnown && login !== undefined
      ? personOf('member', String(login.resellerId), String(login.userId))
      : strangerAt(request.address)
  const proven = (await checkPassword(issuing.passwords, login, request.password, asker)) ? login : undefined
  const user = proven && (await findCurrentUser(directory, proven, () => true))

  const refreshToken = newRefreshToken()
  const verdict = await database.transaction(async (tx) => {
    await lockLoginAttempts(tx, guess)
    // The limit is checked again under the lock: of many guesses sent at once, no more than the limit are answered.
    await refuseLockedOut(tx, guess)
    if (proven === undefined || user === undefined) {
      const onLockedOut = (inner: Tx, scope: LockoutScope) =>
        issuing.onLockedOut(inner, { username: request.username, address: request.address, scope })
      await countFailure(tx, guess, { ...issuing, onLockedOut })
      return undefined
    }
    refuseAddress(user, request.address)
    await refuseSecondFactor(issuing, tx, proven)
    const username = request.username.toLowerCase()
    const issuedAt = await insertRefreshToken(tx, {
      resellerId: proven.resellerId,
      userId: proven.userId,
      username,
      passwordChangedAt: proven.passwordChangedAt,
      digest: digestOf(refreshToken),
      lifetimeDays: REFRESH_TOKEN_LIFETIME_DAYS,
    })
    await issuing.knownNetworks.remember(tx, proven, guess.place)
    return { subject: subjectOf(user, username), issuedAt }
  })
  if (verdict === undefined) throw invalidCredentials()
  return { ...(await issuing.sign(verdict.subject, verdict.issuedAt)), refreshToken }
}

/** Makes one argon2 verification in every case, so that the time does not show who exists. */
function checkPassword(
  passwords: PasswordCheck,
  login: Login | undefined,
  password: string,
  asker: Asker,
): Promise<boolean> {
  return login?.status === 'active'
    ? passwords.verifyPassword(login.passwordHash, password, asker)
    : passwords.verifyDummyHash(password, asker)
}

async function refresh(
  issuing: Issuing,
  request: { refreshToken: string; address: string },
): Promise<TokenResult> {
  const { database } = issuing
  if (!(await mayAttemptHere(database, request.address)) || !(await mayAttempt(database, request.address)))
    throw tooManyTokens()
  const token = isRefreshTokenShaped(request.refreshToken)
    ? await findRefreshToken(issuing.database, digestOf(request.refreshToken))
    : undefined
  if (token === undefined) throw invalidRefreshToken()
  const user = await findCurrentUser(
    issuing.directory,
    token,
    (candidate) => candidate.passwordChangedAt.getTime() === token.passwordChangedAt.getTime(),
  )
  if (user === undefined) throw invalidRefreshToken()
  refuseAddress(user, request.address)
  await refuseSecondFactor(issuing, issuing.database, token)
  return { ...(await issuing.sign(subjectOf(user, token.username), token.now)), refreshToken: null }
}

/**
 * Finds the user. Another node may know a user or a new password a moment earlier, so it refreshes the directory before
 * it finds nothing. It never uses a stale view, which may lack the end of a user.
 */
async function findCurrentUser(
  directory: Directory,
  { resellerId, userId }: { resellerId: bigint; userId: bigint },
  fits: (user: DirectoryUser) => boolean,
): Promise<DirectoryUser | undefined> {
  const find = () => {
    const user = directory.findUser(resellerId, userId)
    return user !== undefined && fits(user) ? user : undefined
  }
  const known = directory.ageMs() <= DIRECTORY_STALE_MS ? find() : undefined
  if (known !== undefined) return known
  await refreshDirectory(directory)
  return find()
}

function subjectOf(user: DirectoryUser, username: string): TokenSubject {
  return { userId: user.id, resellerId: user.reseller.id, account: user.reseller.account, username }
}

// ── Limits ──

function tooManyTokens(): RequestError {
  return tooManyRequests(1, `more than ${TOKEN_REQUESTS_PER_SECOND_MAX} token requests in a second`)
}

/**
 * Makes the guess of a user. A client of the API has no cookie, so it is known by the network from which it got a token
 * before. Ten failures from one network lock the user name out there, whether the network is known or not.
 */
async function guessOfUser(
  { database, knownNetworks }: Issuing,
  { username, address }: { username: string; address: string },
): Promise<Guess> {
  const guess = guessOf({ kind: 'member', name: username, address, device: undefined })
  const isKnown = await knownNetworks.isKnown(database, username.toLowerCase(), digestOfNetwork(address))
  return { ...guess, isKnown }
}

async function refuseLockedOut(connection: Queryable, guess: Guess): Promise<void> {
  const lockout = await findLockout(connection, guess)
  if (lockout !== undefined) {
    throw tooManyRequests(lockout.secondsLeft, `too many failures for this user name, ${lockout.scope}`)
  }
}

// ── Cleaning ──

const ROWS_PER_STEP = 1_000
const STEPS_MAX = 100
const EXPIRED_REFRESH_TOKENS_KEPT_DAYS = 30

/**
 * Deletes in small steps, each a transaction of its own, so that nobody waits long for a lock. The rest is deleted next
 * time.
 */
async function cleanUp(database: Database): Promise<{ deleted: number }> {
  const steps = [
    () => deleteOldLoginFailures(database, ROWS_PER_STEP),
    () => deleteIdleCounters(database, ROWS_PER_STEP),
    () => deleteExpiredRefreshTokens(database, EXPIRED_REFRESH_TOKENS_KEPT_DAYS, ROWS_PER_STEP),
  ]
  let deleted = await deleteRetiredKeys(database)
  for (const step of steps) {
    for (let count = 0; count < STEPS_MAX; count += 1) {
      const rows = await step()
      deleted += rows
      if (rows < ROWS_PER_STEP) break
    }
  }
  return { deleted }
}

// ── Refusals ──

/** Gives one text for a wrong password, an unknown user and a disabled user. */
function invalidCredentials(): RequestError {
  return refusal('invalid_credentials', { fields: {} })
}

function invalidRefreshToken(): RequestError {
  return refusal('invalid_refresh_token', { fields: {} })
}

/**
 * Refuses a user with a second factor: a password alone must not give access to an account that needs two. Only a
 * caller with the right password learns of it, as in the portal. It is not a guess, so it is not counted as a failure.
 */
async function refuseSecondFactor(
  { hasSecondFactor }: Issuing,
  connection: Queryable,
  user: UserKey,
): Promise<void> {
  if (!(await hasSecondFactor(connection, user))) return
  throw refusal('second_factor_enabled', { fields: {} })
}

function refuseAddress(user: DirectoryUser, address: string): void {
  if (user.reseller.allowsAddress(address)) return
  throw refusal('ip_not_allowed', {
    publicText: 'This account does not accept requests from your IP address.',
  })
}

function tooManyRequests(retryAfterSeconds: number, internalText: string): RequestError {
  return new RequestError({
    status: 429,
    code: 'too_many_requests',
    publicText: 'Too many token requests. Please try again later.',
    internalText,
    fields: {},
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
}
