import type { OperatorRole } from '../../accounts/types.ts'
import { OPERATOR_ROLES } from '../../accounts/types.ts'

// Who may do what in the back office. An admin may do everything and stands in no line below.

const EVERYBODY: readonly OperatorRole[] = OPERATOR_ROLES.filter((role) => role !== 'admin')
const NOBODY_ELSE: readonly OperatorRole[] = []

const ROLES = {
  // ── Accounts ──
  /** Every desk speaks of resellers by their account and name. */
  'resellers.read': EVERYBODY,
  'resellers.write': NOBODY_ELSE,
  'users.read': ['support', 'read_only'],
  'users.write': NOBODY_ELSE,
  'keys.read': ['support', 'read_only'],
  'keys.write': NOBODY_ELSE,
  'operators.read': NOBODY_ELSE,
  'operators.write': NOBODY_ELSE,
  'settings.read': ['read_only'],

  // ── What is sold, and through whom ──
  'catalogue.read': ['support', 'catalogue', 'read_only'],
  'catalogue.write': ['catalogue'],
  'levels.read': ['finance', 'support', 'catalogue', 'read_only'],
  'levels.write': ['catalogue'],
  'permissions.read': ['support', 'catalogue', 'read_only'],
  'permissions.write': ['catalogue'],
  'notices.read': ['support', 'catalogue', 'read_only'],
  'notices.write': ['catalogue'],
  'providers.read': ['support', 'catalogue', 'read_only'],
  'providers.write': NOBODY_ELSE,
  /** How a provider is spoken to. Secrets are not in it, and what is near them is for few eyes. */
  'providers.config': NOBODY_ELSE,

  // ── Money and payments ──
  'money.read': ['finance', 'read_only'],
  'money.write': ['finance'],
  /** Takes a file, and changes nothing. */
  'money.compare': ['finance'],
  /** Of the kinds that one may ask for, and of what one asked for oneself. */
  'approvals.read': ['finance', 'support', 'catalogue', 'read_only'],
  'all_approvals.read': ['finance', 'read_only'],
  'approvals.decide': ['finance'],
  /** Of what one asked for oneself. */
  'approvals.withdraw': ['finance', 'support', 'catalogue'],
  'payments.read': ['finance', 'support', 'read_only'],
  'payments.resolve': ['support'],
  'ledger.read': ['finance', 'read_only'],
  'ledger.verify': ['finance'],
  'cases.read': ['support', 'read_only'],
  'cases.write': ['support'],
  'deliveries.read': ['support', 'read_only'],
  'deliveries.write': ['support'],
  'blocks.read': ['support', 'read_only'],
  'blocks.write': ['support'],
  'alerts.read': ['finance', 'support', 'catalogue', 'read_only'],
  'alerts.write': ['finance', 'support', 'catalogue'],
  'audit.read': ['read_only'],
} as const satisfies Readonly<Record<string, readonly OperatorRole[]>>

export type Permission = keyof typeof ROLES

export const PERMISSIONS = Object.keys(ROLES) as readonly Permission[]

/** For an `OperatorAuthenticator`; the admin is named, so that nobody else is an empty list to nobody. */
export function rolesFor(permission: Permission): readonly OperatorRole[] {
  return ['admin', ...ROLES[permission]]
}

export function mayDo(role: OperatorRole, permission: Permission): boolean {
  return rolesFor(permission).includes(role)
}
