import type { Operator } from '../accounts/types.ts'

export function operatorView(operator: Operator) {
  return {
    id: String(operator.id),
    email: operator.email,
    name: operator.name,
    role: operator.role,
    status: operator.status,
    demo: operator.demo,
    created_at: operator.createdAt.toISOString(),
  }
}
