import type { Authenticate } from '../../../http/operation.ts'
import type { OperatorRole, UserRole } from '../../accounts/types.ts'

/** An operator who signed in, or a script with an operator's token. */
export type OperatorCaller = {
  readonly kind: 'operator'
  readonly operatorId: bigint
  readonly email: string
  readonly name: string
  readonly role: OperatorRole
  /** Tokens cannot approve what needs a second person. */
  readonly via: 'session' | 'token'
  /** Of the session or the token, for the audit log. */
  readonly credentialId: string
  readonly address: string
}

/** A reseller's member who signed in to the portal. */
export type MemberCaller = {
  readonly kind: 'member'
  readonly userId: bigint
  readonly username: string
  readonly email: string
  readonly role: UserRole
  readonly reseller: { readonly id: bigint; readonly account: string; readonly name: string }
  readonly credentialId: string
  readonly address: string
}

/** Who may call: the roles named; an admin always may. Writes also need the session's CSRF token. */
export type OperatorAuthenticator = (...roles: readonly OperatorRole[]) => Authenticate<OperatorCaller>
export type MemberAuthenticator = (...roles: readonly UserRole[]) => Authenticate<MemberCaller>
