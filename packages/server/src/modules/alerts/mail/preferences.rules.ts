import type { UserRole } from '../../accounts/types.ts'
import type { MailKind } from './mail.types.ts'

/** Role of an addressee: the account's registered address, or a member with a role. */
export type AddresseeRole = 'registered' | UserRole

/**
 * Default of a preference that was never switched. Narrower roles may not see what the mails are about; managers
 * schedule payments, too.
 */
export function isOnByDefault(role: AddresseeRole, kind: MailKind): boolean {
  return role === 'registered' || role === 'admin' || (role === 'manager' && kind === 'schedule')
}

/**
 * Kinds that the registered address always gets, because the API promises them: the alert about a low balance, and a
 * copy of each message about a case.
 */
const ALWAYS_REGISTERED: ReadonlySet<MailKind> = new Set(['balance.low', 'case'])

export function mayBeSwitched(role: AddresseeRole, kind: MailKind): boolean {
  return role !== 'registered' || !ALWAYS_REGISTERED.has(kind)
}
