import { Type } from 'typebox'
import { USER_ROLES } from '../../accounts/types.ts'
import { bodyOf, dataOf, enumOf, Instant, listOf, Reason } from '../console/schemas.ts'

const STATUSES = ['active', 'disabled'] as const

const User = Type.Object(
  {
    username: Type.String(),
    email: Type.String(),
    role: enumOf(USER_ROLES),
    status: enumOf(STATUSES),
    created_at: Instant,
  },
  { title: 'Reseller user' },
)

export const UserParameters = Type.Object({ account: Type.String(), username: Type.String() })
export const UserListResponse = listOf(User)
export const UserResponse = dataOf(User)

export const NewUserBody = bodyOf('New user request', {
  username: Type.String({ description: '3 to 100 characters out of a-z 0-9 . _ @ + -' }),
  email: Type.Optional(Type.String({ description: "Left out: the reseller's" })),
  role: enumOf(USER_ROLES),
  reason: Reason,
})

export const UserBody = bodyOf('Change user request', {
  role: Type.Optional(enumOf(USER_ROLES)),
  status: Type.Optional(enumOf(STATUSES, 'disabled: kept out; sessions and tokens stop working')),
  reason: Reason,
})
