import { generateKeyPairSync } from 'node:crypto'
import { CHALLENGE_BYTES, TRANSPORTS } from './passkeys.rules.ts'
import type { NewPasskey } from './passkeys.sql.ts'
import type { Assertion, Attestation, Passkey, RelyingParty } from './passkeys.types.ts'

// The answers of devices, checked by the library. It is loaded at the first use: most starts of the program need none
// of it.

const library = () => import('@simplewebauthn/server')

/** Site and challenge that an answer must be made for. */
export type Expected = { readonly party: RelyingParty; readonly challenge: Buffer }

function expectedOf({ party, challenge }: Expected) {
  return {
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    // A passkey stands for password and code together, so the device must have checked its owner.
    requireUserVerification: true,
  }
}

/** Checks a new passkey. undefined: the answer is not one to this challenge, from this site, by a checked owner. */
export async function verifyAttestation(
  expected: Expected,
  { id, response }: Attestation,
): Promise<Omit<NewPasskey, 'label'> | undefined> {
  const { verifyRegistrationResponse } = await library()
  const { clientDataJSON, attestationObject, transports = [] } = response
  const verified = await verifyRegistrationResponse({
    ...expectedOf(expected),
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject },
    },
  }).catch(() => undefined)
  if (verified?.verified !== true) return undefined
  const { credential, credentialBackedUp } = verified.registrationInfo
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: TRANSPORTS.filter((each) => transports.includes(each)),
    isBackedUp: credentialBackedUp,
  }
}

/**
 * Checks an answer to a sign-in, and returns the device's count of signatures. undefined: it proves nothing. Without a
 * passkey it does the same work against a key that nobody has, so that the time does not show which passkeys exist.
 */
export async function verifyAssertion(
  expected: Expected,
  { id, response }: Assertion,
  passkey: Passkey | undefined,
): Promise<bigint | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const { clientDataJSON, authenticatorData, signature } = response
  const verified = await verifyAuthenticationResponse({
    ...expectedOf(expected),
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    // The count is judged by the statement that stores it, where two answers at once cannot both pass.
    credential: { id, publicKey: new Uint8Array(passkey?.publicKey ?? nobodysKey()), counter: 0 },
  }).catch(() => undefined)
  if (passkey === undefined || verified?.verified !== true) return undefined
  return BigInt(verified.authenticationInfo.newCounter)
}

let madeKey: Buffer | undefined

/** Public key in COSE's form whose private half was thrown away. */
function nobodysKey(): Buffer {
  if (madeKey !== undefined) return madeKey
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  })
  madeKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  return madeKey
}

/** Challenge in place of one that was spent or never given: no device has signed it. */
export const NO_CHALLENGE = Buffer.alloc(CHALLENGE_BYTES)
