import type { Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { lockOperators } from '../../../modules/accounts/public.sql.ts'
import type { Accounts, OperatorChanges, UserChanges } from '../../../modules/accounts/service.ts'
import {
  applyOperatorChanges,
  applyUserChanges,
  changeReseller,
  createOperator,
  createUser,
  getOperatorByEmail,
  getUserByName,
  listOperators,
  listUsers,
  readOperatorChanges,
  readUserChanges,
} from '../../../modules/accounts/service.ts'
import type {
  LoginStatus,
  Operator,
  OperatorRole,
  Reseller,
  User,
  UserRole,
} from '../../../modules/accounts/types.ts'
import { OPERATOR_ROLES, USER_ROLES } from '../../../modules/accounts/types.ts'
import { userView } from '../../../modules/accounts/view.ts'
import type { Target } from '../../../modules/audit/types.ts'
import { isOperatorGrant, isUserGrant } from '../../../modules/grants/rules.ts'
import type { PersonKey } from '../../../modules/sessions/people/people.types.ts'
import { removeSecondFactor } from '../../../modules/sessions/second-factor/removal.service.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { choosePassword, openAccounts, openReseller, PASSWORD_OPTION } from '../../options.ts'
import { toldAccounts } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'
import { operatorView } from '../../views.ts'

const USERNAME: Option = {
  value: 'NAME',
  help: '3 to 100 characters out of a-z 0-9 . _ @ + -',
  required: true,
}
const USER_ROLE: Option = { value: 'ROLE', help: USER_ROLES.join(' or '), required: true }
const EMAIL: Option = { value: 'ADDRESS', help: "the operator's e-mail address", required: true }
const OPERATOR: Option = { ...EMAIL, names: 'operator' }
const OPERATOR_ROLE: Option = { value: 'ROLE', help: `one of ${OPERATOR_ROLES.join(', ')}`, required: true }

const SECOND_FACTOR_DETAILS =
  'Be certain who asks: from now on the password alone signs in. The person can set up another one at once.'

// ── People of a reseller ──

const NEW_USER = { reseller: RESELLER_OPTION, username: USERNAME }
const ONE_USER = { ...NEW_USER, username: { ...USERNAME, names: 'user' } } as const

export const userCommands: readonly Command[] = [
  {
    name: 'user create',
    summary: 'create a login for a person of a reseller',
    options: {
      ...NEW_USER,
      role: USER_ROLE,
      email: { value: 'ADDRESS', help: "e-mail address (default: the reseller's)" },
      'password-stdin': PASSWORD_OPTION,
    },
    async run(call) {
      const { reseller } = await openReseller(call)
      const { password, shown } = await choosePassword(call)
      const make = async (accounts: Accounts) => {
        const made = await createUser(accounts, reseller.id, {
          username: call.text('username'),
          password,
          // The service checks the role.
          role: call.text('role') as UserRole,
          email: call.find('email'),
        })
        return { target: userTarget(reseller, made), before: null, after: made, result: made }
      }
      const act = { action: 'user.create', company: reseller }
      const user = await toldAccounts(call, act, make, ({ result: { username, email, role } }) => ({
        kind: 'user_create',
        command: { username, email, role },
      }))
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
    summary: 'change the role of a user',
    options: { ...ONE_USER, role: USER_ROLE },
    run: async (call) => showUser(await changeUser(call, { role: call.text('role') as UserRole })),
  },
  userStatusCommand('user enable', 'let a disabled user in again', 'active'),
  userStatusCommand('user disable', 'keep a user out; its tokens stop working', 'disabled'),
  {
    name: 'user two-factor remove',
    summary: 'remove the second factor and passkeys of a user who lost them; the sessions of the user end',
    details: SECOND_FACTOR_DETAILS,
    options: ONE_USER,
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      const user = await getUserByName(accounts.database, reseller.id, call.text('username'))
      const key = { kind: 'member', resellerId: reseller.id, id: user.id } as const
      const named = { company: reseller, name: user.username }
      await takeSecondFactor(call, key, userTarget(reseller, user), named)
      return showUser(user)
    },
  },
]

function userTarget({ account }: Reseller, { username }: User): Target {
  return { kind: 'user', id: `${account}/${username}` }
}

function userStatusCommand(name: string, summary: string, status: LoginStatus): Command {
  return {
    name,
    summary,
    options: ONE_USER,
    run: async (call) => showUser(await changeUser(call, { status })),
  }
}

async function changeUser(call: Call, changes: UserChanges): Promise<User> {
  const { reseller } = await openReseller(call)
  // Hashing takes a while, so it is done before the lock is taken.
  const ready = await readUserChanges(changes)
  const work = (accounts: Accounts, tx: Tx) =>
    // The lock is taken here, so that the recorded state before is exactly the state that the change was made to.
    changeReseller(accounts, reseller.id, async () => {
      const before = await getUserByName(tx, reseller.id, call.text('username'))
      const after = await applyUserChanges(accounts, reseller.id, before.id, ready)
      return { target: userTarget(reseller, after), before, after, result: after }
    })
  const act = { action: actionOf('user', changes), company: reseller }
  return toldAccounts(call, act, work, ({ before, result: { username, email } }) => {
    const { role = null, status = null } = changes
    if (changes.password !== undefined) return { kind: 'password', command: { name: username } }
    if (!isUserGrant(before as User, changes)) return null
    return { kind: 'user_change', command: { username, email, role, status } }
  })
}

function actionOf(kind: 'user' | 'operator', { password }: { password?: string | undefined }): string {
  return `${kind}.${password === undefined ? 'update' : 'password'}`
}

function showUser(user: User, shown: Shown = {}): Output {
  return withPassword(userView(user), shown)
}

// ── People who run the service ──

export const operatorCommands: readonly Command[] = [
  {
    name: 'operator create',
    summary: 'create a login for a person who runs the service',
    options: {
      email: EMAIL,
      name: { value: 'TEXT', help: 'name, 1 to 200 characters', required: true },
      role: OPERATOR_ROLE,
      'password-stdin': PASSWORD_OPTION,
    },
    async run(call) {
      const { password, shown } = await choosePassword(call)
      const make = async (accounts: Accounts) => {
        const made = await createOperator(accounts, {
          email: call.text('email'),
          name: call.text('name'),
          password,
          role: call.text('role') as OperatorRole,
        })
        return { target: operatorTarget(made), before: null, after: made, result: made }
      }
      const act = { action: 'operator.create', company: null }
      const operator = await toldAccounts(call, act, make, ({ result: { email, name, role } }) => ({
        kind: 'operator_create',
        command: { email, name, role },
      }))
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
    summary: 'give an operator a new password; the sessions and tokens of the operator end',
    options: { email: OPERATOR, 'password-stdin': PASSWORD_OPTION },
    async run(call) {
      const { password, shown } = await choosePassword(call)
      return showOperator(await changeOperator(call, { password }), shown)
    },
  },
  {
    name: 'operator role',
    summary: 'change the role of an operator',
    options: { email: OPERATOR, role: OPERATOR_ROLE },
    run: async (call) =>
      showOperator(await changeOperator(call, { role: call.text('role') as OperatorRole })),
  },
  operatorStatusCommand('operator enable', 'let a disabled operator in again', 'active'),
  operatorStatusCommand('operator disable', 'keep an operator out', 'disabled'),
  {
    name: 'operator two-factor remove',
    summary:
      'remove the second factor and passkeys of an operator who lost them; the sessions of the operator end',
    details: SECOND_FACTOR_DETAILS,
    options: { email: OPERATOR },
    async run(call) {
      const { database } = await openAccounts(call)
      const operator = await getOperatorByEmail(database, call.text('email'))
      const key = { kind: 'operator', resellerId: 0n, id: operator.id } as const
      await takeSecondFactor(call, key, operatorTarget(operator), { company: null, name: operator.email })
      return showOperator(operator)
    },
  },
]

function operatorTarget({ email }: Operator): Target {
  return { kind: 'operator', id: email }
}

function operatorStatusCommand(name: string, summary: string, status: LoginStatus): Command {
  return {
    name,
    summary,
    options: { email: OPERATOR },
    run: async (call) => showOperator(await changeOperator(call, { status })),
  }
}

async function changeOperator(call: Call, changes: OperatorChanges): Promise<Operator> {
  const ready = await readOperatorChanges(changes)
  const work = async (accounts: Accounts, tx: Tx) => {
    // The back office takes the same lock, so that a change by an admin does not overwrite this one.
    await lockOperators(tx)
    const before = await getOperatorByEmail(tx, call.text('email'))
    const after = await applyOperatorChanges(accounts, before.id, ready)
    return { target: operatorTarget(after), before, after, result: after }
  }
  const act = { action: actionOf('operator', changes), company: null }
  return toldAccounts(call, act, work, ({ before, result: { email, name } }) => {
    const { role = null, status = null } = changes
    if (changes.password !== undefined) return { kind: 'password', command: { name: email } }
    // Enabling an operator who is active, or giving the present role again, vouches for them.
    if (changes.status === 'disabled') return null
    const isGrant = role === null || isOperatorGrant(before as Operator, changes)
    return isGrant ? { kind: 'operator_change', command: { email, name, role, status } } : null
  })
}

function showOperator(operator: Operator, shown: Shown = {}): Output {
  return withPassword(operatorView(operator), shown)
}

// ── Second factors ──

async function takeSecondFactor(
  call: Call,
  key: PersonKey,
  target: Target,
  { company, name }: { readonly company: Reseller | null; readonly name: string },
): Promise<void> {
  const remove = async (_: Accounts, tx: Tx) => {
    if (!(await removeSecondFactor(tx, key))) {
      throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no second factor.' })
    }
    return { target, before: { two_factor: true }, after: { two_factor: false }, result: undefined }
  }
  const act = { action: 'two_factor.remove', company }
  await toldAccounts(call, act, remove, () => ({ kind: 'two_factor', command: { name } }))
}

// ── Passwords ──

type Shown = { readonly password?: string }

function withPassword(person: object, shown: Shown): Output {
  const view = { ...person, ...shown }
  const hint = shown.password === undefined ? '' : '\n\nThe password is shown this once; keep it now.'
  return { json: view, text: formatFields(view) + hint }
}
