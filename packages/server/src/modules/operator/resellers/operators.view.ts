import type { Operator } from '../../accounts/types.ts'

export function operatorView(operator: Operator) {
  return {
    id: String(operator.id),
    email: operator.email,
    name: operator.name,
    role: operator.role,
    status: operator.status,
    demo: operator.demo,
    let_in_by: operator.empoweredBy === null ? null : String(operator.empoweredBy),
    created_at: operator.createdAt.toISOString(),
  }
}
