import type { QueryKey } from '@tanstack/react-query'
import type {
  ChangePasswordRequest,
  NewPasskeyRequest,
  PasskeyAnswer,
  PasskeyProofRequest,
  PasskeyRegistration,
  Passkeys,
  PasswordAndCodeRequest,
  RecoveryCodes,
  SecondFactor,
  SecondFactorSecret,
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
  enrol(password: string): Promise<SecondFactorSecret>
  confirmFactor(code: string): Promise<RecoveryCodes>
  renewCodes(body: PasswordAndCodeRequest): Promise<RecoveryCodes>
  disableFactor(body: PasswordAndCodeRequest): Promise<unknown>
  beginPasskey(proof: PasskeyProofRequest): Promise<PasskeyRegistration>
  createPasskey(body: NewPasskeyRequest): Promise<PasskeyAnswer>
  renamePasskey(id: string, label: string): Promise<PasskeyAnswer>
  deletePasskey(id: string, proof: PasskeyProofRequest): Promise<unknown>
  endSession(id: string): Promise<unknown>
  endOtherSessions(): Promise<{ readonly data: { readonly ended: number } }>
}
