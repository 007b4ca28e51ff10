import type { Tx } from '../../../db/database.ts'
import { assert, RequestError } from '../../../lib/errors.ts'
import { lockOperators } from '../../accounts/public.sql.ts'
import type { Judged } from '../../auth/attempts.service.ts'
import { attemptLogin } from '../../auth/attempts.service.ts'
import type { SignedInCaller } from './proof.service.ts'
import { attemptOf, confirmPassword, holdSession, sessionsOf, whereSessionLies } from './proof.service.ts'
import { findSessionId, PROOF_LIFETIME_SECONDS } from './rules.ts'
import type { SessionsOptions } from './settings.types.ts'
import { isProven } from './sql.ts'

// Acts that make or widen access. A stolen session must not be enough for them: the person proves again who they are,
// by the password in the act's own request, or by a proof that the session gave a short while before.

/**
 * Returns the caller with a proof for one act. A password that was sent is checked now. Otherwise the session's proof
 * counts: it is asked for now where the act needs it in any case, and in the commit.
 */
export async function withActProof<C extends SignedInCaller>(
  options: SessionsOptions,
  caller: C,
  { password, isRequired }: { readonly password: string | undefined; readonly isRequired: boolean },
): Promise<C> {
  if (isToken(caller)) {
    if (isRequired) throw tokenRefused()
    return { ...caller, proof: { isRequired, hold: () => Promise.reject(tokenRefused()) } }
  }
  if (password !== undefined) {
    const proof = { field: 'password', password, failure: wrongPassword() }
    await confirmPassword(sessionsOf(options, caller), caller, proof, async () => ({ passed: undefined }))
    return { ...caller, proof: { isRequired, hold: (tx) => holdAct(options, tx, caller) } }
  }
  if (isRequired) await mustBeProven(sessionsOf(options, caller).database, caller)
  const hold = async (tx: Tx) => {
    await holdAct(options, tx, caller)
    await whereSessionLies(options, tx, caller, (home) => mustBeProven(home, caller))
  }
  return { ...caller, proof: { isRequired, hold } }
}

/** Asks for the proof of an act that widens access, in its commit and before other rows are locked. */
export async function holdProof(tx: Tx, { proof }: Pick<SignedInCaller, 'proof'>): Promise<void> {
  assert(proof !== undefined, 'the operation is declared as one that may ask for a proof')
  await proof.hold(tx)
}

/**
 * Does an act that also takes a code. Wrong codes count as attempts, together with wrong passwords. `enter` writes
 * last, like that of `attemptLogin`.
 */
export function attemptAct<T>(
  options: SessionsOptions,
  caller: SignedInCaller,
  enter: (tx: Tx) => Promise<Judged<T>>,
): Promise<T> {
  return attemptLogin(
    attemptOf(sessionsOf(options, caller), caller),
    async () => ({ passed: undefined }),
    async (tx) => {
      await holdProof(tx, caller)
      return enter(tx)
    },
  )
}

/** Operators are locked as changes of operators lock them: all of them first, then the one. */
async function holdAct(options: SessionsOptions, tx: Tx, caller: SignedInCaller): Promise<void> {
  if (caller.kind === 'operator') await lockOperators(tx)
  await holdSession(options, tx, caller)
}

async function mustBeProven(
  connection: Parameters<typeof isProven>[0],
  { credentialId }: SignedInCaller,
): Promise<void> {
  const id = findSessionId(credentialId)
  if (id === undefined || !(await isProven(connection, id, PROOF_LIFETIME_SECONDS))) throw proofRequired()
}

function isToken(caller: SignedInCaller): boolean {
  return caller.kind === 'operator' && caller.via === 'token'
}

export function wrongPassword(): RequestError {
  const publicText = 'The password is incorrect.'
  return new RequestError({
    status: 403,
    code: 'wrong_password',
    publicText,
    fields: { password: [publicText] },
  })
}

function proofRequired(): RequestError {
  return forbidden('Prove again that it is you: send your password with the request, or give a proof first.')
}

function tokenRefused(): RequestError {
  return forbidden(
    'A token cannot do this: it makes or widens access, and a token cannot prove who sends it.',
  )
}

function forbidden(publicText: string): RequestError {
  return new RequestError({ status: 403, code: 'proof_required', publicText })
}
