import type { Queryable, Tx } from '../../../db/database.ts'
import { normalizeAddress } from '../../../lib/addresses.ts'
import { assert, RequestError } from '../../../lib/errors.ts'
import { oneLine } from '../../../lib/mail-addresses.ts'
import { admitHash } from '../../../lib/secrets/passwords.ts'
import { appendAudit } from '../../audit/service.ts'
import type { Judged } from '../../auth/attempts.service.ts'
import { attemptLogin } from '../../auth/attempts.service.ts'
import { findKnownBrowser, rememberBrowser, sweepDevices } from '../people/devices.service.ts'
import { noteLockout } from '../people/lockouts.service.ts'
import type {
  Credentials,
  Person,
  PersonKey,
  PersonKind,
  Session,
  SessionTill,
} from '../people/people.types.ts'
import type { SignedInCaller } from '../people/proof.service.ts'
import { checkPassword, keyOf, ownTarget, unsignedCaller } from '../people/proof.service.ts'
import {
  csrfTokenOf,
  isLogin,
  newPinSecret,
  newSecret,
  PIN_SESSION_SECONDS,
  SESSION_LIMITS,
  SESSIONS_MAX,
  sessionDigestOf,
  TOUCHED_AFTER_SECONDS,
  targetOf,
} from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import {
  deleteOldSessions,
  endSessionByDigest,
  endSessions,
  endSessionsBeyond,
  findByKey,
  findByLogin,
  insertSession,
  listSessions,
} from '../people/sql.ts'
import { sweepChallenges } from '../second-factor/passkeys.service.ts'
import { checkCode, hasSecondFactor } from '../second-factor/totp.service.ts'
import { sweepSharedTills, useSharedTill } from '../shared-tills/service.ts'

/** Origin of a request, as a session stores it. */
export type Visitor = { readonly address: string; readonly userAgent: string }
export type Browser = Visitor & {
  readonly deviceSecret?: string | undefined
  readonly tillSecret?: string | undefined
}

export type SignIn = Visitor & {
  readonly kind: PersonKind
  readonly login: string
  readonly password: string
  /** Code of the second factor, or one of the recovery codes. */
  readonly code: string | undefined
  /** Secret of the browser's present session, which ends: nobody can plant a session that another person continues. */
  readonly previousSecret: string | undefined
  /** Secret by which the browser may be known from an earlier sign-in. */
  readonly deviceSecret: string | undefined
  /** Secret by which the browser may be a shared till. */
  readonly tillSecret?: string | undefined
}

export type SignedIn = {
  readonly person: Person
  readonly session: Session
  /** Secret for the cookie. It is stored nowhere. */
  readonly secret: string
  readonly csrfToken: string
  readonly hasSecondFactor: boolean
  /** Secret for a separate cookie, by which the browser is known at the next sign-in. A PIN makes nobody known. */
  readonly deviceSecret: string | undefined
  readonly isByPin: boolean
  /** Shared till that the browser is, and the secret of its cookie. */
  readonly till: SessionTill | undefined
  readonly tillSecret: string | undefined
}

/** Signs in. Answers 401 `invalid_credentials`, `code_required` or `invalid_code`, and 429 `too_many_requests`. */
export async function signIn(options: SessionsOptions, request: SignIn): Promise<SignedIn> {
  const { kind, password, address } = request
  const login = request.login.trim().toLowerCase()
  return attemptLogin(
    {
      database: options.database,
      kind,
      name: login,
      address,
      device: (connection) => findKnownBrowser(connection, { kind, login }, request.deviceSecret),
      admit: admitHash,
      onLockedOut: (tx, scope) => noteLockout(options, tx, { kind, login, address, scope }),
      onProblem: options.onProblem,
    },
    async (asker) => {
      const found = isLogin(login) ? await findByLogin(options.database, kind, login) : undefined
      const proven = await checkPassword(options, found, password, asker)
      return proven === undefined ? { failure: invalidCredentials() } : { passed: proven }
    },
    async (tx, credentials): Promise<Judged<SignedIn>> => {
      const takesCode = await hasSecondFactor(tx, credentials)
      if (takesCode) {
        // A missing code is not a guess: the password is right, and the page asks for the code.
        if (request.code === undefined) throw codeRequired()
        if (!(await checkCode(options, tx, credentials, request.code))) return { failure: invalidCode() }
      }
      if (request.previousSecret !== undefined) {
        await endSessionByDigest(tx, kind, sessionDigestOf(request.previousSecret))
      }
      const signedIn = await openSession(tx, credentials, request, { takesCode })
      // Sign-ins of members are recorded in their sessions: the audit log is one chain, so all of them would wait.
      if (kind === 'operator') await noteSignIn(options, tx, credentials, signedIn, address)
      return { passed: signedIn }
    },
  )
}

export function noteSignIn(
  { audit }: SessionsOptions,
  tx: Tx,
  credentials: Credentials,
  { session, hasSecondFactor: takesCode }: SignedIn,
  address: string,
): Promise<void> {
  const caller = unsignedCaller(credentials, `session:${session.id}`, address)
  const act = { caller, action: 'session.sign_in', reason: 'signed in' }
  const passkey = session.passkeyId === null ? {} : { passkey: String(session.passkeyId) }
  const after = { session: String(session.id), two_factor: takesCode, ...passkey }
  return appendAudit(tx, audit, act, { target: targetOf(credentials), before: null, after })
}

const USER_AGENT_LENGTH_MAX = 300

/** Opens a session, always with a new secret that nobody can have known before. */
export async function openSession(
  tx: Tx,
  credentials: Credentials,
  visitor: Browser,
  { takesCode, passkeyId = null, isByPin = false }: Entrance,
): Promise<SignedIn> {
  const secret = isByPin ? newPinSecret() : newSecret('')
  const till = await useSharedTill(tx, credentials, visitor.tillSecret)
  assert(till !== undefined || !isByPin, 'a PIN counts at a shared till alone')
  const session = await insertSession(tx, {
    person: credentials,
    passwordVersion: credentials.passwordVersion,
    digest: sessionDigestOf(secret),
    lifetimeSeconds: isByPin ? PIN_SESSION_SECONDS : SESSION_LIMITS[credentials.kind].lifetimeSeconds,
    address: normalizeAddress(visitor.address),
    userAgent: oneLine(visitor.userAgent, USER_AGENT_LENGTH_MAX),
    passkeyId,
    till: till && { id: till.id, idleSeconds: till.idleSeconds + TOUCHED_AFTER_SECONDS, isByPin },
  })
  await endSessionsBeyond(tx, credentials, SESSIONS_MAX)
  return {
    person: credentials,
    session,
    secret,
    csrfToken: csrfTokenOf(secret),
    hasSecondFactor: takesCode,
    deviceSecret: isByPin ? undefined : await rememberBrowser(tx, credentials, visitor.deviceSecret),
    isByPin,
    till,
    tillSecret: till && visitor.tillSecret,
  }
}

/** How a person came in. */
type Entrance = {
  readonly takesCode: boolean
  readonly passkeyId?: bigint | null
  readonly isByPin?: boolean
}

/** Reads a person who was just authenticated, and so exists. */
export async function getPerson(connection: Queryable, key: PersonKey): Promise<Person> {
  const person = await findByKey(connection, key)
  assert(person !== undefined, 'whoever has a session exists')
  return person
}

// ── Own sessions ──

export function listOwnSessions(connection: Queryable, key: PersonKey): Promise<Session[]> {
  const { idleSeconds } = SESSION_LIMITS[key.kind]
  return listSessions(connection, key, { idleSeconds, limit: SESSIONS_MAX })
}

export function endOwnSession(options: SessionsOptions, caller: SignedInCaller, id: bigint): Promise<void> {
  return options.database.transaction(async (tx) => {
    if ((await endSessions(tx, keyOf(caller), { only: id })) === 0) {
      throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such session.' })
    }
    await noteEnd(options, tx, caller, 'session.end', { session: String(id) })
  })
}

export function endOtherSessions(
  options: SessionsOptions,
  caller: SignedInCaller,
  current: bigint,
): Promise<number> {
  return options.database.transaction(async (tx) => {
    const ended = await endSessions(tx, keyOf(caller), { but: current })
    if (ended > 0) await noteEnd(options, tx, caller, 'session.end_others', { ended })
    return ended
  })
}

export function signOut(options: SessionsOptions, caller: SignedInCaller, secret: string): Promise<void> {
  return options.database.transaction(async (tx) => {
    await endSessionByDigest(tx, caller.kind, sessionDigestOf(secret))
    await noteEnd(options, tx, caller, 'session.sign_out', null)
  })
}

/** Logs the end of a session, for operators only, like their signing in. */
async function noteEnd(
  { audit }: SessionsOptions,
  tx: Tx,
  caller: SignedInCaller,
  action: string,
  after: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  if (caller.kind !== 'operator') return
  const act = { caller, action, reason: 'on their own account' }
  await appendAudit(tx, audit, act, { target: ownTarget(caller), before: null, after })
}

const ENDED_KEPT_DAYS = 30
const DELETED_AT_ONCE_MAX = 1_000

/** Deletes sessions that ended long ago, unused devices and unanswered challenges, in small steps. */
export async function sweepSessions(connection: Queryable): Promise<void> {
  await sweepDevices(connection)
  await sweepChallenges(connection)
  await sweepSharedTills(connection)
  while ((await deleteOldSessions(connection, ENDED_KEPT_DAYS, DELETED_AT_ONCE_MAX)) === DELETED_AT_ONCE_MAX);
}

// ── Refusals ──

/** Gives one text for a wrong password, an unknown person and a disabled person. */
function invalidCredentials(): RequestError {
  return new RequestError({
    status: 401,
    code: 'invalid_credentials',
    publicText: 'The name or password is incorrect.',
  })
}

function invalidCode(): RequestError {
  return new RequestError({
    status: 401,
    code: 'invalid_code',
    publicText: 'The code is incorrect or was used before.',
  })
}

function codeRequired(): RequestError {
  return new RequestError({
    status: 401,
    code: 'code_required',
    publicText: 'Send the code of your second factor, or one of your recovery codes, as well.',
  })
}
