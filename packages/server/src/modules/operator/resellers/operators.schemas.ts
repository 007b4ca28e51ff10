import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import { ACCOUNT_FIELDS } from '../../accounts/fields.service.ts'
import { OPERATOR_ROLES } from '../../accounts/types.ts'
import { bodyOf, dataOf, enumOf, Id, Instant, listOf, orNull, Reason } from '../console/schemas.ts'

const STATUSES = ['active', 'disabled'] as const

const Operator = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: enumOf(OPERATOR_ROLES),
    status: enumOf(STATUSES),
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

export const OperatorParameters = Type.Object({ id: Id })
export const OperatorListResponse = listOf(Operator)
export const OperatorResponse = dataOf(Operator)

export const NewOperatorBody = bodyOf('New operator request', {
  email: documentedAs(ACCOUNT_FIELDS.email, Type.String()),
  name: documentedAs(ACCOUNT_FIELDS.operatorName, Type.String()),
  role: enumOf(OPERATOR_ROLES),
  reason: Reason,
})

export const OperatorBody = bodyOf('Change operator request', {
  role: Type.Optional(enumOf(OPERATOR_ROLES)),
  status: Type.Optional(enumOf(STATUSES, 'disabled: kept out; sessions and tokens stop working')),
  reason: Reason,
})

export const VouchBody = bodyOf('Reason request', { reason: Reason })
