import type { UserRole } from '../../accounts/types.ts'
import type { MailKind } from './mail.types.ts'

/** The account's registered address, or a member with a role. */
export type AddresseeRole = 'registered' | UserRole

/** What holds while nobody has switched it. */
export function isOnAtFirst(role: AddresseeRole): boolean {
  return role !== 'viewer'
}

/** The API promises both to this address: the alert about a low balance, and a copy of what is written about a case. */
const ALWAYS_REGISTERED: ReadonlySet<MailKind> = new Set(['balance.low', 'case'])

export function mayBeSwitched(role: AddresseeRole, kind: MailKind): boolean {
  return role !== 'registered' || !ALWAYS_REGISTERED.has(kind)
}
