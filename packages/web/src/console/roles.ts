import type { Operator } from './session.ts'
import { useSignedIn } from './session.ts'

// Permissions of the roles, for what the console shows. The service decides, by the same table in its own
// `roles.rules.ts` (a test compares them); a page that shows too much gets a refusal. An admin may do everything and is
// in none of the lists.

export type Role = Operator['role']

/** Roles of operators, in the order in which they are offered. */
export const ROLES: readonly Role[] = ['read_only', 'support', 'catalogue', 'finance', 'admin']

const EVERYBODY: readonly Role[] = ['finance', 'support', 'catalogue', 'read_only']
const NOBODY_ELSE: readonly Role[] = []

const PERMISSION_ROLES = {
  'overview.read': EVERYBODY,
  'resellers.read': EVERYBODY,
  'resellers.write': NOBODY_ELSE,
  'users.read': ['support', 'read_only'],
  'users.write': NOBODY_ELSE,
  'keys.read': ['support', 'read_only'],
  'keys.write': NOBODY_ELSE,
  'operators.read': NOBODY_ELSE,
  'operators.write': NOBODY_ELSE,
  'settings.read': ['read_only'],
  'catalogue.read': ['support', 'catalogue', 'read_only'],
  'catalogue.write': ['catalogue'],
  'levels.read': EVERYBODY,
  'levels.write': ['catalogue'],
  'limits.read': ['finance', 'support', 'catalogue', 'read_only'],
  'limits.write': ['finance'],
  'margins.read': EVERYBODY,
  'offers.read': ['finance', 'catalogue', 'read_only'],
  'offers.write': ['catalogue'],
  'permissions.read': ['support', 'catalogue', 'read_only'],
  'permissions.write': ['catalogue'],
  'notices.read': ['support', 'catalogue', 'read_only'],
  'notices.write': ['catalogue'],
  'number_plan.read': ['support', 'catalogue', 'read_only'],
  'number_plan.write': ['catalogue'],
  'providers.read': ['support', 'catalogue', 'read_only'],
  'providers.write': NOBODY_ELSE,
  'providers.config': NOBODY_ELSE,
  'money.read': ['finance', 'read_only'],
  'money.write': ['finance'],
  'rates.read': ['finance', 'catalogue', 'read_only'],
  'rates.write': ['finance'],
  'money.compare': ['finance'],
  'approvals.read': EVERYBODY,
  'all_approvals.read': ['finance', 'read_only'],
  'approvals.decide': ['finance'],
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
  'alerts.read': EVERYBODY,
  'alerts.write': ['finance', 'support', 'catalogue'],
  'audit.read': ['read_only'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Permission = keyof typeof PERMISSION_ROLES

export const PERMISSIONS = Object.keys(PERMISSION_ROLES) as readonly Permission[]

export function mayDo(role: Role, permission: Permission): boolean {
  const others: readonly Role[] = PERMISSION_ROLES[permission]
  return role === 'admin' || others.includes(role)
}

/** Returns whether the signed-in operator may do something. */
export function useMay(): (permission: Permission) => boolean {
  const { role } = useSignedIn()
  return (permission) => mayDo(role, permission)
}

/** Permission that each page needs, by the beginning of its path. */
const PAGES: Readonly<Record<string, Permission>> = {
  '/operator/payments': 'payments.read',
  '/operator/stuck': 'payments.read',
  '/operator/approvals': 'approvals.read',
  '/operator/cases': 'cases.read',
  '/operator/alerts': 'alerts.read',
  '/operator/resellers': 'resellers.read',
  '/operator/deposits': 'money.read',
  '/operator/ledger': 'ledger.read',
  '/operator/rates': 'rates.read',
  '/operator/numbers': 'number_plan.read',
  '/operator/catalogue': 'catalogue.read',
  '/operator/margins': 'margins.read',
  '/operator/levels': 'levels.read',
  '/operator/providers': 'providers.read',
  '/operator/offers': 'offers.read',
  '/operator/notices': 'notices.read',
  '/operator/deliveries': 'deliveries.read',
  '/operator/blocks': 'blocks.read',
  '/operator/audit': 'audit.read',
  '/operator/people': 'operators.read',
}

/** Tells whether a role may read the page at a path. Pages of one's own, such as the account, are everybody's. */
export function mayOpen(role: Role, path: string): boolean {
  const [, entry, room] = path.split('/')
  const permission = PAGES[`/${entry}/${room}`]
  return permission === undefined || mayDo(role, permission)
}

/** Returns whether the signed-in operator may read the page at a path. */
export function useMayOpen(): (path: string) => boolean {
  const { role } = useSignedIn()
  return (path) => mayOpen(role, path)
}
