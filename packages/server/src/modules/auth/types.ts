import type { DirectoryReseller, KeyCaps, Scope } from '../accounts/types.ts'
import type { NonceCommand } from './nonces.types.ts'

/** Caller of the reseller API. */
export type Caller = {
  readonly reseller: DirectoryReseller
  /** key: a signed request; user: a legacy bearer token. */
  readonly kind: 'key' | 'user'
  /** Id of the API key or the user, as the history shows it; the id of the order whose payment is made. */
  readonly memberId: string
  readonly scopes: ReadonlySet<Scope>
  /** Purpose of the key, which survives its rotation; left out: no key called. */
  readonly purposeId?: bigint | undefined
  /** Codes of products, categories and groups that the key may sell; left out: all. */
  readonly products?: ReadonlySet<string> | undefined
  /** Caps of the key; left out: none. */
  readonly caps?: KeyCaps | undefined
  /** True: a person who sees no payments but their own. */
  readonly seesOwnAlone?: boolean
  /** Nonce for operations that spend it in a commit of their own, instead of confirming the caller first. */
  readonly unspentNonce?: NonceCommand
}
