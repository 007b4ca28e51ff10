import type { User } from '../../accounts/types.ts'

export function userView(user: User) {
  return {
    username: user.username,
    email: user.email,
    role: user.role,
    status: user.status,
    created_at: user.createdAt.toISOString(),
  }
}
