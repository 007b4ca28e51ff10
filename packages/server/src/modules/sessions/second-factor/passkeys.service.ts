import { randomBytes } from 'node:crypto'
import type { Queryable, Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import { appendAudit, audited } from '../../audit/service.ts'
import { attemptAct } from '../people/acts.service.ts'
import type { SignedInCaller } from '../people/proof.service.ts'
import { holdSession, keyOf, loginOf, ownTarget } from '../people/proof.service.ts'
import { newSecret } from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { verifyAttestation } from './passkey-proof.service.ts'
import {
  CHALLENGE_BYTES,
  CHALLENGE_LIFETIME_SECONDS,
  findRelyingParty,
  PASSKEY_RULES,
  PASSKEYS_MAX,
  userHandleOf,
} from './passkeys.rules.ts'
import type { ChallengeHolder } from './passkeys.sql.ts'
import {
  deleteOldChallenges,
  deletePasskeys,
  endSessionsOfPasskey,
  hasPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  lockPasskeyLabel,
  markSession,
  renamePasskey,
  takeChallenge,
} from './passkeys.sql.ts'
import type { Attestation, Ceremony, Passkey, RelyingParty } from './passkeys.types.ts'
import { checkOwnCode, hasSecondFactor } from './totp.service.ts'

const OWN_ACCOUNT = 'on their own account'

/** Finds the site of the pages. Throws a 409 where browsers offer no passkeys. */
export function getRelyingParty({ config, baseUrl }: SessionsOptions): RelyingParty {
  const configured = [config.dashboardUrl, config.publicUrl].filter((url) => url !== undefined)
  const listening = baseUrl === undefined ? [] : [baseUrl()]
  const party = findRelyingParty(configured.length > 0 ? configured : listening)
  if (party !== undefined) return party
  throw new RequestError({
    status: 409,
    code: 'passkeys_unavailable',
    publicText:
      'Browsers offer passkeys to pages that are reached by https under a name, or on localhost. ' +
      'Set WARUNG_DASHBOARD_URL and WARUNG_PUBLIC_URL to such an address.',
  })
}

export function hasPasskeys(connection: Queryable, caller: SignedInCaller): Promise<boolean> {
  return hasPasskey(connection, keyOf(caller))
}

export function listOwnPasskeys(connection: Queryable, caller: SignedInCaller): Promise<Passkey[]> {
  return listPasskeys(connection, keyOf(caller))
}

/** Code of a person who has a second factor, for an act that needs a fresh proof too. */
export type OwnCode = { readonly code?: string | undefined }

/** Begin of a registration: what the browser passes on to the device. */
export type Registration = Ceremony & {
  readonly user: { readonly handle: Buffer; readonly name: string }
  /** Passkeys that the person has: their devices do not register twice. */
  readonly known: readonly Passkey[]
}

/**
 * Begins to register a passkey. It opens the account later, so the person proves once more who they are.
 */
export async function beginPasskey(
  options: SessionsOptions,
  caller: SignedInCaller,
  given: OwnCode,
): Promise<Registration> {
  const party = getRelyingParty(options)
  await refuseWithoutPasskey(options, caller)
  const begun = await proven(options, caller, given, async (tx) => {
    const known = await listPasskeys(tx, keyOf(caller))
    if (known.length >= PASSKEYS_MAX) throw tooMany()
    return { known, ...(await newCeremony(tx, holderOf(caller))) }
  })
  const user = { handle: userHandleOf(keyOf(caller)), name: loginOf(caller) }
  return { ...begun, rpId: party.id, user }
}

/** Registers a passkey. From here on the present session counts as opened with it. */
export async function createPasskey(
  options: SessionsOptions,
  caller: SignedInCaller,
  given: { readonly ceremony: string; readonly label: string; readonly credential: Attestation },
): Promise<Passkey> {
  const { label } = readFields(PASSKEY_RULES, given)
  const party = getRelyingParty(options)
  const challenge = await takeChallenge(options.database, digestOf(given.ceremony), holderOf(caller))
  const made =
    challenge === undefined ? undefined : await verifyAttestation({ party, challenge }, given.credential)
  if (made === undefined) throw notProven()
  const act = { caller, action: 'passkey.create', reason: OWN_ACCOUNT }
  return audited(options.audit, act, async (tx) => {
    const key = keyOf(caller)
    await holdSession(options, tx, caller)
    if ((await listPasskeys(tx, key)).length >= PASSKEYS_MAX) throw tooMany()
    const passkey = await insertPasskey(tx, key, { ...made, label })
    if (passkey === undefined) throw conflict('This passkey is registered already.')
    await markSession(tx, key, sessionIdOf(caller), passkey.id)
    const after = { passkey: String(passkey.id), label }
    return { target: ownTarget(caller), before: null, after, result: passkey }
  })
}

export function renameOwnPasskey(
  options: SessionsOptions,
  caller: SignedInCaller,
  id: bigint,
  input: { readonly label: string },
): Promise<Passkey> {
  const { label } = readFields(PASSKEY_RULES, input)
  const act = { caller, action: 'passkey.rename', reason: OWN_ACCOUNT }
  return audited(options.audit, act, async (tx) => {
    const before = await lockPasskeyLabel(tx, keyOf(caller), id)
    if (before === undefined) throw unknownPasskey()
    const renamed = await renamePasskey(tx, keyOf(caller), id, label)
    return {
      target: ownTarget(caller),
      before: { passkey: String(id), label: before },
      after: { passkey: String(id), label },
      result: renamed,
    }
  })
}

/** Removes a passkey, and ends the other sessions that it opened. */
export function removeOwnPasskey(
  options: SessionsOptions,
  caller: SignedInCaller,
  id: bigint,
  given: OwnCode,
): Promise<void> {
  return proven(options, caller, given, async (tx) => {
    const key = keyOf(caller)
    const label = await lockPasskeyLabel(tx, key, id)
    if (label === undefined) throw unknownPasskey()
    await deletePasskeys(tx, key, id)
    await endSessionsOfPasskey(tx, key, id, sessionIdOf(caller))
    const act = { caller, action: 'passkey.remove', reason: OWN_ACCOUNT }
    const before = { passkey: String(id), label }
    await appendAudit(tx, options.audit, act, { target: ownTarget(caller), before, after: null })
  })
}

/**
 * Refuses to add a factor in a session that a password alone opened, where a second factor is required and the person
 * has a passkey: a stolen password would otherwise make a factor of its own.
 */
export async function refuseWithoutPasskey(
  { config, database }: SessionsOptions,
  caller: SignedInCaller,
): Promise<void> {
  if (caller.kind !== 'operator' || config.operatorSecondFactor === 'optional') return
  if (caller.passkeyId !== undefined || (await hasSecondFactor(database, keyOf(caller)))) return
  if (await hasPasskeys(database, caller)) throw passkeyRequired()
}

function proven<T>(
  options: SessionsOptions,
  caller: SignedInCaller,
  { code }: OwnCode,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return attemptAct(options, caller, async (tx) => {
    const failure = await checkOwnCode(options, tx, caller, code)
    return failure === undefined ? { passed: await work(tx) } : { failure }
  })
}

// ── Challenges ──

/** Stores a new challenge. Its secret goes to the page, and comes back with the device's answer. */
export async function newCeremony(
  connection: Queryable,
  holder: ChallengeHolder,
): Promise<Omit<Ceremony, 'rpId'>> {
  const ceremony = newSecret('')
  const challenge = randomBytes(CHALLENGE_BYTES)
  await insertChallenge(connection, {
    ...holder,
    digest: digestOf(ceremony),
    challenge,
    lifetimeSeconds: CHALLENGE_LIFETIME_SECONDS,
  })
  return { ceremony, challenge: challenge.toString('base64url') }
}

function holderOf(caller: SignedInCaller): ChallengeHolder {
  return { purpose: 'register', person: keyOf(caller), credential: caller.credentialId }
}

const DELETED_AT_ONCE_MAX = 1_000

/** Deletes challenges that nobody answered, in small steps. */
export async function sweepChallenges(connection: Queryable): Promise<void> {
  while ((await deleteOldChallenges(connection, DELETED_AT_ONCE_MAX)) === DELETED_AT_ONCE_MAX);
}

export function sessionIdOf({ credentialId }: SignedInCaller): bigint {
  return BigInt(credentialId.replace(/^session:/, ''))
}

// ── Refusals ──

function notProven(): RequestError {
  return new RequestError({
    status: 400,
    code: 'invalid_passkey',
    publicText:
      'The passkey could not be registered: it was made for another page, or too long ago. Begin again.',
  })
}

function unknownPasskey(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such passkey.' })
}

function tooMany(): RequestError {
  return conflict(`A person has at most ${PASSKEYS_MAX} passkeys; remove one first.`)
}

function passkeyRequired(): RequestError {
  return new RequestError({
    status: 403,
    code: 'passkey_required',
    publicText: 'Sign in with your passkey first: a password alone adds no second factor here.',
  })
}

function conflict(publicText: string): RequestError {
  return new RequestError({ status: 409, code: 'conflict', publicText })
}
