import type { Queryable, Tx } from '../../../db/database.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { RequestError, unknown } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import { personOf } from '../../../lib/secrets/hash-turns.ts'
import { admitHash, hashPassword, verifyDummyHash, verifyPassword } from '../../../lib/secrets/passwords.ts'
import { memberMay } from '../../accounts/members.rules.ts'
import { USERS_MAX } from '../../accounts/rules.ts'
import { USER_ROLES } from '../../accounts/types.ts'
import { audited } from '../../audit/service.ts'
import type { PersonKey, SessionTill } from '../people/people.types.ts'
import { askerOf, keyOf, ownTarget } from '../people/proof.service.ts'
import { findSessionId, newSecret, TOUCHED_AFTER_SECONDS } from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { moveToTill } from '../people/sql.ts'
import type { MemberCaller, OperatorCaller } from '../people/types.ts'
import { NEW_PIN, pinContext, pinText, SHARED_TILLS_MAX, TILL_RULES } from './rules.ts'
import {
  clearFailuresOfPerson,
  clearFailuresOfTill,
  closeTillRow,
  countTills,
  deleteOldTills,
  deletePin,
  findPin,
  findTill,
  findTillById,
  giveBackGuess,
  insertTill,
  listTillPeople,
  listTills,
  lockTill,
  putPin,
  spendGuess,
  spendGuessOfTill,
  touchTill,
} from './sql.ts'
import type { Guess, ListedTill, SharedTill, TillPerson } from './types.ts'

// Shared tills: a browser at which people of a shop take over by PIN. A PIN counts there alone, and opens a session with
// the rights of a cashier. The browser's secret is in a cookie that pages cannot read; only its digest is stored.

/** Makes the caller's browser a shared till. Their own session goes on under its rules. */
export function openSharedTill(
  options: SessionsOptions,
  caller: MemberCaller,
  input: { name: string; idle_seconds: number },
): Promise<{ readonly till: SharedTill; readonly secret: string }> {
  const { name, idleSeconds } = readFields(TILL_RULES, { name: input.name, idleSeconds: input.idle_seconds })
  const { reseller } = caller
  const act = { caller, action: 'shared_till.open', reason: 'people take over at this browser by PIN' }
  return audited(options.audit, act, async (tx) => {
    if ((await countTills(tx, reseller.id)) >= SHARED_TILLS_MAX) throw tooMany()
    const secret = newSecret('')
    const row = {
      resellerId: reseller.id,
      name,
      digest: digestOf(secret),
      idleSeconds,
      openedBy: caller.userId,
    }
    const till = await insertTill(tx, row)
    const session = findSessionId(caller.credentialId)
    if (session !== undefined) {
      await moveToTill(tx, session, { id: till.id, idleSeconds: idleSeconds + TOUCHED_AFTER_SECONDS })
    }
    const after = { name, idle_seconds: idleSeconds }
    return { target: targetOf(reseller.account, till.id), before: null, after, result: { till, secret } }
  })
}

/** Lists the shared tills of an account. One of them may be the browser with the secret. */
export async function listSharedTills(
  connection: Queryable,
  resellerId: bigint,
  secret: string | undefined,
): Promise<(ListedTill & { readonly isThis: boolean })[]> {
  const own = secret === undefined ? undefined : digestOf(secret)
  const tills = await listTills(connection, resellerId, SHARED_TILLS_MAX)
  return tills.map(({ digest, ...till }) => ({ ...till, isThis: own?.equals(digest) === true }))
}

/** Closes a shared till: its secret opens nothing any more, and the sessions there end, but for the caller's own. */
export function closeSharedTill(options: SessionsOptions, caller: MemberCaller, id: bigint): Promise<void> {
  const { reseller } = caller
  const act = { caller, action: 'shared_till.close', reason: 'nobody takes over there any more' }
  return audited(options.audit, act, async (tx) => {
    const session = findSessionId(caller.credentialId)
    if (caller.sharedTillId === id && session !== undefined) await moveToTill(tx, session, null)
    const till = await closeTillRow(tx, reseller.id, id)
    if (till === undefined) throw unknown('shared till')
    const target = targetOf(reseller.account, id)
    return { target, before: { name: till.name }, after: null, result: undefined }
  })
}

/** Ends the locks of a till: people may try their PINs there again. */
export function endPinLocks(options: SessionsOptions, caller: MemberCaller, id: bigint): Promise<void> {
  const { reseller } = caller
  const act = { caller, action: 'shared_till.unlock', reason: 'PINs may be tried again' }
  return audited(options.audit, act, async (tx) => {
    const till = await findTillById(tx, reseller.id, id)
    if (till === undefined) throw unknown('shared till')
    const [listed] = (await listTills(tx, reseller.id, SHARED_TILLS_MAX)).filter((each) => each.id === id)
    await clearFailuresOfTill(tx, till)
    const before = { till: till.isLocked, people: listed?.locked ?? [] }
    return { target: targetOf(reseller.account, id), before, after: null, result: undefined }
  })
}

/** Finds the till that a browser is, with those who may take over there. */
export async function findTillOf(
  { database, config }: Pick<SessionsOptions, 'database' | 'config'>,
  secret: string | undefined,
): Promise<{ readonly till: SharedTill; readonly people: readonly TillPerson[] } | undefined> {
  const till = secret === undefined ? undefined : await findTill(database, digestOf(secret))
  if (till === undefined) return undefined
  const people = await listTillPeople(database, till, {
    roles: USER_ROLES.filter((role) => memberMay({ role }, 'pin.write')),
    refusesDemo: config.environment === 'production',
    limit: USERS_MAX,
  })
  return { till, people }
}

/** Finds the till of a person's session. */
export async function sharedTillOf(
  connection: Queryable,
  caller: MemberCaller | OperatorCaller,
): Promise<SessionTill | undefined> {
  if (caller.kind === 'operator' || caller.sharedTillId === undefined) return undefined
  return findTillById(connection, caller.reseller.id, caller.sharedTillId)
}

/** Uses the till for a person of its own shop who comes in, however they do. undefined: the browser is no such till. */
export async function useSharedTill(
  tx: Tx,
  { kind, resellerId }: PersonKey,
  secret: string | undefined,
): Promise<SharedTill | undefined> {
  if (kind === 'operator' || secret === undefined) return undefined
  const till = await lockTill(tx, digestOf(secret))
  if (till === undefined || till.resellerId !== resellerId) return undefined
  await touchTill(tx, till)
  return till
}

// ── PINs ──

/** Sets the caller's PIN. What was guessed at the one before is forgotten, and the sessions that it opened end. */
export async function setPin(options: SessionsOptions, caller: MemberCaller, given: string): Promise<void> {
  const { pin } = readFields({ pin: NEW_PIN }, { pin: given })
  const key = keyOf(caller)
  const hash = await hashPassword(pinText(key, pin), askerOf(key))
  const act = { caller, action: 'pin.set', reason: 'on their own account' }
  await audited(options.audit, act, async (tx) => {
    await putPin(tx, key, options.vault.seal(pinContext(key), Buffer.from(hash)))
    await clearFailuresOfPerson(tx, key)
    return { target: ownTarget(caller), before: null, after: null, result: undefined }
  })
}

export async function removePin(options: SessionsOptions, caller: MemberCaller): Promise<void> {
  const act = { caller, action: 'pin.remove', reason: 'on their own account' }
  await audited(options.audit, act, async (tx) => {
    if (!(await deletePin(tx, keyOf(caller)))) throw unknown('PIN')
    return { target: ownTarget(caller), before: null, after: null, result: undefined }
  })
}

export async function hasPin(connection: Queryable, caller: MemberCaller): Promise<boolean> {
  return (await findPin(connection, keyOf(caller))) !== undefined
}

// ── Guesses ──

/**
 * Counts a guess before it is judged, in a commit of its own: of many that are sent at once, no more are judged than may
 * be wrong. Throws 401 `not_shared_till` and 403 `pin_locked`.
 */
export function takeGuess(
  { database }: Pick<SessionsOptions, 'database'>,
  secret: string | undefined,
  userId: bigint,
): Promise<Guess> {
  if (secret === undefined) throw notATill()
  return database.transaction(async (tx) => {
    const till = await lockTill(tx, digestOf(secret))
    if (till === undefined) throw notATill()
    const ofTill = await spendGuessOfTill(tx, till)
    if (ofTill === undefined) throw pinLocked()
    const pin = await findPin(tx, { resellerId: till.resellerId, id: userId })
    // Nobody's PIN is guessed at: the till alone counts it.
    const ofPerson = pin === undefined ? 0 : await spendGuess(tx, till, userId)
    if (ofPerson === undefined) throw pinLocked()
    return { till, userId, ofPerson, ofTill, pin }
  })
}

/** Judges a guess. One that could not be judged is given back. Throws 503 when too many wait. */
export async function isRightPin(
  { database, vault }: Pick<SessionsOptions, 'database' | 'vault'>,
  { till, userId, pin }: Guess,
  given: string,
): Promise<boolean> {
  const key = { resellerId: till.resellerId, id: userId }
  const asker = askerAt(till)
  try {
    admitHash(asker)
    if (pin === undefined) return await verifyDummyHash(pinText(key, given), asker)
    const hash = await withFreshKeys(vault, () => vault.open(pinContext(key), pin.sealedHash))
    return await verifyPassword(hash.toString(), pinText(key, given), asker)
  } catch (error) {
    await database.transaction((tx) => giveBackGuess(tx, till, userId, { isRight: false }))
    throw error
  }
}

/** Takes back the guess that was right. False: the PIN is another one by now, or the till is closed. */
export async function acceptGuess(tx: Tx, secret: string, { till, userId, pin }: Guess): Promise<boolean> {
  const present = await lockTill(tx, digestOf(secret))
  const isSame = (await findPin(tx, { resellerId: till.resellerId, id: userId }))?.setAt === pin?.setAt
  if (present === undefined || !isSame) return false
  await giveBackGuess(tx, till, userId, { isRight: true })
  return true
}

/** A till has one share of the turns, like a person. */
function askerAt({ resellerId, id }: SharedTill) {
  return personOf('member', String(resellerId), `till ${id}`)
}

const ENDED_KEPT_DAYS = 30
const DELETED_AT_ONCE_MAX = 1_000

/** Deletes tills that ended long ago, in small steps. */
export async function sweepSharedTills(connection: Queryable): Promise<void> {
  while ((await deleteOldTills(connection, ENDED_KEPT_DAYS, DELETED_AT_ONCE_MAX)) === DELETED_AT_ONCE_MAX);
}

export function targetOf(account: string, id: bigint) {
  return { kind: 'shared_till', id: `${account}/${id}` }
}

function tooMany(): RequestError {
  return new RequestError({
    status: 409,
    code: 'limit_reached',
    publicText: `An account has at most ${SHARED_TILLS_MAX} shared tills. Close one first.`,
  })
}

function notATill(): RequestError {
  return new RequestError({
    status: 401,
    code: 'not_shared_till',
    publicText: 'This browser is no shared till. Sign in with your password.',
  })
}

function pinLocked(): RequestError {
  return new RequestError({
    status: 403,
    code: 'pin_locked',
    publicText:
      'PINs are locked here after too many wrong ones. Sign in with your password, or ask an owner or a manager to end ' +
      'the lock.',
  })
}
