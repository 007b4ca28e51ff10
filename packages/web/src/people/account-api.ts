import type { QueryKey } from '@tanstack/react-query'
import type {
  ChangePasswordRequest,
  NewPasskeyRequest,
  OwnCodeRequestWithProof,
  PasskeyAnswer,
  PasskeyChallenge,
  PasskeyProofRequestWithProof,
  PasskeyRegistration,
  Passkeys,
  RecoveryCodes,
  SecondFactor,
  SecondFactorSecret,
  SessionProofRequest,
  Sessions,
} from '../api/portal.generated.ts'
import type { Reading } from '../ui/loaded.tsx'

/** Answer with a new session: the next changes carry its token. */
export type NewSession = { readonly csrf_token: string | null }

/** Operations of a person on their own account. Both APIs have them, under names and paths of their own. */
export type AccountApi = {
  useFactor(): Reading<SecondFactor>
  usePasskeys(): Reading<Passkeys>
  useSessions(): Reading<Sessions>
  readonly keys: {
    readonly session: QueryKey
    readonly factor: QueryKey
    readonly passkeys: QueryKey
    readonly sessions: QueryKey
  }
  setCsrfToken(token: string | null): void
  /** Address of the stream of events, which belongs to the session. */
  readonly live: string
  changePassword(body: ChangePasswordRequest): Promise<NewSession>
  /** Gives the session a fresh proof. */
  prove(body: SessionProofRequest): Promise<unknown>
  beginProof(): Promise<PasskeyChallenge>
  enrol(password: string): Promise<SecondFactorSecret>
  confirmFactor(code: string): Promise<RecoveryCodes>
  renewCodes(body: OwnCodeRequestWithProof): Promise<RecoveryCodes>
  disableFactor(body: OwnCodeRequestWithProof): Promise<unknown>
  beginPasskey(proof: PasskeyProofRequestWithProof): Promise<PasskeyRegistration>
  createPasskey(body: NewPasskeyRequest): Promise<PasskeyAnswer>
  renamePasskey(id: string, label: string): Promise<PasskeyAnswer>
  deletePasskey(id: string, proof: PasskeyProofRequestWithProof): Promise<unknown>
  endSession(id: string): Promise<unknown>
  endOtherSessions(): Promise<{ readonly data: { readonly ended: number } }>
}
