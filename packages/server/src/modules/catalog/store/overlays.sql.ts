import type { Queryable, Tx } from '../../../db/database.ts'
import type { OverlayDiff } from '../model/store.types.ts'
import type {
  OverlayCategory,
  OverlayGroup,
  OverlayOption,
  OverlayProduct,
  PriceAdjustment,
} from '../model/types.ts'

/** Entry with its owner. */
export type Owned<T> = { readonly resellerId: bigint; readonly row: T }

type OwnedRow = { reseller_id: bigint }

/** Splits diffs into entries to write and entries to remove. */
function splitDiffs<T>(diffs: readonly OverlayDiff<T>[]): { set: Owned<T>[]; removed: Owned<T>[] } {
  const set: Owned<T>[] = []
  const removed: Owned<T>[] = []
  for (const { resellerId, before, after } of diffs) {
    if (after !== null) set.push({ resellerId, row: after })
    else if (before !== null) removed.push({ resellerId, row: before })
  }
  return { set, removed }
}

// ── Groups ──

type GroupRow = OwnedRow & {
  code: string
  is_own: boolean
  name: string | null
  icon_url: string | null
  display_order: number | null
}

export async function listOverlayGroups(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<Owned<OverlayGroup>[]> {
  const { rows } = await connection.query<GroupRow>(
    `select reseller_id, code, is_own, name, icon_url, display_order
     from overlay_groups where reseller_id = any($1::bigint[]) order by reseller_id, code`,
    [resellerIds],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, row: groupOf(row) }))
}

function groupOf(row: GroupRow): OverlayGroup {
  return {
    code: row.code,
    isOwn: row.is_own,
    name: row.name,
    iconUrl: row.icon_url,
    displayOrder: row.display_order,
  }
}

export async function writeOverlayGroups(tx: Tx, diffs: readonly OverlayDiff<OverlayGroup>[]): Promise<void> {
  const { set, removed } = splitDiffs(diffs)
  await tx.query(
    `insert into overlay_groups (reseller_id, code, is_own, name, icon_url, display_order)
     select * from unnest($1::bigint[], $2::text[], $3::boolean[], $4::text[], $5::text[], $6::integer[])
     on conflict (reseller_id, code) do update
     set is_own = excluded.is_own, name = excluded.name, icon_url = excluded.icon_url,
       display_order = excluded.display_order`,
    [
      set.map((each) => each.resellerId),
      set.map((each) => each.row.code),
      set.map((each) => each.row.isOwn),
      set.map((each) => each.row.name),
      set.map((each) => each.row.iconUrl),
      set.map((each) => each.row.displayOrder),
    ],
  )
  await tx.query(
    `delete from overlay_groups using unnest($1::bigint[], $2::text[]) as gone (reseller_id, code)
     where overlay_groups.reseller_id = gone.reseller_id and overlay_groups.code = gone.code`,
    [removed.map((each) => each.resellerId), removed.map((each) => each.row.code)],
  )
}

// ── Categories ──

type CategoryRow = GroupRow & { group_code: string | null }

export async function listOverlayCategories(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<Owned<OverlayCategory>[]> {
  const { rows } = await connection.query<CategoryRow>(
    `select reseller_id, code, is_own, group_code, name, icon_url, display_order
     from overlay_categories where reseller_id = any($1::bigint[]) order by reseller_id, code`,
    [resellerIds],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    row: { ...groupOf(row), groupCode: row.group_code },
  }))
}

export async function writeOverlayCategories(
  tx: Tx,
  diffs: readonly OverlayDiff<OverlayCategory>[],
): Promise<void> {
  const { set, removed } = splitDiffs(diffs)
  await tx.query(
    `insert into overlay_categories (reseller_id, code, is_own, group_code, name, icon_url, display_order)
     select * from unnest
       ($1::bigint[], $2::text[], $3::boolean[], $4::text[], $5::text[], $6::text[], $7::integer[])
     on conflict (reseller_id, code) do update
     set is_own = excluded.is_own, group_code = excluded.group_code, name = excluded.name,
       icon_url = excluded.icon_url, display_order = excluded.display_order`,
    [
      set.map((each) => each.resellerId),
      set.map((each) => each.row.code),
      set.map((each) => each.row.isOwn),
      set.map((each) => each.row.groupCode),
      set.map((each) => each.row.name),
      set.map((each) => each.row.iconUrl),
      set.map((each) => each.row.displayOrder),
    ],
  )
  await tx.query(
    `delete from overlay_categories using unnest($1::bigint[], $2::text[]) as gone (reseller_id, code)
     where overlay_categories.reseller_id = gone.reseller_id and overlay_categories.code = gone.code`,
    [removed.map((each) => each.resellerId), removed.map((each) => each.row.code)],
  )
}

// ── Products ──

type ProductRow = OwnedRow & {
  code: string
  category_code: string | null
  display_name: string | null
  image_url: string | null
  display_order: number | null
  is_enabled: boolean
  adjustment_type: PriceAdjustment['type'] | null
  adjustment_value: bigint | null
  min_amount: bigint | null
  max_amount: bigint | null
}

const PRODUCT = `reseller_id, code, category_code, display_name, image_url, display_order, is_enabled,
  adjustment_type, adjustment_value, min_amount, max_amount`

export async function listOverlayProducts(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<Owned<OverlayProduct>[]> {
  const { rows } = await connection.query<ProductRow>(
    `select ${PRODUCT}
     from overlay_products where reseller_id = any($1::bigint[]) order by reseller_id, code`,
    [resellerIds],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, row: productOf(row) }))
}

function productOf(row: ProductRow): OverlayProduct {
  const { adjustment_type: type, adjustment_value: value } = row
  return {
    code: row.code,
    categoryCode: row.category_code,
    displayName: row.display_name,
    imageUrl: row.image_url,
    displayOrder: row.display_order,
    isEnabled: row.is_enabled,
    adjustment: type === null || value === null ? null : { type, value },
    minAmount: row.min_amount,
    maxAmount: row.max_amount,
  }
}

export async function writeOverlayProducts(
  tx: Tx,
  diffs: readonly OverlayDiff<OverlayProduct>[],
): Promise<void> {
  const { set, removed } = splitDiffs(diffs)
  await tx.query(
    `insert into overlay_products (${PRODUCT})
     select * from unnest
       ($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::boolean[],
        $8::text[], $9::bigint[], $10::bigint[], $11::bigint[])
     on conflict (reseller_id, code) do update
     set category_code = excluded.category_code, display_name = excluded.display_name,
       image_url = excluded.image_url, display_order = excluded.display_order,
       is_enabled = excluded.is_enabled, adjustment_type = excluded.adjustment_type,
       adjustment_value = excluded.adjustment_value, min_amount = excluded.min_amount,
       max_amount = excluded.max_amount`,
    [
      set.map((each) => each.resellerId),
      set.map((each) => each.row.code),
      set.map((each) => each.row.categoryCode),
      set.map((each) => each.row.displayName),
      set.map((each) => each.row.imageUrl),
      set.map((each) => each.row.displayOrder),
      set.map((each) => each.row.isEnabled),
      set.map((each) => each.row.adjustment?.type ?? null),
      set.map((each) => each.row.adjustment?.value ?? null),
      set.map((each) => each.row.minAmount),
      set.map((each) => each.row.maxAmount),
    ],
  )
  await tx.query(
    `delete from overlay_products using unnest($1::bigint[], $2::text[]) as gone (reseller_id, code)
     where overlay_products.reseller_id = gone.reseller_id and overlay_products.code = gone.code`,
    [removed.map((each) => each.resellerId), removed.map((each) => each.row.code)],
  )
}

// ── Options ──

type OptionRow = OwnedRow & {
  product_code: string
  field_id: string
  code: string
  is_enabled: boolean
  rrp: bigint | null
}

export async function listOverlayOptions(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<Owned<OverlayOption>[]> {
  const { rows } = await connection.query<OptionRow>(
    `select reseller_id, product_code, field_id, code, is_enabled, rrp
     from overlay_options where reseller_id = any($1::bigint[])
     order by reseller_id, product_code, field_id, code`,
    [resellerIds],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    row: {
      productCode: row.product_code,
      fieldId: row.field_id,
      code: row.code,
      isEnabled: row.is_enabled,
      rrp: row.rrp,
    },
  }))
}

export async function writeOverlayOptions(
  tx: Tx,
  diffs: readonly OverlayDiff<OverlayOption>[],
): Promise<void> {
  const { set, removed } = splitDiffs(diffs)
  await tx.query(
    `insert into overlay_options (reseller_id, product_code, field_id, code, is_enabled, rrp)
     select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::bigint[])
     on conflict (reseller_id, product_code, field_id, code) do update
     set is_enabled = excluded.is_enabled, rrp = excluded.rrp`,
    [
      set.map((each) => each.resellerId),
      set.map((each) => each.row.productCode),
      set.map((each) => each.row.fieldId),
      set.map((each) => each.row.code),
      set.map((each) => each.row.isEnabled),
      set.map((each) => each.row.rrp),
    ],
  )
  await tx.query(
    `delete from overlay_options
     using unnest($1::bigint[], $2::text[], $3::text[], $4::text[])
       as gone (reseller_id, product_code, field_id, code)
     where overlay_options.reseller_id = gone.reseller_id
       and overlay_options.product_code = gone.product_code
       and overlay_options.field_id = gone.field_id and overlay_options.code = gone.code`,
    [
      removed.map((each) => each.resellerId),
      removed.map((each) => each.row.productCode),
      removed.map((each) => each.row.fieldId),
      removed.map((each) => each.row.code),
    ],
  )
}
