import { Type } from 'typebox'
import { OPERATOR_ROLES } from '../../accounts/types.ts'
import { bodyOf, dataOf, Instant, listOf, orNull, Reason, wordOf } from '../console/schemas.ts'

const STATUSES = ['active', 'disabled'] as const

const Operator = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: wordOf(OPERATOR_ROLES),
    status: wordOf(STATUSES),
    demo: Type.Boolean(),
    let_in_by: orNull(
      Type.String(),
      'The id of the admin who let them in or gave them their role, while nobody has vouched for them; null: they count ' +
        'as a person of their own',
    ),
    created_at: Instant,
  },
  { title: 'Operator' },
)

export const OperatorParameters = Type.Object({ id: Type.String() })
export const OperatorListResponse = listOf(Operator)
export const OperatorResponse = dataOf(Operator)

export const NewOperatorBody = bodyOf('New operator request', {
  email: Type.String(),
  name: Type.String(),
  role: wordOf(OPERATOR_ROLES),
  reason: Reason,
})

export const OperatorBody = bodyOf('Change operator request', {
  role: Type.Optional(wordOf(OPERATOR_ROLES)),
  status: Type.Optional(wordOf(STATUSES, 'disabled: kept out; sessions and tokens stop working')),
  reason: Reason,
})

export const VouchBody = bodyOf('Reason request', { reason: Reason })
