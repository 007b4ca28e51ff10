import type { Queryable, Tx } from '../../db/database.ts'
import { normalizeAddress } from '../../lib/addresses.ts'
import { assert, RequestError } from '../../lib/errors.ts'
import { oneLine } from '../../lib/mail-addresses.ts'
import { appendAudit } from '../audit/service.ts'
import type { Judged } from '../auth/attempts.service.ts'
import { attemptLogin } from '../auth/attempts.service.ts'
import { noteLockout } from './lockouts.service.ts'
import type { Credentials, Person, PersonKey, PersonKind, Session } from './people.types.ts'
import { checkPassword, failuresName, unsignedCaller } from './proof.service.ts'
import { csrfTokenOf, digestOf, isLogin, newSecret, SESSION_LIMITS, SESSIONS_SHOWN_MAX } from './rules.ts'
import type { SessionsOptions } from './settings.types.ts'
import {
  deleteOldSessions,
  endSessionByDigest,
  endSessions,
  findByKey,
  findByLogin,
  insertSession,
  listSessions,
} from './sql.ts'
import { checkCode, hasSecondFactor } from './totp.service.ts'

/** Where a request comes from, as a session remembers it. */
export type Visitor = { readonly address: string; readonly userAgent: string }

export type SignIn = Visitor & {
  readonly kind: PersonKind
  readonly login: string
  readonly password: string
  /** Of the second factor, or one of the recovery codes. */
  readonly code: string | undefined
  /** Of the session that the browser has so far, which ends: nobody chooses somebody else's next one. */
  readonly previousSecret: string | undefined
}

export type SignedIn = {
  readonly person: Person
  readonly session: Session
  /** For the cookie, and kept nowhere. */
  readonly secret: string
  readonly csrfToken: string
  readonly hasSecondFactor: boolean
}

/** 401 `invalid_credentials`, `code_required` or `invalid_code`; 429 `too_many_requests`. */
export async function signIn(options: SessionsOptions, request: SignIn): Promise<SignedIn> {
  const { kind, password, address } = request
  const login = request.login.trim().toLowerCase()
  return attemptLogin(
    {
      database: options.database,
      name: failuresName(kind, login),
      address,
      onLockedOut: (tx) => noteLockout(options, tx, { kind, login, address }),
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
      await noteSignIn(options, tx, credentials, signedIn, address)
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
  const target = { kind: credentials.kind === 'operator' ? 'operator' : 'user', id: credentials.login }
  return appendAudit(tx, audit, act, { target, before: null, after: { two_factor: takesCode } })
}

const USER_AGENT_LENGTH_MAX = 300

/** Always a new one: nobody can have known its secret before. */
export async function openSession(
  tx: Tx,
  credentials: Credentials,
  visitor: Visitor,
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
  return { person: credentials, session, secret, csrfToken: csrfTokenOf(secret), hasSecondFactor: takesCode }
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

export async function endOwnSession(connection: Queryable, key: PersonKey, id: bigint): Promise<void> {
  if ((await endSessions(connection, key, { only: id })) === 0) {
    throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such session.' })
  }
}

export function endOtherSessions(connection: Queryable, key: PersonKey, current: bigint): Promise<number> {
  return endSessions(connection, key, { but: current })
}

export function signOut(connection: Queryable, kind: PersonKind, secret: string): Promise<void> {
  return endSessionByDigest(connection, kind, digestOf(secret))
}

const ENDED_KEPT_DAYS = 30
const DELETED_AT_ONCE_MAX = 1_000

/** Forgets sessions that ended long ago, in small steps. */
export async function sweepSessions(connection: Queryable): Promise<void> {
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
