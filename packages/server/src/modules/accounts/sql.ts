import type { Queryable, Tx } from '../../db/database.ts'
import { assert } from '../../lib/errors.ts'
import type {
  Access,
  Login,
  LoginStatus,
  Operator,
  OperatorRole,
  Reseller,
  ResellerStatus,
  User,
  UserRole,
} from './types.ts'

export const DIRECTORY_CHANNEL = 'warung_directory'

// ── The directory's version ──

/** Takes the next version and, until the transaction ends, the lock that queues writers. */
export async function takeVersion(tx: Tx): Promise<bigint> {
  const { rows } = await tx.query<{ version: bigint }>(
    'update directory_version set version = version + 1 returning version',
  )
  assert(rows[0] !== undefined, 'the directory has a version row')
  return rows[0].version
}

export async function lockVersion(tx: Tx): Promise<void> {
  await tx.query('select version from directory_version for update')
}

/** Notifies every node's directory when, and only when, the transaction commits. */
export async function announceVersion(tx: Tx): Promise<void> {
  await tx.query('select pg_notify(channel_prefix() || $1, $2)', [DIRECTORY_CHANNEL, ''])
}

export async function stampReseller(tx: Tx, id: bigint, version: bigint): Promise<void> {
  await tx.query('update resellers set version = $2 where id = $1', [id, version])
}

// ── Resellers ──

/** Lists the oldest first. */
export async function listAccountNumbers(connection: Queryable, limit: number): Promise<string[]> {
  const { rows } = await connection.query<{ account: string }>(
    'select account from resellers order by id limit $1',
    [limit],
  )
  return rows.map(({ account }) => account)
}

export const RESELLER = `id, account, name, email, price_level, access, status, topup_requires_api_key,
  duplicate_window_seconds, demo, created_at, updated_at`

export type ResellerRow = {
  id: bigint
  account: string
  name: string
  email: string
  price_level: string
  access: number
  status: ResellerStatus
  topup_requires_api_key: boolean
  duplicate_window_seconds: number
  demo: boolean
  created_at: Date
  updated_at: Date
}

export function resellerOf(row: ResellerRow): Reseller {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    email: row.email,
    priceLevel: row.price_level,
    access: row.access as Access,
    status: row.status,
    topupRequiresApiKey: row.topup_requires_api_key,
    duplicateWindowSeconds: row.duplicate_window_seconds,
    demo: row.demo,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export type ResellerValues = Pick<
  Reseller,
  'account' | 'name' | 'email' | 'priceLevel' | 'access' | 'status' | 'topupRequiresApiKey' | 'demo'
>

/**
 * Returns undefined when the account number is taken. `created_at` is the present instant, not the transaction's
 * start, so that changes made before it are not reported to the reseller as news.
 */
export async function insertReseller(
  tx: Tx,
  values: ResellerValues,
  version: bigint,
): Promise<Reseller | undefined> {
  const { rows } = await tx.query<ResellerRow>(
    `insert into resellers
       (account, name, email, price_level, access, status, topup_requires_api_key, demo, version, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp())
     on conflict (account) do nothing
     returning ${RESELLER}`,
    [
      values.account,
      values.name,
      values.email,
      values.priceLevel,
      values.access,
      values.status,
      values.topupRequiresApiKey,
      values.demo,
      version,
    ],
  )
  return rows[0] && resellerOf(rows[0])
}

export async function updateResellerRow(tx: Tx, values: Reseller): Promise<Reseller> {
  const { rows } = await tx.query<ResellerRow>(
    `update resellers
     set name = $2, email = $3, price_level = $4, access = $5, status = $6, topup_requires_api_key = $7,
       duplicate_window_seconds = $8, updated_at = now()
     where id = $1
     returning ${RESELLER}`,
    [
      values.id,
      values.name,
      values.email,
      values.priceLevel,
      values.access,
      values.status,
      values.topupRequiresApiKey,
      values.duplicateWindowSeconds,
    ],
  )
  assert(rows[0] !== undefined, 'the reseller was found in this transaction')
  return resellerOf(rows[0])
}

export async function listResellerRows(
  connection: Queryable,
  page: { after: bigint; limit: number; demoOnly: boolean },
): Promise<Reseller[]> {
  const { rows } = await connection.query<ResellerRow>(
    `select ${RESELLER} from resellers where id > $1 and (demo or not $3) order by id limit $2`,
    [page.after, page.limit, page.demoOnly],
  )
  return rows.map(resellerOf)
}

// ── Users ──

const USER = 'reseller_id, id, username, email, role, status, created_at'

type UserRow = {
  reseller_id: bigint
  id: bigint
  username: string
  email: string
  role: UserRole
  status: LoginStatus
  created_at: Date
}

function userOf(row: UserRow): User {
  return {
    id: row.id,
    resellerId: row.reseller_id,
    username: row.username,
    email: row.email,
    role: row.role,
    status: row.status,
    createdAt: row.created_at,
  }
}

export type UserValues = Pick<User, 'resellerId' | 'username' | 'email' | 'role'> & { passwordHash: string }

/** Returns undefined when the user name is taken, perhaps at another reseller. */
export async function insertUser(tx: Tx, values: UserValues): Promise<User | undefined> {
  const { rows } = await tx.query<UserRow>(
    `insert into users (reseller_id, username, email, password_hash, role)
     values ($1, $2, $3, $4, $5)
     on conflict (username) do nothing
     returning ${USER}`,
    [values.resellerId, values.username, values.email, values.passwordHash, values.role],
  )
  return rows[0] && userOf(rows[0])
}

export type LoginChanges<Role> = { passwordHash?: string; role?: Role; status?: LoginStatus }

export async function updateUserRow(
  tx: Tx,
  resellerId: bigint,
  id: bigint,
  changes: LoginChanges<UserRole>,
): Promise<User | undefined> {
  const { rows } = await tx.query<UserRow>(
    `update users
     set password_hash = coalesce($3, password_hash),
       password_changed_at = case when $3::text is null then password_changed_at else clock.now end,
       role = coalesce($4, role), status = coalesce($5, status), updated_at = now()
     from (select statement_timestamp() as now) clock
     where reseller_id = $1 and id = $2
     returning ${USER}`,
    [resellerId, id, changes.passwordHash ?? null, changes.role ?? null, changes.status ?? null],
  )
  return rows[0] && userOf(rows[0])
}

export async function countUsers(tx: Tx, resellerId: bigint): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::integer as count from users where reseller_id = $1',
    [resellerId],
  )
  return rows[0]?.count ?? 0
}

export async function listUserRows(
  connection: Queryable,
  resellerId: bigint,
  limit: number,
): Promise<User[]> {
  const { rows } = await connection.query<UserRow>(
    `select ${USER} from users where reseller_id = $1 order by id limit $2`,
    [resellerId, limit],
  )
  return rows.map(userOf)
}

export async function findUserByName(
  connection: Queryable,
  resellerId: bigint,
  username: string,
): Promise<User | undefined> {
  const { rows } = await connection.query<UserRow>(
    `select ${USER} from users where reseller_id = $1 and username = $2`,
    [resellerId, username],
  )
  return rows[0] && userOf(rows[0])
}

type LoginRow = {
  reseller_id: bigint
  id: bigint
  status: LoginStatus
  password_hash: string
  password_changed_at: Date
}

export async function findLoginByName(connection: Queryable, username: string): Promise<Login | undefined> {
  const { rows } = await connection.query<LoginRow>(
    'select reseller_id, id, status, password_hash, password_changed_at from users where username = $1',
    [username],
  )
  const row = rows[0]
  return (
    row && {
      resellerId: row.reseller_id,
      userId: row.id,
      status: row.status,
      passwordHash: row.password_hash,
      passwordChangedAt: row.password_changed_at,
    }
  )
}

// ── Operators ──

export const OPERATOR = 'id, email, name, role, status, demo, created_at, empowered_at, empowered_by'

export type OperatorRow = {
  id: bigint
  email: string
  name: string
  role: OperatorRole
  status: LoginStatus
  demo: boolean
  created_at: Date
  empowered_at: Date
  empowered_by: bigint | null
}

export function operatorOf(row: OperatorRow): Operator {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    demo: row.demo,
    createdAt: row.created_at,
    empoweredAt: row.empowered_at,
    empoweredBy: row.empowered_by,
  }
}

export type OperatorValues = Pick<Operator, 'email' | 'name' | 'role' | 'demo' | 'empoweredBy'> & {
  passwordHash: string
}

/** Returns undefined when the e-mail address is taken. */
export async function insertOperator(tx: Tx, values: OperatorValues): Promise<Operator | undefined> {
  const { rows } = await tx.query<OperatorRow>(
    `insert into operators (email, name, password_hash, role, demo, empowered_by)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (email) do nothing
     returning ${OPERATOR}`,
    [values.email, values.name, values.passwordHash, values.role, values.demo, values.empoweredBy],
  )
  return rows[0] && operatorOf(rows[0])
}

// True for another role or a change to active. At the machine ($5 is null), repeating the present role or the active
// status counts too: it vouches for the operator.
const EMPOWERS = `(($3::text is not null and ($3 <> role or $5::bigint is null))
  or ($4::text is not null and $4 = 'active' and (status <> 'active' or $5::bigint is null)))`

// Keeps the operator who first gave this one rights, whatever others change later. Only the vouch of a second person,
// or a change at the machine, clears it. An operator who had none gets the operator who makes this change.
const EMPOWERED_BY = `case when $5::bigint is null then null else coalesce(empowered_by, $5) end`

export async function updateOperatorRow(
  tx: Tx,
  id: bigint,
  changes: LoginChanges<OperatorRole>,
  by: bigint | null,
): Promise<Operator | undefined> {
  const { rows } = await tx.query<OperatorRow>(
    `update operators
     set password_hash = coalesce($2, password_hash),
       password_changed_at = case when $2::text is null then password_changed_at else clock.now end,
       role = coalesce($3, role), status = coalesce($4, status), updated_at = now(),
       empowered_at = case when ${EMPOWERS} then clock.now else empowered_at end,
       empowered_by = case when ${EMPOWERS} then ${EMPOWERED_BY} else empowered_by end
     from (select statement_timestamp() as now) clock
     where id = $1
     returning ${OPERATOR}`,
    [id, changes.passwordHash ?? null, changes.role ?? null, changes.status ?? null, by],
  )
  return rows[0] && operatorOf(rows[0])
}

export async function findOperatorByEmail(
  connection: Queryable,
  email: string,
): Promise<Operator | undefined> {
  const { rows } = await connection.query<OperatorRow>(`select ${OPERATOR} from operators where email = $1`, [
    email,
  ])
  return rows[0] && operatorOf(rows[0])
}

export async function listOperatorRows(connection: Queryable, limit: number): Promise<Operator[]> {
  const { rows } = await connection.query<OperatorRow>(
    `select ${OPERATOR} from operators order by id limit $1`,
    [limit],
  )
  return rows.map(operatorOf)
}
