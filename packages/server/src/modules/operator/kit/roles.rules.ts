import type { OperatorRole } from '../../accounts/types.ts'
import { OPERATOR_ROLES } from '../../accounts/types.ts'

// Permissions of the roles in the back office. An admin may do everything and is in none of the lists below.

const EVERYBODY: readonly OperatorRole[] = OPERATOR_ROLES.filter((role) => role !== 'admin')
const NOBODY_ELSE: readonly OperatorRole[] = []

const ROLES = {
  /** The first page of the console. Its parts need the permissions of their own pages. */
  'overview.read': EVERYBODY,

  // ── Accounts ──
  /** The pages of every role name resellers, by account and name. */
  'resellers.read': EVERYBODY,
  'resellers.write': NOBODY_ELSE,
  'users.read': ['support', 'read_only'],
  'users.write': NOBODY_ELSE,
  'keys.read': ['support', 'read_only'],
  'keys.write': NOBODY_ELSE,
  'operators.read': NOBODY_ELSE,
  'operators.write': NOBODY_ELSE,
  'settings.read': ['read_only'],

  // ── Products and providers ──
  'catalogue.read': ['support', 'catalogue', 'read_only'],
  'catalogue.write': ['catalogue'],
  'levels.read': ['finance', 'support', 'catalogue', 'read_only'],
  'levels.write': ['catalogue'],
  /** Margins show the costs of routes, which finance reads here alone. */
  'margins.read': EVERYBODY,
  /** Proposals of suppliers' lists show costs beside prices. */
  'offers.read': ['finance', 'catalogue', 'read_only'],
  'offers.write': ['catalogue'],
  /** Limits of resellers and of levels. */
  'limits.read': ['finance', 'support', 'catalogue', 'read_only'],
  'limits.write': ['finance'],
  'permissions.read': ['support', 'catalogue', 'read_only'],
  'permissions.write': ['catalogue'],
  'notices.read': ['support', 'catalogue', 'read_only'],
  'notices.write': ['catalogue'],
  'number_plan.read': ['support', 'catalogue', 'read_only'],
  'number_plan.write': ['catalogue'],
  'providers.read': ['support', 'catalogue', 'read_only'],
  'providers.write': NOBODY_ELSE,
  /**
   * Configuration of the connection to a provider. It holds no secrets, but it can reveal almost as much, so few may
   * read it.
   */
  'providers.config': NOBODY_ELSE,

  // ── Money and payments ──
  'money.read': ['finance', 'read_only'],
  'money.write': ['finance'],
  /** Rates of currencies: costs and floats are told in ringgit by them. */
  'rates.read': ['finance', 'catalogue', 'read_only'],
  'rates.write': ['finance'],
  /** Reads a file that the caller sends, and changes nothing. */
  'money.compare': ['finance'],
  /** Requests of the kinds that the operator may make, and the operator's own. */
  'approvals.read': ['finance', 'support', 'catalogue', 'read_only'],
  'all_approvals.read': ['finance', 'read_only'],
  'approvals.decide': ['finance'],
  /** The operator's own requests. */
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

/** Roles for an `OperatorAuthenticator`. The admin is always named, so that `NOBODY_ELSE` never gives an empty list. */
export function rolesFor(permission: Permission): readonly OperatorRole[] {
  return ['admin', ...ROLES[permission]]
}

export function mayDo(role: OperatorRole, permission: Permission): boolean {
  return rolesFor(permission).includes(role)
}
