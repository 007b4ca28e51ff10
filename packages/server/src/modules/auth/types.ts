import type { DirectoryReseller, Scope } from '../accounts/types.ts'
import type { NonceCommand } from './nonces.types.ts'

/** Whoever made a request. */
export type Caller = {
  readonly reseller: DirectoryReseller
  /** A signed request by key, or a legacy bearer token by user. */
  readonly kind: 'key' | 'user'
  /** The API key's or the user's id, as history shows it. */
  readonly memberId: string
  readonly scopes: ReadonlySet<Scope>
  /** For operations that spend it in a commit of their own instead of confirming the caller first. */
  readonly unspentNonce?: NonceCommand
}
