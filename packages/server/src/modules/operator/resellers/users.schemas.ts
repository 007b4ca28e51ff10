import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import { ACCOUNT_FIELDS } from '../../accounts/fields.service.ts'
import { USER_ROLES } from '../../accounts/types.ts'
import { Account, bodyOf, dataOf, enumOf, Instant, listOf, Reason, Username } from '../console/schemas.ts'

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

export const UserParameters = Type.Object({ account: Account, username: Username })
export const UserListResponse = listOf(User)
export const UserResponse = dataOf(User)

export const NewUserBody = bodyOf('New user request', {
  username: Username,
  email: Type.Optional(
    documentedAs(ACCOUNT_FIELDS.email, Type.String({ description: "Left out: the reseller's" })),
  ),
  role: enumOf(USER_ROLES),
  reason: Reason,
})

export const UserBody = bodyOf('Change user request', {
  role: Type.Optional(enumOf(USER_ROLES)),
  status: Type.Optional(enumOf(STATUSES, 'disabled: kept out; sessions and tokens stop working')),
  reason: Reason,
})
