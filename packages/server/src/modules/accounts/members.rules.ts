import type { LoginStatus, Scope, UserRole } from './types.ts'
import { SCOPES, USER_ROLES } from './types.ts'

// Permissions of a reseller's people in the portal: the one table that operations, pages and documents are drawn from.
// An admin, the owner of the shop, may do everything and is in none of the lists below.

const EVERYBODY: readonly UserRole[] = USER_ROLES.filter((role) => role !== 'admin')
const NOBODY_ELSE: readonly UserRole[] = []

const ROLES = {
  /** One's own session, password, passkeys and PIN, and what every page is told. */
  self: EVERYBODY,

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
  /** Keys, addresses, receivers, requests and settings. */
  'developers.read': ['viewer'],
  'developers.write': NOBODY_ELSE,
} as const satisfies Readonly<Record<string, readonly UserRole[]>>

export type MemberPermission = keyof typeof ROLES

export const MEMBER_PERMISSIONS = Object.keys(ROLES) as readonly MemberPermission[]

export function memberMay({ role }: { readonly role: UserRole }, permission: MemberPermission): boolean {
  const others: readonly UserRole[] = ROLES[permission]
  return role === 'admin' || others.includes(role)
}

export function permissionsOf(role: UserRole): readonly MemberPermission[] {
  return MEMBER_PERMISSIONS.filter((permission) => memberMay({ role }, permission))
}

/** Tells whether whoever has a role may do all that another one may. */
export function coversMemberRole(own: UserRole, wanted: UserRole): boolean {
  return permissionsOf(wanted).every((permission) => memberMay({ role: own }, permission))
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
