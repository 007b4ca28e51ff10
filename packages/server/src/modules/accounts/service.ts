import type { Environment } from '../../config.ts'
import type { Database, Queryable, Tx } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { RequestError } from '../../lib/errors.ts'
import { ACCOUNT_NUMBER } from '../../lib/input/codes.ts'
import { isPlainAscii, LIST_MAX, readFields, readGivenFields } from '../../lib/input/fields.ts'
import { noSuchName } from '../../lib/input/nearest.ts'
import type { Asker } from '../../lib/secrets/hash-turns.ts'
import { MACHINE } from '../../lib/secrets/hash-turns.ts'
import { hashPassword } from '../../lib/secrets/passwords.ts'
import { findReseller, findResellerWithId } from './public.sql.ts'
import type { ResellerChanges } from './resellers.codec.ts'
import { RESELLER_DEFAULTS, RESELLER_RULES } from './resellers.codec.ts'
import {
  generateAccount,
  limitReached,
  NEW_OPERATOR_RULES,
  NEW_USER_RULES,
  normalizeOperatorEmail,
  normalizeUsername,
  notFound,
  OPERATOR_RULES,
  PAGE_RULES,
  RESELLERS_OWN,
  taken,
  USER_RULES,
  USERS_MAX,
} from './rules.ts'
import type { LoginChanges } from './sql.ts'
import {
  announceVersion,
  countUsers,
  findLoginByName,
  findOperatorByEmail,
  findUserByName,
  insertOperator,
  insertReseller,
  insertUser,
  listAccountNumbers,
  listOperatorRows,
  listResellerRows,
  listUserRows,
  lockVersion,
  stampReseller,
  takeVersion,
  updateOperatorRow,
  updateResellerRow,
  updateUserRow,
} from './sql.ts'
import type { Login, LoginStatus, Operator, OperatorRole, Reseller, User, UserRole } from './types.ts'

export type Accounts = {
  readonly database: Queryable & Pick<Database, 'transaction'>
  readonly vault: Vault
  readonly environment: Environment
  /** Person in whose turn passwords are hashed; left out: the machine. */
  readonly asker?: Asker
}

/** Returns the same accounts, with every write joining the open transaction `tx`. */
export function within(tx: Tx, accounts: Accounts): Accounts {
  return { ...accounts, database: { query: tx.query, transaction: (work) => work(tx) } }
}

/**
 * Makes a change to data that the directory shows; every such change uses this function. It locks the version row
 * before any other row, so that writers queue and cannot deadlock.
 */
export function changeReseller<T>(
  accounts: Accounts,
  id: bigint,
  work: (tx: Tx, reseller: Reseller) => Promise<T>,
): Promise<T> {
  return accounts.database.transaction(async (tx) => {
    const version = await takeVersion(tx)
    const reseller = await findResellerWithId(tx, id)
    if (reseller === undefined) throw notFound('reseller')
    const result = await work(tx, reseller)
    await stampReseller(tx, id, version)
    await announceVersion(tx)
    return result
  })
}

// ── Resellers ──

export type NewReseller = {
  /** Account number; a free one of seven digits when left out. */
  account?: string | undefined
  name: string
  email: string
  priceLevel: string
  access?: number | undefined
  demo?: boolean
}

const ACCOUNT_ATTEMPTS_MAX = 20

export async function createReseller(accounts: Accounts, input: NewReseller): Promise<Reseller> {
  const values = readFields(
    { account: ACCOUNT_NUMBER, ...RESELLER_RULES },
    {
      ...RESELLER_DEFAULTS,
      ...input,
      account: input.account ?? generateAccount(),
      access: input.access ?? RESELLER_DEFAULTS.access,
    },
  )
  return accounts.database.transaction(async (tx) => {
    const version = await takeVersion(tx)
    const demo = input.demo ?? false
    let reseller = await insertReseller(tx, { ...values, demo }, version)
    for (let attempt = 1; reseller === undefined; attempt += 1) {
      if (input.account !== undefined) throw taken('account', 'This account number is taken.')
      if (attempt >= ACCOUNT_ATTEMPTS_MAX) throw new Error('no free account number was found')
      reseller = await insertReseller(tx, { ...values, demo, account: generateAccount() }, version)
    }
    await announceVersion(tx)
    return reseller
  })
}

/** Gets a reseller for operators and for its own members: the 404 names accounts that are written alike. */
export async function getReseller(connection: Queryable, account: string): Promise<Reseller> {
  // Other texts can be no account, and the database cannot hold all of them.
  if (!isPlainAscii(account)) throw notFound('reseller')
  const reseller = await findReseller(connection, account)
  if (reseller === undefined) throw await resellerNotFound(connection, account)
  return reseller
}

const ACCOUNTS_SEARCHED_MAX = 50_000

/** Builds the 404 for operators only: it names accounts of others. */
export async function resellerNotFound(connection: Queryable, account: string): Promise<RequestError> {
  const accounts = await listAccountNumbers(connection, ACCOUNTS_SEARCHED_MAX)
  const publicText = noSuchName('reseller', account, accounts)
  return new RequestError({ status: 404, code: 'not_found', publicText })
}

export async function listResellers(
  connection: Queryable,
  page: { after?: bigint | undefined; limit: number; demoOnly?: boolean },
): Promise<Reseller[]> {
  const { limit } = readFields(PAGE_RULES, page)
  return listResellerRows(connection, { after: page.after ?? 0n, limit, demoOnly: page.demoOnly ?? false })
}

/**
 * Calls `onPriceLevel` before a move to another level, in the same transaction. The catalogue uses it to record what
 * the move changes for the account: it imports this module, and this module must not import it.
 */
export async function updateReseller(
  accounts: Accounts,
  id: bigint,
  changes: ResellerChanges,
  onPriceLevel?: (tx: Tx, levelCode: string) => Promise<void>,
): Promise<Reseller> {
  const values = readGivenFields(RESELLER_RULES, changes)
  return changeReseller(accounts, id, async (tx, reseller) => {
    const { priceLevel = reseller.priceLevel } = values
    if (priceLevel !== reseller.priceLevel) await onPriceLevel?.(tx, priceLevel)
    return updateResellerRow(tx, { ...reseller, ...values })
  })
}

/** Locks the directory for this transaction and returns true when there is no reseller yet. */
export async function lockIfEmpty(tx: Tx): Promise<boolean> {
  await lockVersion(tx)
  return (await listResellerRows(tx, { after: 0n, limit: 1, demoOnly: false })).length === 0
}

// ── Users ──

export type NewUser = {
  username: string
  password: string
  role: UserRole
  /** E-mail address; the reseller's own when left out. */
  email?: string | undefined
}

export async function createUser(accounts: Accounts, resellerId: bigint, input: NewUser): Promise<User> {
  const values = readFields(NEW_USER_RULES, input)
  const passwordHash = await hashPassword(values.password, accounts.asker ?? MACHINE)
  return changeReseller(accounts, resellerId, async (tx, reseller) => {
    if ((await countUsers(tx, resellerId)) >= USERS_MAX) {
      throw limitReached(`A reseller has at most ${USERS_MAX} users.`)
    }
    const email = values.email === RESELLERS_OWN ? reseller.email : values.email
    const user = await insertUser(tx, { ...values, email, resellerId, passwordHash })
    if (user === undefined) throw taken('username', 'This user name is taken.')
    return user
  })
}

export type UserChanges = {
  password?: string | undefined
  role?: UserRole | undefined
  status?: LoginStatus | undefined
}

export async function updateUser(
  accounts: Accounts,
  resellerId: bigint,
  userId: bigint,
  changes: UserChanges,
): Promise<User> {
  return applyUserChanges(accounts, resellerId, userId, await readUserChanges(changes, accounts.asker))
}

/** Checks the changes and hashes the password. It is slow, so it runs before a lock is taken. */
export async function readUserChanges(
  changes: UserChanges,
  asker: Asker = MACHINE,
): Promise<LoginChanges<UserRole>> {
  const { password, ...values } = readGivenFields(USER_RULES, changes)
  return password === undefined ? values : { ...values, passwordHash: await hashPassword(password, asker) }
}

export function applyUserChanges(
  accounts: Accounts,
  resellerId: bigint,
  userId: bigint,
  changes: LoginChanges<UserRole>,
): Promise<User> {
  return changeReseller(accounts, resellerId, async (tx) => {
    const user = await updateUserRow(tx, resellerId, userId, changes)
    if (user === undefined) throw notFound('user')
    return user
  })
}

export async function getUserByName(
  connection: Queryable,
  resellerId: bigint,
  username: string,
): Promise<User> {
  const name = normalizeUsername(username)
  const user = name === undefined ? undefined : await findUserByName(connection, resellerId, name)
  if (user === undefined) throw notFound('user')
  return user
}

export function listUsers(connection: Queryable, resellerId: bigint): Promise<User[]> {
  return listUserRows(connection, resellerId, USERS_MAX)
}

/** Finds the login that a password is checked against, when only the user name is known. */
export async function findLogin(connection: Queryable, username: string): Promise<Login | undefined> {
  const name = normalizeUsername(username)
  return name === undefined ? undefined : findLoginByName(connection, name)
}

// ── Operators ──

export type NewOperator = {
  email: string
  name: string
  password: string
  role: OperatorRole
  demo?: boolean
}

/** `by` is the operator who creates it; null means somebody at the machine itself. */
export async function createOperator(
  accounts: Accounts,
  input: NewOperator,
  by: bigint | null = null,
): Promise<Operator> {
  const { password, ...values } = readFields(NEW_OPERATOR_RULES, input)
  const passwordHash = await hashPassword(password, accounts.asker ?? MACHINE)
  return accounts.database.transaction(async (tx) => {
    const demo = input.demo ?? false
    const operator = await insertOperator(tx, { ...values, passwordHash, demo, empoweredBy: by })
    if (operator === undefined) throw taken('email', 'There is an operator with this e-mail address.')
    return operator
  })
}

export type OperatorChanges = {
  password?: string | undefined
  role?: OperatorRole | undefined
  status?: LoginStatus | undefined
}

export async function updateOperator(
  accounts: Accounts,
  id: bigint,
  changes: OperatorChanges,
  by: bigint | null = null,
): Promise<Operator> {
  return applyOperatorChanges(accounts, id, await readOperatorChanges(changes, accounts.asker), by)
}

/** Checks and hashes like `readUserChanges`. */
export async function readOperatorChanges(
  changes: OperatorChanges,
  asker: Asker = MACHINE,
): Promise<LoginChanges<OperatorRole>> {
  const { password, ...values } = readGivenFields(OPERATOR_RULES, changes)
  return password === undefined ? values : { ...values, passwordHash: await hashPassword(password, asker) }
}

export function applyOperatorChanges(
  accounts: Accounts,
  id: bigint,
  changes: LoginChanges<OperatorRole>,
  by: bigint | null = null,
): Promise<Operator> {
  return accounts.database.transaction(async (tx) => {
    const operator = await updateOperatorRow(tx, id, changes, by)
    if (operator === undefined) throw notFound('operator')
    return operator
  })
}

export async function getOperatorByEmail(connection: Queryable, email: string): Promise<Operator> {
  const address = normalizeOperatorEmail(email)
  const operator = address === undefined ? undefined : await findOperatorByEmail(connection, address)
  if (operator === undefined) throw notFound('operator')
  return operator
}

export function listOperators(connection: Queryable): Promise<Operator[]> {
  return listOperatorRows(connection, LIST_MAX)
}
