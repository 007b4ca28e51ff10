import type { Queryable, Tx } from '../../db/database.ts'
import type { Branch, PlacedTill, Till, TillSettings } from './types.ts'
import { BRANCHES_MAX, TILLS_MAX } from './types.ts'

/** Keeps a shop's branches, tills and shifts from changing until the transaction ends. */
export async function lockTills(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('tills', $1) # lock_mark())`, [resellerId])
}

type BranchRow = { id: bigint; name: string; is_retired: boolean }

/** Lists the branches in the order in which they were added. */
export async function listBranchRows(connection: Queryable, resellerId: bigint): Promise<Branch[]> {
  const { rows } = await connection.query<BranchRow>(
    'select id, name, is_retired from branches where reseller_id = $1 order by id limit $2',
    [resellerId, BRANCHES_MAX],
  )
  return rows.map(toBranch)
}

export async function insertBranch(tx: Tx, resellerId: bigint, name: string): Promise<Branch> {
  const { rows } = await tx.query<BranchRow>(
    'insert into branches (reseller_id, name) values ($1, $2) returning id, name, is_retired',
    [resellerId, name],
  )
  return toBranch(only(rows))
}

export async function updateBranch(tx: Tx, resellerId: bigint, branch: Branch): Promise<void> {
  await tx.query('update branches set name = $3, is_retired = $4 where reseller_id = $1 and id = $2', [
    resellerId,
    branch.id,
    branch.name,
    branch.isRetired,
  ])
}

type TillRow = { id: bigint; branch_id: bigint; name: string; is_retired: boolean; has_browser: boolean }
const TILL = 'id, branch_id, name, is_retired, browser_digest is not null as has_browser'

export async function listTillRows(connection: Queryable, resellerId: bigint): Promise<Till[]> {
  const { rows } = await connection.query<TillRow>(
    `select ${TILL} from tills where reseller_id = $1 order by id limit $2`,
    [resellerId, TILLS_MAX],
  )
  return rows.map(toTill)
}

export async function insertTill(
  tx: Tx,
  resellerId: bigint,
  { branchId, name }: Pick<Till, 'branchId' | 'name'>,
): Promise<Till> {
  const { rows } = await tx.query<TillRow>(
    `insert into tills (reseller_id, branch_id, name) values ($1, $2, $3) returning ${TILL}`,
    [resellerId, branchId, name],
  )
  return toTill(only(rows))
}

export async function updateTill(tx: Tx, resellerId: bigint, till: Till): Promise<void> {
  await tx.query('update tills set name = $3, is_retired = $4 where reseller_id = $1 and id = $2', [
    resellerId,
    till.id,
    till.name,
    till.isRetired,
  ])
}

/** Makes the browser with this digest the till, and no other one of the shop. */
export async function setBrowser(tx: Tx, resellerId: bigint, tillId: bigint, digest: Buffer): Promise<void> {
  await tx.query(
    'update tills set browser_digest = null where reseller_id = $1 and browser_digest = $2 and id <> $3',
    [resellerId, digest, tillId],
  )
  await tx.query('update tills set browser_digest = $3 where reseller_id = $1 and id = $2', [
    resellerId,
    tillId,
    digest,
  ])
}

export async function findTillRowOfBrowser(
  connection: Queryable,
  resellerId: bigint,
  digest: Buffer,
): Promise<PlacedTill | undefined> {
  const { rows } = await connection.query<TillRow & { branch_name: string; branch_is_retired: boolean }>(
    `select t.id, t.branch_id, t.name, t.is_retired or b.is_retired as is_retired, b.name as branch_name,
            b.is_retired as branch_is_retired
       from tills t join branches b on b.reseller_id = t.reseller_id and b.id = t.branch_id
      where t.reseller_id = $1 and t.browser_digest = $2`,
    [resellerId, digest],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { id, name, is_retired: isRetired, branch_id, branch_name, branch_is_retired } = row
  const branch = { id: branch_id, name: branch_name, isRetired: branch_is_retired }
  return { id, name, isRetired, branch }
}

export async function findSettingsRow(connection: Queryable, resellerId: bigint): Promise<TillSettings> {
  const { rows } = await connection.query<{ requires_shift: boolean }>(
    'select requires_shift from till_settings where reseller_id = $1',
    [resellerId],
  )
  return { requiresShift: rows[0]?.requires_shift ?? false }
}

export async function upsertSettings(
  tx: Tx,
  resellerId: bigint,
  { requiresShift }: TillSettings,
): Promise<void> {
  await tx.query(
    `insert into till_settings (reseller_id, requires_shift) values ($1, $2)
     on conflict (reseller_id) do update set requires_shift = excluded.requires_shift`,
    [resellerId, requiresShift],
  )
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('the row was not written')
  return row
}

function toBranch({ id, name, is_retired: isRetired }: BranchRow): Branch {
  return { id, name, isRetired }
}

function toTill({ branch_id, is_retired, has_browser, ...till }: TillRow): Till {
  return { ...till, branchId: branch_id, isRetired: is_retired, hasBrowser: has_browser }
}
