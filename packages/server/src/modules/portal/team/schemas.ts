import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ID } from '../../../lib/input/ids.ts'
import { EXACT, required } from '../../../lib/input/parameters.ts'
import { MONEY } from '../../../lib/money.ts'
import type { User } from '../../accounts/types.ts'
import { LOGIN_STATUSES, USER_ROLES } from '../../accounts/types.ts'
import { MAIL_KINDS } from '../../alerts/mail/mail.types.ts'
import type { Standing } from '../../sessions/people/standings.service.ts'
import { Instant, listOf, Money } from '../access/schemas.ts'

export const MEMBER = resource<User, { readonly self: bigint; readonly standing: Standing }>()('Member', {
  id: [Type.String(), ({ id }) => String(id)],
  username: [Type.String(), ({ username }) => username],
  email: [Type.String(), ({ email }) => email],
  role: [enumOf(USER_ROLES), ({ role }) => role],
  status: [enumOf(LOGIN_STATUSES), ({ status }) => status],
  is_self: [Type.Boolean(), ({ id }, { self }) => id === self],
  two_factor: [Type.Boolean(), (_, { standing }) => standing.secondFactorAt !== null],
  last_seen_at: [
    orNull(Instant, 'ISO 8601, UTC; null: not signed in now'),
    (_, { standing }) => standing.lastSeenAt?.toISOString() ?? null,
  ],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
})

export const MEMBER_SCHEMAS = {
  id: documentedAs(ID, Type.String({ description: 'The id of a member' })),
  status: Type.Optional(enumOf(LOGIN_STATUSES)),
}

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
  kind: enumOf(MAIL_KINDS),
  on: Type.Boolean(),
})
