import type { LoginStatus, Scope, UserRole } from './types.ts'
import { SCOPES, USER_ROLES } from './types.ts'

// Permissions of a reseller's people in the portal: the one table that operations, pages and documents are drawn from.
// An admin, the owner of the shop, may do everything and is in none of the lists below.

const EVERYBODY: readonly UserRole[] = USER_ROLES.filter((role) => role !== 'admin')
const NOBODY_ELSE: readonly UserRole[] = []

const ROLES = {
  /** One's own session, and what every page is told. */
  self: EVERYBODY,
  /** One's own password, passkeys, second factor and other sessions. */
  account: EVERYBODY,
  /** One's own PIN, which whoever sells may have. */
  'pin.write': ['manager', 'cashier'],

  // ── Selling ──
  'products.read': EVERYBODY,
  'balance.read': EVERYBODY,
  'sell.read': ['manager', 'cashier', 'viewer'],
  sell: ['manager', 'cashier'],
  bulk: ['manager'],
  /** Payments, as far as the caller may see them: without `payments.read` only one's own. */
  'payments.own': EVERYBODY,
  /** All payments of the shop, and files of them. */
  'payments.read': ['manager', 'accountant', 'viewer'],
  /** PINs and links of the payments that one sees. */
  'pins.read': ['manager', 'cashier'],
  'cases.read': ['manager', 'viewer'],
  'cases.write': ['manager'],
  'orders.read': ['manager', 'viewer'],
  'orders.write': NOBODY_ELSE,

  // ── Money ──
  'overview.read': ['manager', 'accountant', 'viewer'],
  'reports.read': ['manager', 'accountant', 'viewer'],
  'statement.read': ['accountant', 'viewer'],
  'deposits.read': ['accountant', 'viewer'],
  'deposits.write': ['accountant'],

  // ── The shop ──
  'catalogue.read': ['manager', 'accountant', 'viewer'],
  'catalogue.write': NOBODY_ELSE,
  'limits.read': ['manager', 'viewer'],
  'limits.write': NOBODY_ELSE,
  /** Limits of those who may do less. */
  'member_limits.write': ['manager'],
  /** Branches, tills and everybody's shifts; one's own shifts need `sell`. */
  'tills.read': ['manager', 'accountant', 'viewer'],
  'tills.write': ['manager'],
  /** Tells whether people sell without a shift. */
  'till_settings.write': NOBODY_ELSE,
  'team.read': ['manager', 'viewer'],
  'team.write': NOBODY_ELSE,
  /** Browsers at which people take over by PIN. */
  'shared_tills.write': ['manager'],
  /** Keys, addresses, receivers, requests and settings. */
  'developers.read': ['viewer'],
  'developers.write': NOBODY_ELSE,
} as const satisfies Readonly<Record<string, readonly UserRole[]>>

export type MemberPermission = keyof typeof ROLES

export const MEMBER_PERMISSIONS = Object.keys(ROLES) as readonly MemberPermission[]

/** Permissions that a session never has when a PIN opened it: they make or keep access. */
const NEVER_BY_PIN: readonly MemberPermission[] = ['account', 'pin.write']

type Standpoint = { readonly role: UserRole; readonly isByPin?: boolean | undefined }

export function memberMay({ role, isByPin = false }: Standpoint, permission: MemberPermission): boolean {
  if (isByPin && NEVER_BY_PIN.includes(permission)) return false
  const others: readonly UserRole[] = ROLES[permission]
  return role === 'admin' || others.includes(role)
}

/** Role of a session that a PIN opened: a cashier's, whatever else the person may do. undefined: they may have no PIN. */
export function roleByPin(role: UserRole): UserRole | undefined {
  return memberMay({ role }, 'pin.write') ? 'cashier' : undefined
}

export function permissionsOf(standpoint: Standpoint): readonly MemberPermission[] {
  return MEMBER_PERMISSIONS.filter((permission) => memberMay(standpoint, permission))
}

/** Tells whether whoever has a role may do all that another one may. */
export function coversMemberRole(own: UserRole, wanted: UserRole): boolean {
  return permissionsOf({ role: wanted }).every((permission) => memberMay({ role: own }, permission))
}

type Standing = { readonly id: bigint; readonly role: UserRole; readonly status: LoginStatus }

/** Tells whether one member may set the limits of another: who may do more than them, and never for oneself. */
export function maySetLimits(setter: Standing | undefined, member: Standing): boolean {
  if (setter === undefined || setter.status !== 'active' || setter.id === member.id) return false
  if (!memberMay(setter, 'member_limits.write')) return false
  return setter.role === 'admin' || !coversMemberRole(member.role, setter.role)
}

/** Scopes of a person at the operations that the portal shares with the reseller API. */
export function scopesOf(role: UserRole): ReadonlySet<Scope> {
  if (role === 'admin') return new Set(SCOPES)
  const may = (permission: MemberPermission) => memberMay({ role }, permission)
  return new Set<Scope>([
    'read',
    ...(may('sell') ? (['pay'] as const) : []),
    ...(may('cases.write') ? (['support'] as const) : []),
  ])
}

/**
 * Scopes of a person's legacy token. It reads the statement, the payments and the settings of the whole account or
 * nothing at all: the reseller API knows no narrower reader.
 */
export function tokenScopesOf(role: UserRole): ReadonlySet<Scope> {
  if (role === 'admin') return new Set(SCOPES)
  return role === 'viewer' ? new Set<Scope>(['read']) : new Set<Scope>()
}
