import type { Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import { appendAudit } from '../../audit/service.ts'
import type { Judged } from '../../auth/attempts.service.ts'
import { attemptLogin } from '../../auth/attempts.service.ts'
import { wrongPassword } from '../people/acts.service.ts'
import type { SignedInCaller } from '../people/proof.service.ts'
import { attemptOf, confirmPassword, holdSession, keyOf, ownTarget } from '../people/proof.service.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { markProven } from '../people/sql.ts'
import { NO_CHALLENGE, verifyAssertion } from '../second-factor/passkey-proof.service.ts'
import {
  getRelyingParty,
  listOwnPasskeys,
  newCeremony,
  sessionIdOf,
} from '../second-factor/passkeys.service.ts'
import type { ChallengeHolder } from '../second-factor/passkeys.sql.ts'
import { takeChallenge, usePasskey } from '../second-factor/passkeys.sql.ts'
import type { Assertion, Ceremony, Passkey } from '../second-factor/passkeys.types.ts'

// Fresh proofs: a person shows in an open session that they are still there. Acts that make or widen access ask for one.

/** Gives the session a proof by the password. Throws 403 `wrong_password`; failures count as those of signing in. */
export function proveByPassword(
  options: SessionsOptions,
  caller: SignedInCaller,
  password: string,
): Promise<void> {
  const proof = { field: 'password', password, failure: wrongPassword() }
  return confirmPassword(options, caller, proof, async (tx) => {
    await note(options, tx, caller, 'password')
    return { passed: undefined }
  })
}

/** Begin of a proof by a passkey: the device shows the passkeys of this person alone. */
export type ProofBegin = Ceremony & { readonly known: readonly Passkey[] }

export async function beginProof(options: SessionsOptions, caller: SignedInCaller): Promise<ProofBegin> {
  const party = getRelyingParty(options)
  const known = await listOwnPasskeys(options.database, caller)
  return { ...(await newCeremony(options.database, holderOf(caller))), rpId: party.id, known }
}

/** Gives the session a proof by one of the person's passkeys. Throws 403 `invalid_passkey` whatever is wrong. */
export function proveByPasskey(
  options: SessionsOptions,
  caller: SignedInCaller,
  given: { readonly ceremony: string; readonly credential: Assertion },
): Promise<void> {
  return attemptLogin(
    attemptOf(options, caller),
    () => checkAssertion(options, caller, given),
    async (tx, { passkey, counter }): Promise<Judged<void>> => {
      await holdSession(options, tx, caller)
      if (!(await usePasskey(tx, keyOf(caller), passkey.id, counter))) return { failure: invalidPasskey() }
      await note(options, tx, caller, 'passkey')
      return { passed: undefined }
    },
  )
}

type Checked = { readonly passkey: Passkey; readonly counter: bigint }

/** Checks the device's answer. The challenge is spent first, also by an answer that is wrong. */
async function checkAssertion(
  options: SessionsOptions,
  caller: SignedInCaller,
  { ceremony, credential }: { readonly ceremony: string; readonly credential: Assertion },
): Promise<Judged<Checked>> {
  const party = getRelyingParty(options)
  const challenge = await takeChallenge(options.database, digestOf(ceremony), holderOf(caller))
  const id = Buffer.from(credential.id, 'base64url')
  const passkey = (await listOwnPasskeys(options.database, caller)).find((own) => own.credentialId.equals(id))
  const expected = { party, challenge: challenge ?? NO_CHALLENGE }
  const counter = await verifyAssertion(expected, credential, passkey)
  if (challenge === undefined || passkey === undefined || counter === undefined) {
    return { failure: invalidPasskey() }
  }
  return { passed: { passkey, counter } }
}

/** Holder of the challenge: this session and no other. */
function holderOf(caller: SignedInCaller): ChallengeHolder {
  return { purpose: 'prove', person: keyOf(caller), credential: caller.credentialId }
}

/** Notes the proof with the session, and logs it for operators only, like their signing in. */
async function note(
  { audit }: SessionsOptions,
  tx: Tx,
  caller: SignedInCaller,
  by: 'password' | 'passkey',
): Promise<void> {
  await markProven(tx, sessionIdOf(caller))
  if (caller.kind !== 'operator') return
  const act = { caller, action: 'session.prove', reason: 'on their own account' }
  await appendAudit(tx, audit, act, { target: ownTarget(caller), before: null, after: { by } })
}

function invalidPasskey(): RequestError {
  return new RequestError({
    status: 403,
    code: 'invalid_passkey',
    publicText: 'The passkey was not accepted. Try again, or prove it with your password.',
  })
}
