import { ALGORITHMS, CHALLENGE_LIFETIME_SECONDS } from '../second-factor/passkeys.rules.ts'
import type { Registration } from '../second-factor/passkeys.service.ts'
import type { Ceremony, Passkey } from '../second-factor/passkeys.types.ts'
import type { ProofBegin } from './proofs.service.ts'

const SITE_NAME = 'Warung'
const TIMEOUT_MS = CHALLENGE_LIFETIME_SECONDS * 1_000
const PUBLIC_KEY = 'public-key' as const

export function passkeyView(passkey: Passkey) {
  return {
    id: String(passkey.id),
    label: passkey.label,
    is_backed_up: passkey.isBackedUp,
    created_at: passkey.createdAt.toISOString(),
    last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
  }
}

export function registrationView({ ceremony, challenge, rpId, user, known }: Registration) {
  return {
    ceremony,
    options: {
      rp: { id: rpId, name: SITE_NAME },
      user: { id: user.handle.toString('base64url'), name: user.name, displayName: user.name },
      challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: PUBLIC_KEY, alg })),
      timeout: TIMEOUT_MS,
      excludeCredentials: known.map(descriptorOf),
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true as const,
        userVerification: 'required' as const,
      },
      attestation: 'none' as const,
    },
  }
}

function descriptorOf({ credentialId, transports }: Passkey) {
  return { id: credentialId.toString('base64url'), type: PUBLIC_KEY, transports: [...transports] }
}

/** The device knows its own passkeys, and nobody has said yet who is signing in. */
export function signInView(begun: Ceremony) {
  return challengeView(begun, [])
}

export function proofBeginView(begun: ProofBegin) {
  return challengeView(begun, begun.known)
}

function challengeView({ ceremony, challenge, rpId }: Ceremony, known: readonly Passkey[]) {
  return {
    ceremony,
    options: {
      challenge,
      rpId,
      timeout: TIMEOUT_MS,
      allowCredentials: known.map(descriptorOf),
      userVerification: 'required' as const,
    },
  }
}
