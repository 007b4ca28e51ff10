import type { Queryable, Tx } from '../../../db/database.ts'
import type { PermissionDiff } from '../model/store.types.ts'

export type ViewRow = {
  readonly resellerId: bigint
  readonly version: bigint
  /** Last change to the customisation, also when it is empty now; null: there never was one. */
  readonly overlayUpdatedAt: Date | null
  /** Last change to what the account may buy; null: there never was one. */
  readonly accessUpdatedAt: Date | null
}

type Row = {
  reseller_id: bigint
  version: bigint
  overlay_updated_at: Date | null
  access_updated_at: Date | null
}

const COLUMNS = 'reseller_id, version, overlay_updated_at, access_updated_at'

export async function listViewRows(connection: Queryable, after: bigint): Promise<ViewRow[]> {
  const { rows } = await connection.query<Row>(
    `select ${COLUMNS} from account_views where version > $1 order by reseller_id`,
    [after],
  )
  return rows.map(viewOf)
}

export async function findViewRow(connection: Queryable, resellerId: bigint): Promise<ViewRow | undefined> {
  const { rows } = await connection.query<Row>(
    `select ${COLUMNS} from account_views where reseller_id = $1`,
    [resellerId],
  )
  return rows[0] && viewOf(rows[0])
}

function viewOf(row: Row): ViewRow {
  return {
    resellerId: row.reseller_id,
    version: row.version,
    overlayUpdatedAt: row.overlay_updated_at,
    accessUpdatedAt: row.access_updated_at,
  }
}

/** Time of an account that a change moves on. */
export type MovedTime = 'overlay' | 'access' | 'neither'

/**
 * Writes the version and times of accounts. It must run before any of their rows is written. A time grows by at
 * least a millisecond. One change gives all its accounts one time: accounts that see the same share a snapshot.
 */
export async function stampViews(
  tx: Tx,
  resellerIds: readonly bigint[],
  version: bigint,
  moved: MovedTime,
): Promise<void> {
  await tx.query(
    `insert into account_views (reseller_id, version, overlay_updated_at, access_updated_at)
     select id, $2, case when $3 = 'overlay' then moved.at end, case when $3 = 'access' then moved.at end
     from unnest($1::bigint[]) as given (id),
       (select date_trunc('milliseconds', clock_timestamp()) as at offset 0) as moved
     on conflict (reseller_id) do update
     set version = excluded.version,
       overlay_updated_at = case when $3 = 'overlay'
         then greatest(excluded.overlay_updated_at,
           later(account_views.overlay_updated_at, interval '1 millisecond'))
         else account_views.overlay_updated_at end,
       access_updated_at = case when $3 = 'access'
         then greatest(excluded.access_updated_at,
           later(account_views.access_updated_at, interval '1 millisecond'))
         else account_views.access_updated_at end`,
    [resellerIds, version, moved],
  )
}

export type PermissionRow = {
  readonly resellerId: bigint
  readonly productCode: string
  readonly isAllowed: boolean
}

export async function listPermissionRows(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<PermissionRow[]> {
  const { rows } = await connection.query<{
    reseller_id: bigint
    product_code: string
    is_allowed: boolean
  }>(
    `select reseller_id, product_code, is_allowed from product_permissions
     where reseller_id = any($1::bigint[]) order by reseller_id, product_code`,
    [resellerIds],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    productCode: row.product_code,
    isAllowed: row.is_allowed,
  }))
}

export async function writePermissions(tx: Tx, diffs: readonly PermissionDiff[]): Promise<void> {
  const set = diffs.filter((diff) => diff.after !== null)
  const removed = diffs.filter((diff) => diff.after === null)
  await tx.query(
    `insert into product_permissions (reseller_id, product_code, is_allowed)
     select * from unnest($1::bigint[], $2::text[], $3::boolean[])
     on conflict (reseller_id, product_code) do update set is_allowed = excluded.is_allowed`,
    [set.map((each) => each.resellerId), set.map((each) => each.productCode), set.map((each) => each.after)],
  )
  await tx.query(
    `delete from product_permissions
     using unnest($1::bigint[], $2::text[]) as gone (reseller_id, product_code)
     where product_permissions.reseller_id = gone.reseller_id
       and product_permissions.product_code = gone.product_code`,
    [removed.map((each) => each.resellerId), removed.map((each) => each.productCode)],
  )
}
