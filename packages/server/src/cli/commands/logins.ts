import type { OperatorChanges, UserChanges } from '../../modules/accounts/service.ts'
import {
  createOperator,
  createUser,
  getOperatorByEmail,
  getUserByName,
  listOperators,
  listUsers,
  updateOperator,
  updateUser,
} from '../../modules/accounts/service.ts'
import type { LoginStatus, Operator, OperatorRole, User, UserRole } from '../../modules/accounts/types.ts'
import { OPERATOR_ROLES, USER_ROLES } from '../../modules/accounts/types.ts'
import type { Call, Command, Option, Output } from '../command.ts'
import { RESELLER_OPTION } from '../command.ts'
import { choosePassword, openAccounts, openReseller, PASSWORD_OPTION } from '../means.ts'
import { formatFields, formatTable } from '../text.ts'
import { operatorView, userView } from '../views.ts'

const USERNAME: Option = {
  value: 'NAME',
  help: '3 to 100 characters out of a-z 0-9 . _ @ + -',
  required: true,
}
const USER_ROLE: Option = { value: 'ROLE', help: USER_ROLES.join(' or '), required: true }
const EMAIL: Option = { value: 'ADDRESS', help: "the operator's e-mail address", required: true }
const OPERATOR_ROLE: Option = { value: 'ROLE', help: `one of ${OPERATOR_ROLES.join(', ')}`, required: true }

// ── People of a reseller ──

const ONE_USER = { reseller: RESELLER_OPTION, username: USERNAME }

export const userCommands: readonly Command[] = [
  {
    name: 'user create',
    summary: 'let a person of a reseller in',
    options: {
      ...ONE_USER,
      role: USER_ROLE,
      email: { value: 'ADDRESS', help: "e-mail address (default: the reseller's)" },
      'password-stdin': PASSWORD_OPTION,
    },
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      const { password, shown } = await choosePassword(call)
      const user = await createUser(accounts, reseller.id, {
        username: call.text('username'),
        password,
        // The service says which roles there are.
        role: call.text('role') as UserRole,
        email: call.find('email'),
      })
      return showUser(user, shown)
    },
  },
  {
    name: 'user list',
    summary: "list a reseller's users",
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      const users = (await listUsers(accounts.database, reseller.id)).map(userView)
      return { json: { users }, text: formatTable(users, 'This reseller has no users.') }
    },
  },
  {
    name: 'user password',
    summary: 'give a user a new password',
    options: { ...ONE_USER, 'password-stdin': PASSWORD_OPTION },
    async run(call) {
      const { password, shown } = await choosePassword(call)
      return showUser(await changeUser(call, { password }), shown)
    },
  },
  {
    name: 'user role',
    summary: 'change what a user may do',
    options: { ...ONE_USER, role: USER_ROLE },
    run: async (call) => showUser(await changeUser(call, { role: call.text('role') as UserRole })),
  },
  userStatusCommand('user enable', 'let a disabled user in again', 'active'),
  userStatusCommand('user disable', 'keep a user out; its tokens stop working', 'disabled'),
]

function userStatusCommand(name: string, summary: string, status: LoginStatus): Command {
  return {
    name,
    summary,
    options: ONE_USER,
    run: async (call) => showUser(await changeUser(call, { status })),
  }
}

async function changeUser(call: Call, changes: UserChanges): Promise<User> {
  const { accounts, reseller } = await openReseller(call)
  const user = await getUserByName(accounts.database, reseller.id, call.text('username'))
  return updateUser(accounts, reseller.id, user.id, changes)
}

function showUser(user: User, shown: object = {}): Output {
  const view = { ...userView(user), ...shown }
  return { json: view, text: formatFields(view) }
}

// ── People who run the service ──

export const operatorCommands: readonly Command[] = [
  {
    name: 'operator create',
    summary: 'let a person who runs the service in',
    options: {
      email: EMAIL,
      name: { value: 'TEXT', help: 'name, 1 to 200 characters', required: true },
      role: OPERATOR_ROLE,
      'password-stdin': PASSWORD_OPTION,
    },
    async run(call) {
      const accounts = await openAccounts(call)
      const { password, shown } = await choosePassword(call)
      const operator = await createOperator(accounts, {
        email: call.text('email'),
        name: call.text('name'),
        password,
        role: call.text('role') as OperatorRole,
      })
      return showOperator(operator, shown)
    },
  },
  {
    name: 'operator list',
    summary: 'list the operators',
    options: {},
    async run(call) {
      const { database } = await openAccounts(call)
      const operators = (await listOperators(database)).map(operatorView)
      return { json: { operators }, text: formatTable(operators, 'There are no operators.') }
    },
  },
  {
    name: 'operator password',
    summary: 'give an operator a new password',
    options: { email: EMAIL, 'password-stdin': PASSWORD_OPTION },
    async run(call) {
      const { password, shown } = await choosePassword(call)
      return showOperator(await changeOperator(call, { password }), shown)
    },
  },
  {
    name: 'operator role',
    summary: 'change what an operator may do',
    options: { email: EMAIL, role: OPERATOR_ROLE },
    run: async (call) =>
      showOperator(await changeOperator(call, { role: call.text('role') as OperatorRole })),
  },
  operatorStatusCommand('operator enable', 'let a disabled operator in again', 'active'),
  operatorStatusCommand('operator disable', 'keep an operator out', 'disabled'),
]

function operatorStatusCommand(name: string, summary: string, status: LoginStatus): Command {
  return {
    name,
    summary,
    options: { email: EMAIL },
    run: async (call) => showOperator(await changeOperator(call, { status })),
  }
}

async function changeOperator(call: Call, changes: OperatorChanges): Promise<Operator> {
  const accounts = await openAccounts(call)
  const operator = await getOperatorByEmail(accounts.database, call.text('email'))
  return updateOperator(accounts, operator.id, changes)
}

function showOperator(operator: Operator, shown: object = {}): Output {
  const view = { ...operatorView(operator), ...shown }
  return { json: view, text: formatFields(view) }
}
