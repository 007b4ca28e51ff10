import type { Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import { appendAudit } from '../../audit/service.ts'
import type { Judged } from '../../auth/attempts.service.ts'
import { admitAttempt, attemptLogin } from '../../auth/attempts.service.ts'
import { findKnownBrowser } from '../people/devices.service.ts'
import { noteLockout } from '../people/lockouts.service.ts'
import type { Credentials, PersonKind } from '../people/people.types.ts'
import { mayEnter } from '../people/proof.service.ts'
import { isSameSecret, sessionDigestOf, targetOf } from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { endSessionByDigest, findByKey } from '../people/sql.ts'
import { NO_CHALLENGE, verifyAssertion } from '../second-factor/passkey-proof.service.ts'
import { userHandleOf } from '../second-factor/passkeys.rules.ts'
import { getRelyingParty, newCeremony } from '../second-factor/passkeys.service.ts'
import type { ChallengeHolder, OwnedPasskey } from '../second-factor/passkeys.sql.ts'
import { findPasskey, takeChallenge, usePasskey } from '../second-factor/passkeys.sql.ts'
import type { Assertion, Ceremony } from '../second-factor/passkeys.types.ts'
import { hasSecondFactor } from '../second-factor/totp.service.ts'
import type { SignedIn, SignIn } from './service.ts'
import { noteSignIn, openSession } from './service.ts'

// Signing in with a passkey. The browser shows the passkeys that the device has for this site, and nobody types a name:
// so no answer tells who exists. The device checks its owner, so a passkey stands for password and code together.

/** Begins a sign-in. The answer is of the same form for everybody. */
export async function beginPasskeySignIn(
  options: SessionsOptions,
  kind: PersonKind,
  address: string,
): Promise<Ceremony> {
  const party = getRelyingParty(options)
  await admitAttempt(options.database, address)
  return { ...(await newCeremony(options.database, nobody(kind))), rpId: party.id }
}

/** Holder of the challenge: a sign-in that has no person yet, known by the secret of its challenge alone. */
function nobody(kind: PersonKind): ChallengeHolder {
  return { purpose: 'sign_in', person: { kind, resellerId: 0n, id: 0n }, credential: '' }
}

export type PasskeySignIn = Omit<SignIn, 'login' | 'password' | 'code'> & {
  readonly ceremony: string
  readonly credential: Assertion
}

type Proven = { readonly person: Credentials; readonly found: OwnedPasskey; readonly counter: bigint }

/** Signs in. Answers 401 `invalid_passkey` whatever is wrong, and 429 `too_many_requests`. */
export async function signInWithPasskey(options: SessionsOptions, request: PasskeySignIn): Promise<SignedIn> {
  const { kind, address, credential } = request
  const credentialId = Buffer.from(credential.id, 'base64url')
  const found = await findPasskey(options.database, kind, credentialId)
  const person = found && (await findByKey(options.database, found.owner))
  // Failures of an unknown passkey are counted under a name that no person has: the NUL keeps it apart.
  const login = person?.login ?? `\u0000passkey:${digestOf(credential.id).toString('hex')}`
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
    () => prove(options, request, found, person),
    async (tx, proven): Promise<Judged<SignedIn>> => {
      const { owner, passkey } = proven.found
      if (!(await usePasskey(tx, owner, passkey.id, proven.counter))) {
        await noteCopy(options, tx, proven, address)
        return { failure: invalidPasskey() }
      }
      if (request.previousSecret !== undefined) {
        await endSessionByDigest(tx, kind, sessionDigestOf(request.previousSecret))
      }
      const takesCode = await hasSecondFactor(tx, owner)
      const signedIn = await openSession(tx, proven.person, request, { takesCode, passkeyId: passkey.id })
      if (kind === 'operator') await noteSignIn(options, tx, proven.person, signedIn, address)
      return { passed: signedIn }
    },
  )
}

/** Checks the device's answer. The challenge is spent first, also by an answer that is wrong. */
async function prove(
  options: SessionsOptions,
  { kind, ceremony, credential }: PasskeySignIn,
  found: OwnedPasskey | undefined,
  person: Credentials | undefined,
): Promise<Judged<Proven>> {
  const party = getRelyingParty(options)
  const challenge = await takeChallenge(options.database, digestOf(ceremony), nobody(kind))
  const expected = { party, challenge: challenge ?? NO_CHALLENGE }
  const counter = await verifyAssertion(expected, credential, found?.passkey)
  const isProven =
    counter !== undefined &&
    challenge !== undefined &&
    found !== undefined &&
    person !== undefined &&
    mayEnter(options.config, person) &&
    isHandleOf(found, credential.response.userHandle)
  return isProven ? { passed: { person, found, counter } } : { failure: invalidPasskey() }
}

/** Compares the person that the device names, where it names one, with the owner of the passkey. */
function isHandleOf({ owner }: OwnedPasskey, given: string | null | undefined): boolean {
  if (given === undefined || given === null || given === '') return true
  return isSameSecret(given, userHandleOf(owner).toString('base64url'))
}

/** Logs a count that went back: the passkey may have been copied, and its person should remove it. */
async function noteCopy(
  { audit }: SessionsOptions,
  tx: Tx,
  { person, found, counter }: Proven,
  address: string,
): Promise<void> {
  const { id, counter: before } = found.passkey
  const act = {
    caller: { kind: 'system', name: 'sign-in' },
    action: 'passkey.refuse_copy',
    reason: 'the count of signatures did not go forward',
  } as const
  await appendAudit(tx, audit, act, {
    target: targetOf(person),
    before: { passkey: String(id), counter: String(before) },
    after: { passkey: String(id), counter: String(counter), address },
  })
}

/** Gives one text for every reason. */
function invalidPasskey(): RequestError {
  return new RequestError({
    status: 401,
    code: 'invalid_passkey',
    publicText: 'The passkey was not accepted. Try again, or sign in with your password.',
  })
}
