import type { Authenticate } from '../../../http/operation.ts'
import type { MemberPermission } from '../../accounts/members.rules.ts'
import type { OperatorRole, UserRole } from '../../accounts/types.ts'
import type { ActProof } from '../../audit/types.ts'

/** Operator who signed in, or a script with an operator's token. */
export type OperatorCaller = {
  readonly kind: 'operator'
  readonly operatorId: bigint
  readonly email: string
  readonly name: string
  readonly role: OperatorRole
  /** Tokens cannot approve what needs a second person. */
  readonly via: 'session' | 'token'
  /** Id of the session or the token, for the audit log. */
  readonly credentialId: string
  /** Passkey that opened the session, or was registered in it. */
  readonly passkeyId?: bigint | undefined
  readonly address: string
  /** Set for operations that ask for a fresh proof. */
  readonly proof?: ActProof | undefined
}

/** Member of a reseller who signed in to the portal. */
export type MemberCaller = {
  readonly kind: 'member'
  readonly userId: bigint
  readonly username: string
  readonly email: string
  readonly role: UserRole
  readonly reseller: { readonly id: bigint; readonly account: string; readonly name: string }
  readonly credentialId: string
  /** Passkey that opened the session, or was registered in it. */
  readonly passkeyId?: bigint | undefined
  /** True: a PIN opened the session, so the role is a cashier's. */
  readonly isByPin?: boolean | undefined
  /** Shared till at which the session was opened. */
  readonly sharedTillId?: bigint | undefined
  readonly address: string
  /** Set for operations that ask for a fresh proof. */
  readonly proof?: ActProof | undefined
}

/**
 * Authenticates callers with one of the named roles; an admin is always allowed. Writes also need the session's CSRF
 * token.
 */
export type OperatorAuthenticator = (...roles: readonly OperatorRole[]) => Authenticate<OperatorCaller>
/** The same for callers whose role has the permission. */
export type MemberAuthenticator = (permission: MemberPermission) => Authenticate<MemberCaller>
