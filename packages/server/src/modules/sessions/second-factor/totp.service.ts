import type { Queryable, Tx } from '../../../db/database.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { invalidFields, RequestError } from '../../../lib/errors.ts'
import { appendAudit } from '../../audit/service.ts'
import type { Judged } from '../../auth/attempts.service.ts'
import { attemptLogin } from '../../auth/attempts.service.ts'
import { revokeUserTokens } from '../../auth/public.sql.ts'
import { attemptAct, holdProof } from '../people/acts.service.ts'
import type { PersonKey } from '../people/people.types.ts'
import type { SignedInCaller } from '../people/proof.service.ts'
import { attemptOf, holdSession, incorrect, keyOf, loginOf, ownTarget } from '../people/proof.service.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import {
  factorContext,
  findStep,
  isTotpShaped,
  newRecoveryCodes,
  newTotpSecret,
  otpauthUri,
  recoveryDigest,
} from './totp.rules.ts'
import type { Factor } from './totp.sql.ts'
import {
  confirmFactor,
  countRecoveryCodes,
  deleteFactor,
  findFactor,
  putFactor,
  replaceRecoveryCodes,
  takeStep,
  useRecoveryCode,
} from './totp.sql.ts'
import type { Enrolment, SecondFactor } from './totp.types.ts'

const OWN_ACCOUNT = 'on their own account'

export async function getSecondFactor(connection: Queryable, key: PersonKey): Promise<SecondFactor> {
  const factor = await findFactor(connection, key)
  const confirmedAt = factor?.confirmedAt ?? null
  return {
    confirmedAt,
    recoveryCodesLeft: confirmedAt === null ? 0 : await countRecoveryCodes(connection, key),
  }
}

export async function hasSecondFactor(connection: Queryable, key: PersonKey): Promise<boolean> {
  return ((await findFactor(connection, key))?.confirmedAt ?? null) !== null
}

/** Tells whether a reseller's user has a second factor. The legacy tokens use this key. */
export function hasMemberSecondFactor(
  connection: Queryable,
  { resellerId, userId }: { readonly resellerId: bigint; readonly userId: bigint },
): Promise<boolean> {
  return hasSecondFactor(connection, { kind: 'member', resellerId, id: userId })
}

/**
 * Checks a code and marks it as used. A code of the app makes all earlier ones invalid; a recovery code only itself.
 */
export async function checkCode(
  options: SessionsOptions,
  tx: Tx,
  key: PersonKey,
  code: string,
): Promise<boolean> {
  const factor = await findFactor(tx, key)
  if (factor === undefined) return false
  const trimmed = code.trim()
  if (!isTotpShaped(trimmed)) return useRecoveryCode(tx, key, recoveryDigest(key, trimmed))
  const step = await stepOf(options, key, factor, trimmed)
  return step !== undefined && (await takeStep(tx, key, step))
}

/** Checks the code of a caller who gave a proof. undefined: the code is right, or none is needed. */
export async function checkOwnCode(
  options: SessionsOptions,
  tx: Tx,
  caller: SignedInCaller,
  code: string | undefined,
): Promise<RequestError | undefined> {
  const key = keyOf(caller)
  if (!(await hasSecondFactor(tx, key))) return undefined
  // A missing code is not a guess, so it is not counted.
  if (code === undefined || code === '') {
    throw invalidFields({
      code: ['Send the code of your second factor, or one of your recovery codes, as well.'],
    })
  }
  return (await checkCode(options, tx, key, code)) ? undefined : incorrect('code')
}

async function stepOf(
  { vault, nowMs }: SessionsOptions,
  key: PersonKey,
  { sealedSecret, lastStep }: Factor,
  code: string,
): Promise<bigint | undefined> {
  const secret = await withFreshKeys(vault, () => vault.open(factorContext(key), sealedSecret))
  return findStep(secret, code, { nowMs: nowMs(), lastStep })
}

/**
 * Makes a new secret, which is shown only this once. It becomes active when one of its codes is sent in time. Signing
 * in does not change before that.
 */
export function enrol(options: SessionsOptions, caller: SignedInCaller): Promise<Enrolment> {
  return options.database.transaction(async (tx) => {
    await holdProof(tx, caller)
    const secret = newTotpSecret()
    const key = keyOf(caller)
    if (!(await putFactor(tx, key, options.vault.seal(factorContext(key), secret)))) {
      throw conflict('There is a second factor already. Remove it first.')
    }
    return { secret, uri: otpauthUri(options.config.issuer, loginOf(caller), secret) }
  })
}

/**
 * Activates the second factor. Returns the recovery codes, which are shown only this once. Wrong codes are counted
 * together with wrong passwords in the same session.
 */
export function confirmEnrolment(
  options: SessionsOptions,
  caller: SignedInCaller,
  code: string,
): Promise<string[]> {
  const key = keyOf(caller)
  return attemptLogin(
    attemptOf(options, caller),
    async () => ({ passed: undefined }),
    async (tx): Promise<Judged<string[]>> => {
      await holdSession(options, tx, caller)
      const factor = await findFactor(tx, key)
      if (factor === undefined || factor.confirmedAt !== null || factor.isStale) {
        throw conflict('There is no second factor that waits for its confirmation.')
      }
      const step = await stepOf(options, key, factor, code.trim())
      if (step === undefined || !(await confirmFactor(tx, key, step))) return { failure: incorrect('code') }
      const codes = await renewCodes(tx, key)
      // The tokens were issued for a password alone, and would become valid again when the factor is removed.
      if (key.kind === 'member') await revokeUserTokens(tx, key.resellerId, key.id)
      await note(options, tx, caller, { action: 'two_factor.enable', before: false, after: true })
      return { passed: codes }
    },
  )
}

/** Makes new recovery codes. All earlier ones become invalid. */
export function renewRecoveryCodes(
  options: SessionsOptions,
  caller: SignedInCaller,
  code: string,
): Promise<string[]> {
  return withCode(options, caller, code, async (tx, key) => {
    const codes = await renewCodes(tx, key)
    await note(options, tx, caller, { action: 'two_factor.renew_codes', before: null, after: null })
    return codes
  })
}

export function disableSecondFactor(
  options: SessionsOptions,
  caller: SignedInCaller,
  code: string,
): Promise<void> {
  return withCode(options, caller, code, async (tx, key) => {
    await deleteFactor(tx, key)
    await note(options, tx, caller, { action: 'two_factor.disable', before: true, after: false })
  })
}

function withCode<T>(
  options: SessionsOptions,
  caller: SignedInCaller,
  code: string,
  work: (tx: Tx, key: PersonKey) => Promise<T>,
): Promise<T> {
  return attemptAct(options, caller, async (tx) => {
    const key = keyOf(caller)
    if (!(await hasSecondFactor(tx, key))) throw conflict('There is no second factor.')
    if (!(await checkCode(options, tx, key, code))) return { failure: incorrect('code') }
    return { passed: await work(tx, key) }
  })
}

async function renewCodes(tx: Tx, key: PersonKey): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(
    tx,
    key,
    codes.map((code) => recoveryDigest(key, code)),
  )
  return codes
}

function note(
  { audit }: SessionsOptions,
  tx: Tx,
  caller: SignedInCaller,
  { action, before, after }: { action: string; before: boolean | null; after: boolean | null },
): Promise<void> {
  const target = ownTarget(caller)
  const change = {
    before: before === null ? null : { two_factor: before },
    after: after === null ? null : { two_factor: after },
  }
  return appendAudit(tx, audit, { caller, action, reason: OWN_ACCOUNT }, { target, ...change })
}

function conflict(publicText: string): RequestError {
  return new RequestError({ status: 409, code: 'conflict', publicText })
}
