import type { Tx } from '../../../db/database.ts'
import { invalidFields, RequestError } from '../../../lib/errors.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { Asker } from '../../../lib/secrets/hash-turns.ts'
import { personOf } from '../../../lib/secrets/hash-turns.ts'
import { verifyDummyHash, verifyPassword } from '../../../lib/secrets/passwords.ts'
import { lockOperator, lockUsers } from '../../accounts/public.sql.ts'
import type { AuditCaller, Target } from '../../audit/types.ts'
import type { Attempt, Judged } from '../../auth/attempts.service.ts'
import { attemptLogin } from '../../auth/attempts.service.ts'
import { noteLockout } from './lockouts.service.ts'
import type { Credentials, PersonKey } from './people.types.ts'
import { findSessionId, SESSION_LIMITS, targetOf } from './rules.ts'
import type { SessionSettings, SessionsOptions } from './settings.types.ts'
import { findByKey, listLiveSessions } from './sql.ts'
import type { MemberCaller, OperatorCaller } from './types.ts'

/**
 * Returns the person if the password is right and they may enter. It always makes one argon2 verification, so that the
 * time does not show who exists.
 */
export async function checkPassword(
  { config }: { config: SessionSettings },
  found: Credentials | undefined,
  password: string,
  asker: Asker,
): Promise<Credentials | undefined> {
  const isKnown = asker.lane !== 'stranger' && found !== undefined
  const turn = isKnown ? askerOf(found) : asker
  const isRight =
    found !== undefined && mayEnter(config, found)
      ? await verifyPassword(found.passwordHash, password, turn)
      : await verifyDummyHash(password, turn)
  return isRight ? found : undefined
}

/** Asker for a person whose session, browser or mailed token was proven. Each account has the same share of turns. */
export function askerOf({ kind, resellerId, id }: PersonKey): Asker {
  return personOf(kind, String(resellerId), String(id))
}

/**
 * Tells whether the person may enter. Production refuses the demo's people, because their credentials are in a file.
 */
export function mayEnter(
  { environment }: SessionSettings,
  { isActive, isDemo }: Pick<Credentials, 'isActive' | 'isDemo'>,
): boolean {
  return isActive && !(isDemo && environment === 'production')
}

export type SignedInCaller = OperatorCaller | MemberCaller

/** Tells whether the act is of a person who is signed in, and not of the machine or of an approval. */
export function isSignedIn(caller: AuditCaller): caller is SignedInCaller {
  return caller.kind === 'operator' || caller.kind === 'member'
}

export function keyOf(caller: SignedInCaller): PersonKey {
  return caller.kind === 'operator'
    ? { kind: 'operator', resellerId: 0n, id: caller.operatorId }
    : { kind: 'member', resellerId: caller.reseller.id, id: caller.userId }
}

/** Attempt by a person who is signed in. The session counts as a known device. */
export function attemptOf(options: SessionsOptions, caller: SignedInCaller): Attempt {
  const { kind, address } = caller
  const login = loginOf(caller)
  return {
    database: options.database,
    kind,
    name: login,
    address,
    device: async () => digestOf(caller.credentialId),
    onLockedOut: (tx, scope) => noteLockout(options, tx, { kind, login, address, scope }),
    onProblem: options.onProblem,
  }
}

export function loginOf(caller: SignedInCaller): string {
  return caller.kind === 'operator' ? caller.email : caller.username
}

/** Target in the log for a change of the caller's own account. */
export function ownTarget(caller: SignedInCaller): Target {
  const account = caller.kind === 'operator' ? '' : caller.reseller.account
  return targetOf({ kind: caller.kind, login: loginOf(caller), account })
}

export type Proof = {
  /** Name of the password's field in the request. */
  readonly field: string
  readonly password: string
  /** Error to throw when the password is wrong; by default a 400 about the field. */
  readonly failure?: RequestError
}

/**
 * Checks the password of a signed-in person again, before an action that an unattended screen must not allow. The
 * session is checked again in the commit of `enter`: the password may have changed since it was proven.
 */
export function confirmPassword<T>(
  options: SessionsOptions,
  caller: SignedInCaller,
  { field, password, failure = incorrect(field) }: Proof,
  enter: (tx: Tx, credentials: Credentials) => Promise<Judged<T>>,
): Promise<T> {
  const { database } = options
  return attemptLogin(
    attemptOf(options, caller),
    async (asker) => {
      const found = await findByKey(database, keyOf(caller))
      const proven = await checkPassword(options, found, password, asker)
      return proven === undefined ? { failure } : { passed: proven }
    },
    async (tx, credentials) => {
      await holdSession(options, tx, caller)
      return enter(tx, credentials)
    },
  )
}

/** Sessions of the caller: those of operators may lie in another group's database. */
export function sessionsOf(options: SessionsOptions, { kind }: SignedInCaller): SessionsOptions {
  return kind === 'operator' ? (options.operators ?? options) : options
}

/**
 * Runs a check of the caller's session in the commit of their act. Where the session lies in another database than the
 * act, the check is a transaction there, which ends before the act does: a session that ends in between is not seen.
 */
export function whereSessionLies<T>(
  options: SessionsHome,
  tx: Tx,
  { kind }: SignedInCaller,
  check: (tx: Tx) => Promise<T>,
): Promise<T> {
  const home = kind === 'operator' ? options.operators : undefined
  return home === undefined ? check(tx) : home.database.transaction(check)
}

type SessionsHome = Pick<SessionsOptions, 'config' | 'operators'>

/**
 * Checks in the commit of a change that the caller's session has not ended since the request was authenticated. A
 * change of the password, role or status ends it; one that comes later waits for this commit. Without this check, a
 * credential that is made at the same moment would outlast the session. Throws 401 `invalid_session`.
 */
export async function holdSession(options: SessionsHome, tx: Tx, caller: SignedInCaller): Promise<void> {
  await whereSessionLies(options, tx, caller, (home) => holdSessionAt(options, home, caller))
}

async function holdSessionAt({ config }: SessionsHome, tx: Tx, caller: SignedInCaller): Promise<void> {
  await (caller.kind === 'operator' ? lockOperator(tx, caller.operatorId) : lockUsers(tx))
  const id = findSessionId(caller.credentialId)
  // An operator at the machine has no session.
  if (id === undefined) return
  const live = await listLiveSessions(tx, {
    ids: [id],
    kind: caller.kind,
    idleSeconds: SESSION_LIMITS[caller.kind].idleSeconds,
    refusesDemo: config.environment === 'production',
  })
  if (live.get(id) !== caller.role) throw sessionEnded()
}

export function sessionEnded(): RequestError {
  return new RequestError({
    status: 401,
    code: 'invalid_session',
    publicText: 'The session has ended. Sign in again.',
  })
}

export function incorrect(field: string): RequestError {
  return invalidFields({ [field]: [`The ${field} is incorrect.`] })
}

/** Caller for the log: a person who is not signed in, but holds a token that was mailed to them. */
export function unsignedCaller(person: Credentials, credentialId: string, address: string): AuditCaller {
  return person.kind === 'operator'
    ? { kind: 'operator', operatorId: person.id, email: person.email, via: 'session', credentialId, address }
    : { kind: 'member', userId: person.id, username: person.login, credentialId, address }
}
