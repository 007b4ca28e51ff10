import { oneOf } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import type { OperatorRole } from '../../accounts/types.ts'
import type { ApprovalScope } from '../../approvals/types.ts'
import { APPROVAL_STATES } from '../../approvals/types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { PAGE_RULES } from './pages.rules.ts'
import type { Permission } from './roles.rules.ts'
import { mayDo } from './roles.rules.ts'

/** Permission that a request of each kind needs. */
const REQUESTED_BY = {
  deposit: 'money.write',
  adjustment: 'money.write',
  deposit_request: 'money.write',
  payment_resolution: 'payments.resolve',
  void: 'cases.write',
  rate_change: 'rates.write',
  price_change: 'levels.write',
  catalogue_change: 'catalogue.write',
  offers_accept: 'offers.write',
  route_change: 'providers.write',
  route_removal: 'providers.write',
  provider_switch: 'providers.write',
  provider_upgrade: 'providers.write',
  provider_products: 'providers.write',
  answer_meaning: 'providers.write',
  user_create: 'users.write',
  user_change: 'users.write',
  reseller_email: 'resellers.write',
  operator_create: 'operators.write',
  operator_change: 'operators.write',
} as const satisfies Readonly<Record<string, Permission>>

export type ApprovalKind = keyof typeof REQUESTED_BY

export const APPROVAL_KINDS = Object.keys(REQUESTED_BY) as readonly ApprovalKind[]

export const LIST_RULES = {
  ...PAGE_RULES,
  state: optional(oneOf(APPROVAL_STATES), null),
  kind: optional(oneOf(APPROVAL_KINDS), null),
}

export function mayRequest(role: OperatorRole, kind: string): boolean {
  const known = APPROVAL_KINDS.find((each) => each === kind)
  return known !== undefined && mayDo(role, REQUESTED_BY[known])
}

/** Access to the back office is approved by admins alone; everything else by all who decide. */
export function mayDecide(role: OperatorRole, kind: string): boolean {
  return kind.startsWith('operator_') ? mayDo(role, 'operators.write') : mayDo(role, 'approvals.decide')
}

/** Roles that decide or watch see every request. Others see the kinds that they may request, and their own requests. */
export function scopeOf({
  role,
  operatorId,
}: Pick<OperatorCaller, 'role' | 'operatorId'>): ApprovalScope | null {
  if (mayDo(role, 'all_approvals.read')) return null
  return { kinds: APPROVAL_KINDS.filter((kind) => mayRequest(role, kind)), operatorId }
}
