import type { Progress } from '../../db/progress.ts'

export type NonceCommand = {
  /** Key and nonce as a uuid: see `nonceDigest`. */
  readonly digest: string
  /** The request that spends it: run twice, it is accepted twice. */
  readonly requestId: string
  readonly timestampSeconds: number
}

export type Nonces = {
  /** True when this request is the first to use the nonce. Throws 503 when nobody can say. */
  spend(command: NonceCommand, deadlineMs: number): Promise<boolean>
  readonly waiting: number
  readonly progress: Progress
  /** Forgets what has expired, in small steps. */
  sweep(): Promise<void>
  drain(): Promise<void>
}
