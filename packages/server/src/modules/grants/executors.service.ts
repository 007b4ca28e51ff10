import type { Tx } from '../../db/database.ts'
import { assert } from '../../lib/errors.ts'
import { generatePassword } from '../../lib/secrets/passwords.ts'
import { lockOperators } from '../accounts/public.sql.ts'
import type { OperatorChanges, UserChanges } from '../accounts/service.ts'
import {
  createOperator,
  createUser,
  getReseller,
  getUserByName,
  listOperators,
  updateOperator,
  updateReseller,
  updateUser,
  within,
} from '../accounts/service.ts'
import type { Operator, OperatorRole, Reseller, User, UserRole } from '../accounts/types.ts'
import { resellerView, userView } from '../accounts/view.ts'
import type { Executor } from '../approvals/types.ts'
import type { Done } from '../audit/types.ts'
import { mailWelcome } from '../sessions/passwords/passwords.service.ts'
import { listWatchers, mailDone } from './notices.service.ts'
import type { Company, GrantContext, GrantKind } from './types.ts'

// The acts themselves. An operator who may act alone and the approval of a second person carry out the same ones.

export type NewUser = {
  readonly username: string
  readonly email: string | undefined
  readonly role: UserRole
}

/** Adds a user. Nobody knows the first password: the user gets an invitation to choose one. */
export async function makeUser(
  { accounts, sessions }: GrantContext,
  tx: Tx,
  reseller: Reseller,
  input: NewUser,
  invitedBy: string,
): Promise<Done<User>> {
  const user = await createUser(within(tx, accounts), reseller.id, {
    ...input,
    password: generatePassword(),
  })
  const key = { kind: 'member', resellerId: reseller.id, id: user.id } as const
  await mailWelcome(sessions, tx, key, { invitedBy, company: reseller })
  return { target: userTarget(reseller, user), before: null, after: user, result: user }
}

export async function changeUser(
  { accounts }: GrantContext,
  tx: Tx,
  reseller: Reseller,
  username: string,
  changes: Pick<UserChanges, 'role' | 'status'>,
): Promise<Done<User>> {
  const before = await getUserByName(tx, reseller.id, username)
  const after = await updateUser(within(tx, accounts), reseller.id, before.id, changes)
  return { target: userTarget(reseller, after), before, after, result: after }
}

export type NewOperator = Pick<Operator, 'email' | 'name' | 'role'>

/** Adds an operator. Nobody knows the first password: the operator gets an invitation to choose one. */
export async function makeOperator(
  { accounts, sessions }: GrantContext,
  tx: Tx,
  input: NewOperator,
  by: { readonly id: bigint; readonly email: string },
): Promise<Done<Operator>> {
  const made = { ...input, password: generatePassword() }
  const operator = await createOperator(within(tx, accounts), made, by.id)
  const key = { kind: 'operator', resellerId: 0n, id: operator.id } as const
  await mailWelcome(sessions, tx, key, { invitedBy: by.email, company: null })
  return { target: operatorTarget(operator), before: null, after: operator, result: operator }
}

export async function changeOperator(
  { accounts }: GrantContext,
  tx: Tx,
  before: Operator,
  changes: Pick<OperatorChanges, 'role' | 'status'>,
  by: bigint,
): Promise<Done<Operator>> {
  const after = await updateOperator(within(tx, accounts), before.id, changes, by)
  return { target: operatorTarget(after), before, after, result: after }
}

export function userTarget({ account }: { readonly account: string }, { username }: { username: string }) {
  return { kind: 'user', id: `${account}/${username}` }
}

export function operatorTarget({ email }: Pick<Operator, 'email'>) {
  return { kind: 'operator', id: email }
}

// ── Carried out by an approval ──

type Approved = Parameters<Executor>[2]
type Texts = Readonly<Record<string, string>>

/** Carries out the act and tells the people who were told that it was asked for. */
function told(
  context: GrantContext,
  kind: GrantKind,
  work: (tx: Tx, company: Reseller | null, texts: Texts, approval: Approved) => Promise<Done<unknown>>,
): Executor {
  return async (tx, _database, approval) => {
    const { command } = approval
    const texts = Object.fromEntries(
      Object.entries(command).filter((each): each is [string, string] => each[1] !== null),
    )
    const company = texts.account === undefined ? null : await getReseller(tx, texts.account)
    const recipients = await listWatchers(tx, company, context)
    const done = await work(tx, company, texts, approval)
    const by = approval.requestedBy.email
    const news = { grant: { kind, command, company }, by, approvedBy: approval.approvedBy }
    await mailDone(context, tx, approval.id, news, recipients)
    return done
  }
}

function textOf(texts: Texts, name: string): string {
  const value = texts[name]
  assert(value !== undefined, `a grant names its ${name}`)
  return value
}

function companyIn(company: Reseller | null): Reseller {
  assert(company !== null, 'this grant is about a reseller')
  return company
}

/** Role and status of a command; the service checks them again. */
function changesIn<Role>({ role, status }: Texts) {
  return {
    ...(role === undefined ? {} : { role: role as Role }),
    ...(status === undefined ? {} : { status: status as 'active' | 'disabled' }),
  }
}

export function grantExecutors(context: GrantContext): Readonly<Record<GrantKind, Executor>> {
  return {
    user_create: told(context, 'user_create', async (tx, company, texts, { requestedBy }) => {
      const input = {
        username: textOf(texts, 'username'),
        email: textOf(texts, 'email'),
        role: textOf(texts, 'role') as UserRole,
      }
      const done = await makeUser(context, tx, companyIn(company), input, requestedBy.email)
      return { ...done, result: userView(done.result) }
    }),
    user_change: told(context, 'user_change', async (tx, company, texts) => {
      const username = textOf(texts, 'username')
      const done = await changeUser(context, tx, companyIn(company), username, changesIn<UserRole>(texts))
      return { ...done, result: userView(done.result) }
    }),
    reseller_email: told(context, 'reseller_email', async (tx, company, texts) => {
      const before = companyIn(company)
      const email = textOf(texts, 'email')
      const after = await updateReseller(within(tx, context.accounts), before.id, { email })
      return { target: resellerTarget(after), before, after, result: resellerView(after) }
    }),
    operator_create: told(context, 'operator_create', async (tx, _company, texts, { requestedBy }) => {
      await lockOperators(tx)
      const input = {
        email: textOf(texts, 'email'),
        name: textOf(texts, 'name'),
        role: textOf(texts, 'role') as OperatorRole,
      }
      const done = await makeOperator(context, tx, input, requestedBy)
      return { ...done, result: outcomeOf(done.result) }
    }),
    operator_change: told(context, 'operator_change', async (tx, _company, texts, { requestedBy }) => {
      await lockOperators(tx)
      const id = BigInt(textOf(texts, 'operator'))
      const before = (await listOperators(tx)).find((each) => each.id === id)
      assert(before !== undefined, 'operators are kept')
      const done = await changeOperator(context, tx, before, changesIn<OperatorRole>(texts), requestedBy.id)
      return { ...done, result: outcomeOf(done.result) }
    }),
  }
}

function outcomeOf({ id, email, name, role, status }: Operator) {
  return { id: String(id), email, name, role, status }
}

export function resellerTarget({ account }: Pick<Company, 'account'>) {
  return { kind: 'reseller', id: account }
}
