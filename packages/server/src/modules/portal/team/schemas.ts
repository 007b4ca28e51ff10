import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { ID } from '../../../lib/input/ids.ts'
import { EXACT, required } from '../../../lib/input/parameters.ts'
import { MONEY } from '../../../lib/money.ts'
import { USER_ROLES } from '../../accounts/types.ts'
import { MAIL_KINDS } from '../../alerts/mail/mail.types.ts'
import { dataOf, enumSchema, Instant, listOf, Money, orNull } from '../access/schemas.ts'

const Member = Type.Object(
  {
    id: Type.String(),
    username: Type.String(),
    email: Type.String(),
    role: enumSchema(USER_ROLES),
    status: enumSchema(['active', 'disabled']),
    is_self: Type.Boolean(),
    two_factor: Type.Boolean(),
    last_seen_at: orNull(Instant, 'ISO 8601, UTC; null: not signed in now'),
    created_at: Instant,
  },
  { title: 'Member' },
)

export const MembersResponse = listOf(Member)
export const MemberResponse = dataOf(Member)
export const MemberParams = Type.Object({
  id: documentedAs(ID, Type.String({ description: 'The id of a member' })),
})
export const MemberBody = Type.Object({
  role: Type.Optional(enumSchema(USER_ROLES)),
  status: Type.Optional(enumSchema(['active', 'disabled'])),
})

export const ThresholdsResponse = listOf(Type.Object({ amount: Money, updated_at: Instant }))
export const ThresholdBody = Type.Object({
  amount: documentedAs(MONEY, Type.String({ description: 'At least 1, in MYR' })),
})
export const ThresholdParameters = Type.Object({
  amount: parameter(required('amount', EXACT), 'The threshold to be taken away'),
})

const switches = Object.fromEntries(MAIL_KINDS.map((kind) => [kind, Type.Boolean()]))

export const AddresseesResponse = listOf(
  Type.Object(
    {
      member_id: orNull(Type.String(), "null: the account's registered address"),
      name: Type.String(),
      address: Type.String(),
      role: Type.String(),
      mails: Type.Object(switches),
    },
    { title: 'Addressee' },
  ),
)

export const MailSwitchBody = Type.Object({
  member_id: orNull(documentedAs(ID, Type.String({ description: "null: the account's registered address" }))),
  kind: enumSchema(MAIL_KINDS),
  on: Type.Boolean(),
})
