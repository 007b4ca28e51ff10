import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf } from '../../../http/schemas.ts'
import { ID } from '../../../lib/input/ids.ts'
import { FLAG, optional } from '../../../lib/input/parameters.ts'
import { ADDRESS_LENGTH_MAX } from '../../../lib/mail-addresses.ts'
import { ACCOUNT_FIELDS } from '../../accounts/fields.service.ts'
import { MEMBER_PERMISSIONS } from '../../accounts/members.rules.ts'
import { OPERATOR_ROLES, USER_ROLES } from '../../accounts/types.ts'
import { USER_ROLE } from '../../accounts/users.codec.ts'
import { LOGIN_LENGTH_MAX } from '../people/rules.ts'
import { TOKEN_RULES } from '../tokens/tokens.service.ts'

const time = (description?: string) => Type.String({ description: description ?? 'ISO 8601, UTC' })
const nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()])

/** Limit of a field, longer than any name, password or code can be. */
const LENGTH_MAX = 1_000
const secret = (description: string) => Type.String({ maxLength: LENGTH_MAX, description })

// ── Signing in ──

const code = Type.Optional(
  secret('Code of the second factor, or a recovery code; needed after the answer `code_required`'),
)

export const OperatorSignInBody = Type.Object(
  {
    email: Type.String({ maxLength: ADDRESS_LENGTH_MAX }),
    password: secret('The password'),
    code,
  },
  { title: 'Operator sign-in request' },
)

export const MemberSignInBody = Type.Object(
  {
    username: Type.String({ maxLength: LOGIN_LENGTH_MAX }),
    password: secret('The password'),
    code,
  },
  { title: 'Member sign-in request' },
)

const csrfToken = Type.Union([Type.String(), Type.Null()], {
  description: 'Goes into X-CSRF-Token on every method but GET; null for a token, which needs none',
})

export const OperatorSessionResponse = Type.Object(
  {
    data: Type.Object({
      kind: Type.Literal('operator'),
      id: Type.String(),
      email: Type.String(),
      name: Type.String(),
      role: enumOf(OPERATOR_ROLES),
      two_factor: Type.Boolean({ description: 'Whether signing in takes a code' }),
    }),
    csrf_token: csrfToken,
  },
  { title: 'Operator session' },
)

/** A shared till, as the people at it see it. */
export const TILL = {
  name: Type.String({ description: 'Name of the till' }),
  idle_seconds: Type.Integer({ description: 'Seconds without a key or a touch after which it locks itself' }),
}

export const MemberSessionResponse = Type.Object(
  {
    data: Type.Object({
      kind: Type.Literal('member'),
      id: Type.String(),
      username: Type.String(),
      email: Type.String(),
      role: USER_ROLE,
      permissions: Type.Array(enumOf(MEMBER_PERMISSIONS), { description: 'Permissions of the role' }),
      two_factor: Type.Boolean({ description: 'Whether signing in takes a code' }),
      reseller: Type.Object({ account: Type.String(), name: Type.String() }),
      is_by_pin: Type.Boolean({ description: 'Whether a PIN opened it: the role is then a cashier’s' }),
      shared_till: Type.Union([Type.Object(TILL), Type.Null()], {
        description: 'Shared till that this browser is; null: none',
      }),
    }),
    csrf_token: csrfToken,
  },
  { title: 'Member session' },
)

export const SessionsResponse = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        is_current: Type.Boolean(),
        address: Type.String(),
        user_agent: Type.String(),
        device: Type.Object(
          { browser: nullable(Type.String()), os: nullable(Type.String()) },
          { description: 'As the browser names itself; null: not known' },
        ),
        signed_in_with: enumOf(['password', 'passkey', 'pin']),
        created_at: time(),
        last_seen_at: time('To the minute'),
        expires_at: time('However busy it is'),
      }),
    ),
  },
  { title: 'Sessions' },
)

export const EndedResponse = Type.Object(
  { data: Type.Object({ ended: Type.Integer({ description: 'How many' }) }) },
  { title: 'Ended sessions' },
)

export const IdParams = Type.Object({
  id: documentedAs(ID, Type.String()),
})

export const Nothing = Type.Null({ description: 'Done' })

export const SessionParameters = Type.Object({
  quiet: parameter(optional(FLAG, false), 'true: 204 instead of 401 when nobody is signed in'),
})

// ── Passwords ──

export const PasswordBody = Type.Object(
  { current_password: secret('The one until now'), password: secret('The new one, 10 to 200 characters') },
  { title: 'Change password request' },
)

export const OperatorResetBody = Type.Object(
  { email: Type.String({ maxLength: ADDRESS_LENGTH_MAX }) },
  { title: 'Operator password reset request' },
)

export const MemberResetBody = Type.Object(
  { username: Type.String({ maxLength: LOGIN_LENGTH_MAX }) },
  { title: 'Member password reset request' },
)

export const AcceptedResponse = Type.Object(
  { message: Type.String() },
  { title: 'Accepted', description: 'The same whether or not there is such a person' },
)

export const ResetConfirmBody = Type.Object(
  { token: secret('As it was mailed'), password: secret('The new one, 10 to 200 characters') },
  { title: 'Confirm password reset request' },
)

// ── Second factor ──

export const FactorResponse = Type.Object(
  {
    data: Type.Object({
      enabled: Type.Boolean(),
      confirmed_at: nullable(time()),
      recovery_codes_left: Type.Integer(),
    }),
  },
  { title: 'Second factor' },
)

export const EnrolResponse = Type.Object(
  {
    data: Type.Object({
      secret: Type.String({ description: 'Base32, to be typed into an app' }),
      otpauth_uri: Type.String({ description: 'The same for a picture' }),
    }),
  },
  { title: 'Second factor secret', description: 'Shown this once' },
)

export const CodeBody = Type.Object(
  { code: secret('Code of the app') },
  { title: 'Second factor code request' },
)

export const OwnCodeBody = Type.Object(
  { code: secret('Code of the app, or a recovery code') },
  { title: 'Own code request' },
)

export const RecoveryCodesResponse = Type.Object(
  { data: Type.Object({ recovery_codes: Type.Array(Type.String()) }) },
  { title: 'Recovery codes', description: 'Shown this once; each works once' },
)

// ── Invitations ──

const invitation = {
  id: Type.String(),
  email: Type.String(),
  role: USER_ROLE,
  state: enumOf(['open', 'accepted', 'revoked', 'expired']),
  created_at: time(),
  expires_at: time(),
}

export const InvitationBody = Type.Object(
  {
    email: Type.String({ maxLength: ADDRESS_LENGTH_MAX }),
    role: documentedAs({ schema: { type: 'string', enum: USER_ROLES } }, Type.String()),
  },
  { title: 'Invitation request' },
)
export const InvitationResponse = Type.Object({ data: Type.Object(invitation) }, { title: 'Invitation' })
export const InvitationsResponse = Type.Object(
  { data: Type.Array(Type.Object(invitation)) },
  { title: 'Invitations' },
)

export const AcceptanceBody = Type.Object(
  {
    token: secret('As it was mailed'),
    username: documentedAs(ACCOUNT_FIELDS.username, Type.String()),
    password: secret('10 to 200 characters'),
  },
  { title: 'Accept invitation request' },
)

export const AcceptanceResponse = Type.Object(
  {
    data: Type.Object({
      username: Type.String(),
      role: USER_ROLE,
      reseller: Type.Object({ account: Type.String(), name: Type.String() }),
    }),
  },
  { title: 'New member' },
)

// ── Operator tokens ──

const token = {
  id: Type.String(),
  label: Type.String(),
  role: enumOf(OPERATOR_ROLES),
  created_at: time(),
  expires_at: time(),
  last_used_at: nullable(time('To the minute')),
  revoked_at: nullable(time()),
}

export const TokenBody = Type.Object(
  {
    label: documentedAs(TOKEN_RULES.label, Type.String()),
    role: documentedAs(TOKEN_RULES.role, Type.String({ description: 'At most one’s own' })),
    expires_in_days: documentedAs(TOKEN_RULES.expiresInDays, Type.Integer()),
    code: Type.Optional(secret('Code of the second factor, or a recovery code; needed if you have one')),
  },
  { title: 'Operator token request' },
)

export const NewTokenResponse = Type.Object(
  {
    data: Type.Object({
      ...token,
      token: Type.String({ description: 'Shown this once', examples: ['wop_…'] }),
    }),
  },
  { title: 'New operator token' },
)

export const TokensResponse = Type.Object(
  { data: Type.Array(Type.Object(token)) },
  { title: 'Operator tokens' },
)
