import { listOperators, listUsers } from '../../../modules/accounts/service.ts'
import type { LoginStatus, Operator, User } from '../../../modules/accounts/types.ts'
import { OPERATOR_ROLES, USER_ROLES } from '../../../modules/accounts/types.ts'
import { OPERATOR, USER } from '../../../modules/accounts/users.codec.ts'
import {
  addOperator,
  editOperator,
  removeOperatorFactor,
  setOperatorPassword,
} from '../../../modules/grants/operators.acts.ts'
import { addUser, editUser, removeUserFactor, setUserPassword } from '../../../modules/grants/users.acts.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { accessWorld, openAccounts, openReseller } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

// Passwords never come as an argument: arguments are visible in the shell's history and in the process list.
const PASSWORD: Readonly<Record<string, Option>> = {
  'password-stdin': {
    help: 'read the password from standard input; without it one is generated and shown once',
  },
}

const SECOND_FACTOR_DETAILS =
  'Be certain who asks: from now on the password alone signs in. The person can set up another one at once.'

async function passwordFrom(call: Call) {
  return call.has('password-stdin') ? { password: (await call.readInput()).replace(/\r?\n$/, '') } : {}
}

function withPassword(view: Readonly<Record<string, unknown>>, password: string | undefined): Output {
  if (password === undefined) return { json: view, text: formatFields(view) }
  const shown = { ...view, password }
  return {
    json: shown,
    text: `${formatFields(shown)}\n\nThe password is shown this once; keep it now.`,
  }
}

// ── People of a reseller ──

const ONE_USER: Readonly<Record<string, Option>> = {
  username: { value: 'NAME', help: 'the name of the user', required: true, names: 'user' },
}
const USER_ROLE: Option = { value: 'ROLE', help: `one of ${USER_ROLES.join(', ')}`, required: true }

export const userCommands: readonly Command[] = [
  actCommand({
    name: 'user create',
    summary: 'create a login for a person of a reseller',
    act: addUser,
    without: ['password'],
    options: PASSWORD,
    input: passwordFrom,
    world: accessWorld,
    show: ({ user, shown }) => showUser(user, shown),
  }),
  {
    name: 'user list',
    summary: "list a reseller's users",
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      const users = (await listUsers(accounts.database, reseller.id)).map((user) => USER.encode(user))
      return { json: { users }, text: formatTable(users, 'This reseller has no users.') }
    },
  },
  actCommand({
    name: 'user password',
    summary: 'give a user a new password',
    act: setUserPassword,
    without: ['password'],
    options: PASSWORD,
    input: passwordFrom,
    world: accessWorld,
    show: ({ user, shown }) => showUser(user, shown),
  }),
  actCommand({
    name: 'user role',
    summary: 'change the role of a user',
    act: editUser,
    without: ['id', 'status'],
    options: { ...ONE_USER, role: USER_ROLE },
    world: accessWorld,
    show: (user) => showUser(user),
  }),
  userStatusCommand('user enable', 'let a disabled user in again', 'active'),
  userStatusCommand('user disable', 'keep a user out; its tokens stop working', 'disabled'),
  actCommand({
    name: 'user two-factor remove',
    summary: 'remove the second factor and passkeys of a user who lost them; the sessions of the user end',
    details: SECOND_FACTOR_DETAILS,
    act: removeUserFactor,
    world: accessWorld,
    show: (user) => showUser(user),
  }),
]

function userStatusCommand(name: string, summary: string, status: LoginStatus): Command {
  return actCommand({
    name,
    summary,
    act: editUser,
    without: ['id', 'role', 'status'],
    options: ONE_USER,
    input: () => ({ status }),
    world: accessWorld,
    show: (user) => showUser(user),
  })
}

function showUser(user: User, shown?: string): Output {
  return withPassword(USER.encode(user), shown)
}

// ── People who run the service ──

const ONE_OPERATOR: Readonly<Record<string, Option>> = {
  email: { value: 'ADDRESS', help: "the operator's e-mail address", required: true, names: 'operator' },
}
const OPERATOR_ROLE: Option = { value: 'ROLE', help: `one of ${OPERATOR_ROLES.join(', ')}`, required: true }

export const operatorCommands: readonly Command[] = [
  actCommand({
    name: 'operator create',
    summary: 'create a login for a person who runs the service',
    act: addOperator,
    without: ['password'],
    options: PASSWORD,
    input: passwordFrom,
    world: accessWorld,
    show: ({ operator, shown }) => showOperator(operator, shown),
  }),
  {
    name: 'operator list',
    summary: 'list the operators',
    options: {},
    async run(call) {
      const { database } = await openAccounts(call)
      const operators = (await listOperators(database)).map((each) => OPERATOR.encode(each))
      const columns = operators.map(({ email, name, role, status, created_at }) => ({
        email,
        name,
        role,
        status,
        created_at,
      }))
      return { json: { operators }, text: formatTable(columns, 'There are no operators.') }
    },
  },
  actCommand({
    name: 'operator password',
    summary: 'give an operator a new password; the sessions and tokens of the operator end',
    act: setOperatorPassword,
    without: ['id', 'password'],
    options: { ...ONE_OPERATOR, ...PASSWORD },
    input: passwordFrom,
    world: accessWorld,
    show: ({ operator, shown }) => showOperator(operator, shown),
  }),
  actCommand({
    name: 'operator role',
    summary: 'change the role of an operator',
    act: editOperator,
    without: ['id', 'status'],
    options: { ...ONE_OPERATOR, role: OPERATOR_ROLE },
    world: accessWorld,
    show: (operator) => showOperator(operator),
  }),
  operatorStatusCommand('operator enable', 'let a disabled operator in again', 'active'),
  operatorStatusCommand('operator disable', 'keep an operator out', 'disabled'),
  actCommand({
    name: 'operator two-factor remove',
    summary:
      'remove the second factor and passkeys of an operator who lost them; the sessions of the operator end',
    details: SECOND_FACTOR_DETAILS,
    act: removeOperatorFactor,
    without: ['id'],
    options: ONE_OPERATOR,
    world: accessWorld,
    show: (operator) => showOperator(operator),
  }),
]

function operatorStatusCommand(name: string, summary: string, status: LoginStatus): Command {
  return actCommand({
    name,
    summary,
    act: editOperator,
    without: ['id', 'role', 'status'],
    options: ONE_OPERATOR,
    input: () => ({ status }),
    world: accessWorld,
    show: (operator) => showOperator(operator),
  })
}

function showOperator(operator: Operator, shown?: string): Output {
  return withPassword(OPERATOR.encode(operator), shown)
}
