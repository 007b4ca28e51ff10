import type { Tx } from '../../../db/database.ts'
import type { RequestError } from '../../../lib/errors.ts'
import { assert, invalidFields } from '../../../lib/errors.ts'
import { isMailAddress } from '../../../lib/mail-addresses.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { Accounts } from '../../accounts/service.ts'
import {
  applyOperatorChanges,
  applyUserChanges,
  readOperatorChanges,
  readUserChanges,
  within,
} from '../../accounts/service.ts'
import { queueSecretMail } from '../../alerts/mail/outbox.service.ts'
import { findMailLanguage } from '../../alerts/mail/preferences.service.ts'
import type { MailLanguage } from '../../alerts/words/types.ts'
import { appendAudit } from '../../audit/service.ts'
import type { AuditCaller } from '../../audit/types.ts'
import { admitAttempt } from '../../auth/attempts.service.ts'
import type { Credentials, PersonKey, PersonKind } from '../people/people.types.ts'
import type { SignedInCaller } from '../people/proof.service.ts'
import { askerOf, confirmPassword, keyOf, mayEnter, unsignedCaller } from '../people/proof.service.ts'
import {
  INVITATION_LIFETIME_SECONDS,
  isLogin,
  newSecret,
  RESET_LIFETIME_SECONDS,
  RESETS_PER_HOUR_MAX,
  targetOf,
} from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { findByKey, findByLogin } from '../people/sql.ts'
import { hasSecondFactor } from '../second-factor/totp.service.ts'
import type { Browser, SignedIn } from '../session/service.ts'
import { openSession } from '../session/service.ts'
import { deleteOldInvitations } from './invitations.sql.ts'
import type { Welcome } from './letters.view.ts'
import { letterSettings, resetLetter, welcomeLetter } from './letters.view.ts'
import {
  countRecentResets,
  deleteOldResets,
  findReset,
  hasResetRequests,
  insertReset,
  insertResetRequest,
  lockResetsOf,
  takeResetRequests,
} from './resets.sql.ts'

// ── Change with the present password ──

/**
 * Changes the password. Ends every session of the person, this one included, and an operator's tokens. The page
 * continues with a new session.
 */
export async function changePassword(
  options: SessionsOptions,
  caller: SignedInCaller,
  { currentPassword, password }: { currentPassword: string; password: string },
  visitor: Browser,
): Promise<SignedIn> {
  const proof = { field: 'current_password', password: currentPassword }
  const key = keyOf(caller)
  // Hashing takes a while, so it is done before the users are locked.
  const hashed = await hashedPassword(key, password)
  return confirmPassword(options, caller, proof, async (tx) => {
    const changed = await setPassword(options, tx, key, hashed)
    const signedIn = await openSession(tx, changed, visitor, { takesCode: await hasSecondFactor(tx, key) })
    await note(options, tx, changed, { caller, action: 'password.change', reason: 'on their own account' })
    return { passed: signedIn }
  })
}

type HashedPassword = { readonly passwordHash: string }

async function hashedPassword(key: PersonKey, password: string): Promise<HashedPassword> {
  const read = key.kind === 'operator' ? readOperatorChanges : readUserChanges
  const { passwordHash } = await read({ password }, askerOf(key))
  assert(passwordHash !== undefined, 'a password that was given is hashed')
  return { passwordHash }
}

/** Sets the password. Triggers of the database end the sessions, and an operator's tokens, in the same commit. */
async function setPassword(
  options: SessionsOptions,
  tx: Tx,
  key: PersonKey,
  hashed: HashedPassword,
): Promise<Credentials> {
  const accounts = within(tx, accountsOf(options))
  if (key.kind === 'operator') await applyOperatorChanges(accounts, key.id, hashed)
  else await applyUserChanges(accounts, key.resellerId, key.id, hashed)
  const changed = await findByKey(tx, key)
  assert(changed !== undefined, 'whose password was changed exists')
  return changed
}

export function accountsOf({ database, vault, config }: SessionsOptions): Accounts {
  return { database, vault, environment: config.environment }
}

function note(
  { audit }: SessionsOptions,
  tx: Tx,
  person: Credentials,
  act: { caller: AuditCaller; action: string; reason: string },
): Promise<void> {
  return appendAudit(tx, audit, act, { target: targetOf(person), before: null, after: null })
}

// ── Reset of a forgotten password ──

/**
 * Records the request. The work and the answer are the same for every name: a job checks later whether the person
 * exists.
 */
export async function requestReset(
  { database }: SessionsOptions,
  { kind, login, address }: { kind: PersonKind; login: string; address: string },
): Promise<void> {
  await admitAttempt(database, address)
  const name = login.trim().toLowerCase()
  if (isLogin(name)) await insertResetRequest(database, kind, name)
}

const REQUESTS_AT_ONCE = 20

/** Mails tokens to the people who exist. Returns the number of requests handled. */
export async function answerResetRequests(options: SessionsOptions): Promise<number> {
  if (!(await hasResetRequests(options.database))) return 0
  return options.database.transaction(async (tx) => {
    const requests = await takeResetRequests(tx, REQUESTS_AT_ONCE)
    for (const { kind, login } of requests) {
      const person = await findByLogin(tx, kind, login)
      if (person !== undefined && mayEnter(options.config, person)) await mailReset(options, tx, person)
    }
    return requests.length
  })
}

async function mailReset(options: SessionsOptions, tx: Tx, person: Credentials): Promise<void> {
  if (!isMailAddress(person.email) || (await countRecentResets(tx, person)) >= RESETS_PER_HOUR_MAX) return
  const token = newSecret('wpr_')
  await insertReset(tx, person, { digest: digestOf(token), lifetimeSeconds: RESET_LIFETIME_SECONDS })
  await queueSecretMail(tx, options.vault, {
    ...resetLetter(letterSettings(options), person, token, await languageOf(tx, person)),
    resellerId: person.kind === 'operator' ? null : person.resellerId,
    kind: 'password_reset',
    recipient: person.email,
  })
}

/** Operators get English mails. */
async function languageOf(tx: Tx, { kind, resellerId, id }: PersonKey): Promise<MailLanguage> {
  return kind === 'operator' ? 'en' : findMailLanguage(tx, resellerId, id)
}

/** Mails a person who was just added a token for the first password, in the same commit. */
export async function mailWelcome(
  options: SessionsOptions,
  tx: Tx,
  key: PersonKey,
  welcome: Welcome,
): Promise<void> {
  const person = await findByKey(tx, key)
  if (person === undefined || !isMailAddress(person.email)) return
  const token = newSecret('wpr_')
  await insertReset(tx, person, { digest: digestOf(token), lifetimeSeconds: INVITATION_LIFETIME_SECONDS })
  await queueSecretMail(tx, options.vault, {
    ...welcomeLetter(letterSettings(options), person, welcome, token, await languageOf(tx, person)),
    resellerId: person.kind === 'operator' ? null : person.resellerId,
    kind: 'invitation',
    recipient: person.email,
  })
}

/**
 * Sets a new password with a token and ends every session of the person. A second factor stays, and is asked for at the
 * next sign-in.
 */
export async function confirmReset(
  options: SessionsOptions,
  request: { kind: PersonKind; token: string; password: string; address: string },
): Promise<void> {
  const { database, config } = options
  const { kind, token, password, address } = request
  await admitAttempt(database, address)
  const digest = digestOf(token)
  const key = await findReset(database, kind, digest)
  if (key === undefined) throw invalidToken()
  // Hashing may wait for its turn, so it is done before a connection and locks are held.
  const hashed = await hashedPassword(key, password)
  await database.transaction(async (tx) => {
    // The row itself is not locked: a change of password locks the directory first and this row after it.
    await lockResetsOf(tx, key)
    const isStillGood = (await findReset(tx, kind, digest)) !== undefined
    const person = await findByKey(tx, key)
    if (!isStillGood || person === undefined || !mayEnter(config, person)) throw invalidToken()
    await setPassword(options, tx, key, hashed)
    const caller = unsignedCaller(person, 'password_reset', address)
    await note(options, tx, person, { caller, action: 'password.reset', reason: 'by a token sent by mail' })
  })
}

/** Gives one answer for every fault of a token. */
export function invalidToken(): RequestError {
  return invalidFields({ token: ['The token is unknown, was used or is too old.'] })
}

const DELETED_AT_ONCE_MAX = 1_000

/** Deletes mailed tokens that can no longer be used: those for a new password, and invitations. */
export async function sweepResets({ database }: SessionsOptions): Promise<void> {
  while ((await deleteOldResets(database, DELETED_AT_ONCE_MAX)) === DELETED_AT_ONCE_MAX);
  while ((await deleteOldInvitations(database, DELETED_AT_ONCE_MAX)) === DELETED_AT_ONCE_MAX);
}
