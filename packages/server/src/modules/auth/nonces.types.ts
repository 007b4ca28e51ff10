import type { Progress } from '../../db/commits/progress.ts'

export type NonceCommand = {
  /** Key and nonce as a uuid: see `nonceDigest`. */
  readonly digest: string
  /** Request that spends it. The same request run twice is accepted twice. */
  readonly requestId: string
  readonly timestampSeconds: number
}

export type Nonces = {
  /** True when this request is the first to use the nonce. Throws 503 when that cannot be determined. */
  spend(command: NonceCommand, deadlineMs: number): Promise<boolean>
  readonly waiting: number
  readonly progress: Progress
  /** Deletes expired nonces, in small steps. */
  sweep(): Promise<void>
  drain(): Promise<void>
}
