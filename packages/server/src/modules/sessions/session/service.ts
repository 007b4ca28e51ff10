import type { Queryable, Tx } from '../../../db/database.ts'
import { normalizeAddress } from '../../../lib/addresses.ts'
import { assert, RequestError } from '../../../lib/errors.ts'
import { oneLine } from '../../../lib/mail-addresses.ts'
import { appendAudit } from '../../audit/service.ts'
import type { Judged } from '../../auth/attempts.service.ts'
import { attemptLogin } from '../../auth/attempts.service.ts'
import { findKnownBrowser, rememberBrowser, sweepDevices } from '../people/devices.service.ts'
import { noteLockout } from '../people/lockouts.service.ts'
import type { Credentials, Person, PersonKey, PersonKind, Session } from '../people/people.types.ts'
import type { SignedInCaller } from '../people/proof.service.ts'
import { checkPassword, keyOf, ownTarget, unsignedCaller } from '../people/proof.service.ts'
import {
  csrfTokenOf,
  digestOf,
  isLogin,
  newSecret,
  SESSION_LIMITS,
  SESSIONS_SHOWN_MAX,
  targetOf,
} from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import {
  deleteOldSessions,
  endSessionByDigest,
  endSessions,
  findByKey,
  findByLogin,
  insertSession,
  listSessions,
} from '../people/sql.ts'
import { checkCode, hasSecondFactor } from '../second-factor/totp.service.ts'

/** Where a request comes from, as a session remembers it. */
export type Visitor = { readonly address: string; readonly userAgent: string }
type Browser = Visitor & { readonly deviceSecret?: string | undefined }

export type SignIn = Visitor & {
  readonly kind: PersonKind
  readonly login: string
  readonly password: string
  /** Of the second factor, or one of the recovery codes. */
  readonly code: string | undefined
  /** Of the session that the browser has so far, which ends: nobody chooses somebody else's next one. */
  readonly previousSecret: string | undefined
  /** By which the browser may be known from an earlier sign-in. */
  readonly deviceSecret: string | undefined
}

export type SignedIn = {
  readonly person: Person
  readonly session: Session
  /** For the cookie, and kept nowhere. */
  readonly secret: string
  readonly csrfToken: string
  readonly hasSecondFactor: boolean
  /** By which the browser is known at the next sign-in; for a cookie of its own. */
  readonly deviceSecret: string
}

/** 401 `invalid_credentials`, `code_required` or `invalid_code`; 429 `too_many_requests`. */
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
      onLockedOut: (tx, scope) => noteLockout(options, tx, { kind, login, address, scope }),
      onProblem: options.onProblem,
    },
    async () => {
      const found = isLogin(login) ? await findByLogin(options.database, kind, login) : undefined
      const proven = await checkPassword(options, found, password)
      return proven === undefined ? { failure: invalidCredentials() } : { passed: proven }
    },
    async (tx, credentials): Promise<Judged<SignedIn>> => {
      const takesCode = await hasSecondFactor(tx, credentials)
      if (takesCode) {
        // Nothing was guessed: the password is right, and the page asks for the rest.
        if (request.code === undefined) throw codeRequired()
        if (!(await checkCode(options, tx, credentials, request.code))) return { failure: invalidCode() }
      }
      if (request.previousSecret !== undefined) {
        await endSessionByDigest(tx, kind, digestOf(request.previousSecret))
      }
      const signedIn = await openSession(tx, credentials, request, takesCode)
      // Members' stand in their sessions; the log's one line would have to hold everybody's.
      if (kind === 'operator') await noteSignIn(options, tx, credentials, signedIn, address)
      return { passed: signedIn }
    },
  )
}

function noteSignIn(
  { audit }: SessionsOptions,
  tx: Tx,
  credentials: Credentials,
  { session, hasSecondFactor: takesCode }: SignedIn,
  address: string,
): Promise<void> {
  const caller = unsignedCaller(credentials, `session:${session.id}`, address)
  const act = { caller, action: 'session.sign_in', reason: 'signed in' }
  const after = { session: String(session.id), two_factor: takesCode }
  return appendAudit(tx, audit, act, { target: targetOf(credentials), before: null, after })
}

const USER_AGENT_LENGTH_MAX = 300

/** Always a new session: nobody can have known its secret before. */
export async function openSession(
  tx: Tx,
  credentials: Credentials,
  visitor: Browser,
  takesCode: boolean,
): Promise<SignedIn> {
  const secret = newSecret('')
  const session = await insertSession(tx, {
    person: credentials,
    passwordVersion: credentials.passwordVersion,
    digest: digestOf(secret),
    lifetimeSeconds: SESSION_LIMITS[credentials.kind].lifetimeSeconds,
    address: normalizeAddress(visitor.address),
    userAgent: oneLine(visitor.userAgent, USER_AGENT_LENGTH_MAX),
  })
  return {
    person: credentials,
    session,
    secret,
    csrfToken: csrfTokenOf(secret),
    hasSecondFactor: takesCode,
    deviceSecret: await rememberBrowser(tx, credentials, visitor.deviceSecret),
  }
}

/** Somebody who was just authenticated, so they exist. */
export async function getPerson(connection: Queryable, key: PersonKey): Promise<Person> {
  const person = await findByKey(connection, key)
  assert(person !== undefined, 'whoever has a session exists')
  return person
}

// ── One's own sessions ──

export function listOwnSessions(connection: Queryable, key: PersonKey): Promise<Session[]> {
  const { idleSeconds } = SESSION_LIMITS[key.kind]
  return listSessions(connection, key, { idleSeconds, limit: SESSIONS_SHOWN_MAX })
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
    await endSessionByDigest(tx, caller.kind, digestOf(secret))
    await noteEnd(options, tx, caller, 'session.sign_out', null)
  })
}

/** Of operators, as their signing in is. */
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

/** Forgets sessions that ended long ago and devices that nobody uses, in small steps. */
export async function sweepSessions(connection: Queryable): Promise<void> {
  await sweepDevices(connection)
  while ((await deleteOldSessions(connection, ENDED_KEPT_DAYS, DELETED_AT_ONCE_MAX)) === DELETED_AT_ONCE_MAX);
}

// ── Refusals ──

/** One text for a wrong password, an unknown and a disabled person. */
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
