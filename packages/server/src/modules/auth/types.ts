import type { DirectoryReseller, Scope } from '../accounts/types.ts'
import type { NonceCommand } from './nonces.types.ts'

/** Caller of the reseller API. */
export type Caller = {
  readonly reseller: DirectoryReseller
  /** key: a signed request; user: a legacy bearer token. */
  readonly kind: 'key' | 'user'
  /** Id of the API key or the user, as the history shows it; the id of the order whose payment is made. */
  readonly memberId: string
  readonly scopes: ReadonlySet<Scope>
  /** Nonce for operations that spend it in a commit of their own, instead of confirming the caller first. */
  readonly unspentNonce?: NonceCommand
}
