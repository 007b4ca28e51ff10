import type { Operator } from '../../api/operator.generated.ts'

/** Roles of operators, in the order in which they are offered. */
export const ROLES: readonly Operator['role'][] = ['read_only', 'support', 'catalogue', 'finance', 'admin']
