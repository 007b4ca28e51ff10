import { createOperator, createReseller, createUser, getUserByName } from '../modules/accounts/service.ts'
import type { OperatorRole, Reseller, User, UserRole } from '../modules/accounts/types.ts'
import type { MemberCaller, OperatorCaller } from '../modules/sessions/people/types.ts'
import { signIn } from '../modules/sessions/session/service.ts'
import { deposit } from '../modules/wallet/balance/service.ts'
import type { GrantsBench } from './grants.ts'

// People who are signed in, and their resellers.

export const PASSWORD = 'a long enough password'
const ADDRESS = '192.0.2.1'

let people = 0

export function newName(prefix: string): string {
  people += 1
  return `${prefix}-${people}`
}

async function sessionOf(
  { sessions }: GrantsBench,
  kind: 'operator' | 'member',
  login: string,
): Promise<string> {
  const { session } = await signIn(sessions, {
    kind,
    login,
    password: PASSWORD,
    address: ADDRESS,
    userAgent: 'test',
    code: undefined,
    previousSecret: undefined,
    deviceSecret: undefined,
  })
  return `session:${session.id}`
}

/** Makes an operator at the machine, or let in by another one, and signs them in. */
export async function newOperator(
  context: GrantsBench,
  role: OperatorRole = 'admin',
  by: OperatorCaller | null = null,
): Promise<OperatorCaller> {
  const email = `${newName('operator')}@example.com`
  const input = { email, name: 'Siti', password: PASSWORD, role }
  const { id: operatorId } = await createOperator(context.accounts, input, by?.operatorId ?? null)
  const credentialId = await sessionOf(context, 'operator', email)
  return {
    kind: 'operator',
    via: 'session',
    operatorId,
    email,
    name: 'Siti',
    role,
    credentialId,
    address: ADDRESS,
  }
}

export function newReseller({ accounts }: GrantsBench): Promise<Reseller> {
  const email = `${newName('kedai')}@example.com`
  return createReseller(accounts, { name: 'Kedai', email, priceLevel: 'RETAIL' })
}

export function giveMoney({ database }: GrantsBench, { id }: Reseller, amount = 1n): Promise<unknown> {
  const posting = { resellerId: id, amount, remarks: 'Bank transfer', reference: newName('slip') }
  return database.transaction((tx) => deposit(tx, posting))
}

export function newUser(
  { accounts }: GrantsBench,
  { id }: Reseller,
  role: UserRole = 'admin',
): Promise<User> {
  const username = newName('user')
  return createUser(accounts, id, { username, email: `${username}@example.com`, password: PASSWORD, role })
}

/** Signs a user of a reseller in. */
export async function signedIn(
  context: GrantsBench,
  { id, account, name }: Reseller,
  username: string,
): Promise<MemberCaller> {
  const { id: userId, email, role } = await getUserByName(context.database, id, username)
  const credentialId = await sessionOf(context, 'member', username)
  const reseller = { id, account, name }
  return { kind: 'member', userId, username, email, role, reseller, credentialId, address: ADDRESS }
}
