import { Type } from 'typebox'
import { input, member, optionalMember, resource } from '../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../http/schemas.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { OF_RESELLER } from './resellers.codec.ts'
import { NEW_OPERATOR_RULES, NEW_USER_RULES, OPERATOR_RULES, USER_RULES } from './rules.ts'
import type { Operator, User } from './types.ts'
import { LOGIN_STATUSES, OPERATOR_ROLES, USER_ROLES } from './types.ts'

// ── People of a reseller ──

export const USER_ROLE = enumOf(
  USER_ROLES,
  'admin: the owner, who may do everything. manager: sells, sees all sales and opens cases. cashier: sells, and sees ' +
    'their own sales. accountant: statement, deposits and files, no PINs. viewer: sees everything but PINs and secrets',
)

export const USER = resource<User>()('Reseller user', {
  username: [Type.String(), ({ username }) => username],
  email: [Type.String(), ({ email }) => email],
  role: [USER_ROLE, ({ role }) => role],
  status: [enumOf(LOGIN_STATUSES), ({ status }) => status],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
})

const ROLE = { schema: USER_ROLE, option: { value: 'ROLE', help: `one of ${USER_ROLES.join(', ')}` } }
const STATUS = {
  schema: enumOf(LOGIN_STATUSES, 'disabled: kept out; sessions and tokens stop working'),
}
const USERNAME = { value: 'NAME', help: '3 to 100 characters out of a-z 0-9 . _ @ + -' }

/** Password from standard input; never an option. */
const PASSWORD = optionalMember(NEW_USER_RULES.password)

export const NEW_USER_INPUT = input({
  account: OF_RESELLER,
  username: member(NEW_USER_RULES.username, { option: USERNAME }),
  email: optionalMember(NEW_USER_RULES.email, {
    description: "Left out: the reseller's",
    option: { value: 'ADDRESS', help: "e-mail address (default: the reseller's)" },
  }),
  role: member(NEW_USER_RULES.role, ROLE),
  password: PASSWORD,
})

/** Any text: a name that no user can have is answered as an unknown one. */
function known(rule: Rule<string>): Rule<string> {
  return { ...rule, read: (value) => (typeof value === 'string' ? value : undefined), parse: (text) => text }
}

const KNOWN_USERNAME = [
  known(NEW_USER_RULES.username),
  { identifies: 'user', option: { value: 'NAME', help: 'the name of the user' } },
] as const

const USER_KEY = { account: OF_RESELLER, username: member(...KNOWN_USERNAME) }

export const USER_INPUT = input(USER_KEY)

export const USER_PASSWORD_INPUT = input({ ...USER_KEY, password: PASSWORD })

/** The portal names a user by the id, the others by the name. */
export const USER_CHANGES_INPUT = input({
  account: OF_RESELLER,
  username: optionalMember(...KNOWN_USERNAME),
  id: optionalMember(ID, { identifies: 'member' }),
  role: optionalMember(USER_RULES.role, ROLE),
  status: optionalMember(USER_RULES.status, STATUS),
})

// ── People who run the service ──

export const OPERATOR = resource<Operator>()('Operator', {
  id: [Type.String(), ({ id }) => String(id)],
  email: [Type.String(), ({ email }) => email],
  name: [Type.String(), ({ name }) => name],
  role: [enumOf(OPERATOR_ROLES), ({ role }) => role],
  status: [enumOf(LOGIN_STATUSES), ({ status }) => status],
  demo: [Type.Boolean(), ({ demo }) => demo],
  let_in_by: [
    orNull(
      Type.String(),
      'The id of the admin who let them in or gave them their role, while nobody has vouched for them; null: they count ' +
        'as a person of their own',
    ),
    ({ empoweredBy }) => (empoweredBy === null ? null : String(empoweredBy)),
  ],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
})

const OPERATOR_ROLE = {
  schema: enumOf(OPERATOR_ROLES),
  option: { value: 'ROLE', help: `one of ${OPERATOR_ROLES.join(', ')}` },
}
const EMAIL = { value: 'ADDRESS', help: "the operator's e-mail address" }

export const NEW_OPERATOR_INPUT = input({
  email: member(NEW_OPERATOR_RULES.email, { option: EMAIL }),
  name: member(NEW_OPERATOR_RULES.name, { option: { value: 'TEXT', help: 'name, 1 to 200 characters' } }),
  role: member(NEW_OPERATOR_RULES.role, OPERATOR_ROLE),
  password: PASSWORD,
})

/** The back office names an operator by the id, a command by the address. */
const OPERATOR_KEY = {
  id: optionalMember(ID, { identifies: 'operator' }),
  email: optionalMember(known(NEW_OPERATOR_RULES.email), { identifies: 'operator', option: EMAIL }),
}

export const OPERATOR_INPUT = input(OPERATOR_KEY)

export const OPERATOR_PASSWORD_INPUT = input({ ...OPERATOR_KEY, password: PASSWORD })

export const OPERATOR_CHANGES_INPUT = input({
  ...OPERATOR_KEY,
  role: optionalMember(OPERATOR_RULES.role, OPERATOR_ROLE),
  status: optionalMember(OPERATOR_RULES.status, STATUS),
})
