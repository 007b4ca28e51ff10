import type { Queryable, Tx } from '../../../db/database.ts'
import type { Category, Group, ProcessingTime, Product, ProductKind } from '../model/types.ts'

/** Row with the version that wrote it. */
export type Versioned<T> = { readonly row: T; readonly version: bigint }

// Rows are written as one JSON document: one parameter holds any number of them, and each column is named next
// to its type. Amounts and rates are text, because JSON numbers are not exact.

// ── Groups ──

type GroupRow = {
  code: string
  name: string
  icon_url: string
  display_order: number
  is_active: boolean
  version: bigint
}

export async function listGroups(connection: Queryable, after: bigint): Promise<Versioned<Group>[]> {
  const { rows } = await connection.query<GroupRow>(
    `select code, name, icon_url, display_order, is_active, version
     from catalog_groups where version > $1`,
    [after],
  )
  return rows.map((row) => ({
    version: row.version,
    row: {
      code: row.code,
      name: row.name,
      iconUrl: row.icon_url,
      displayOrder: row.display_order,
      isActive: row.is_active,
    },
  }))
}

export async function upsertGroups(tx: Tx, groups: readonly Group[], version: bigint): Promise<void> {
  const rows = groups.map((group) => ({
    code: group.code,
    name: group.name,
    icon_url: group.iconUrl,
    display_order: group.displayOrder,
    is_active: group.isActive,
  }))
  await tx.query(
    `insert into catalog_groups (code, name, icon_url, display_order, is_active, version)
     select code, name, icon_url, display_order, is_active, $2
     from jsonb_to_recordset($1::jsonb) as given
       (code text, name text, icon_url text, display_order integer, is_active boolean)
     on conflict (code) do update
     set name = excluded.name, icon_url = excluded.icon_url, display_order = excluded.display_order,
       is_active = excluded.is_active, version = excluded.version`,
    [JSON.stringify(rows), version],
  )
}

// ── Categories ──

type CategoryRow = GroupRow & { group_code: string }

export async function listCategories(connection: Queryable, after: bigint): Promise<Versioned<Category>[]> {
  const { rows } = await connection.query<CategoryRow>(
    `select code, group_code, name, icon_url, display_order, is_active, version
     from catalog_categories where version > $1`,
    [after],
  )
  return rows.map((row) => ({
    version: row.version,
    row: {
      code: row.code,
      groupCode: row.group_code,
      name: row.name,
      iconUrl: row.icon_url,
      displayOrder: row.display_order,
      isActive: row.is_active,
    },
  }))
}

export async function upsertCategories(
  tx: Tx,
  categories: readonly Category[],
  version: bigint,
): Promise<void> {
  const rows = categories.map((category) => ({
    code: category.code,
    group_code: category.groupCode,
    name: category.name,
    icon_url: category.iconUrl,
    display_order: category.displayOrder,
    is_active: category.isActive,
  }))
  await tx.query(
    `insert into catalog_categories (code, group_code, name, icon_url, display_order, is_active, version)
     select code, group_code, name, icon_url, display_order, is_active, $2
     from jsonb_to_recordset($1::jsonb) as given
       (code text, group_code text, name text, icon_url text, display_order integer, is_active boolean)
     on conflict (code) do update
     set group_code = excluded.group_code, name = excluded.name, icon_url = excluded.icon_url,
       display_order = excluded.display_order, is_active = excluded.is_active, version = excluded.version`,
    [JSON.stringify(rows), version],
  )
}

// ── Products ──

type ProductRow = {
  code: string
  category_code: string
  kind: ProductKind
  name: string
  note: string | null
  redemption: string | null
  image_url: string
  processing_time: ProcessingTime
  display_order: number
  is_active: boolean
  is_hidden: boolean
  is_restricted: boolean
  is_refundable: boolean
  denomination: string | null
  denomination_currency: string | null
  denomination_unit_price: bigint
  fields: Product['fields']
  fulfillment: Product['fulfillment']
  min_amount: bigint | null
  max_amount: bigint | null
  legacy: Product['legacy']
  version: bigint
}

const PRODUCT = `code, category_code, kind, name, note, redemption, image_url, processing_time, display_order, is_active,
  is_hidden, is_restricted, is_refundable, denomination, denomination_currency, denomination_unit_price,
  fields, fulfillment, min_amount, max_amount, legacy`

export async function listProductRows(connection: Queryable, after: bigint): Promise<Versioned<Product>[]> {
  const { rows } = await connection.query<ProductRow>(
    `select ${PRODUCT}, version from catalog_products where version > $1`,
    [after],
  )
  return rows.map((row) => ({ version: row.version, row: productOf(row) }))
}

export async function listTheseProducts(connection: Queryable, codes: readonly string[]): Promise<Product[]> {
  const { rows } = await connection.query<ProductRow>(
    `select ${PRODUCT}, version from catalog_products where code = any($1::text[])`,
    [codes],
  )
  return rows.map(productOf)
}

/** A product that a reseller may not buy is as unknown as one that does not exist. */
export async function listUnsaleable(
  connection: Queryable,
  { id, priceLevel }: { readonly id: bigint; readonly priceLevel: string },
  codes: readonly string[],
): Promise<string[]> {
  const { rows } = await connection.query<{ code: string }>(
    `select g.code from unnest($3::text[]) with ordinality as g (code, place)
      where not exists (select from catalog_groups c where c.code = g.code)
        and not exists (select from catalog_categories c where c.code = g.code)
        and not exists (
          select from catalog_products p
            join wholesale_prices w on w.product_code = p.code and w.level_code = $2
            left join product_permissions m on m.product_code = p.code and m.reseller_id = $1
           where p.code = g.code and coalesce(m.is_allowed, not p.is_restricted))
      order by g.place`,
    [id, priceLevel, codes],
  )
  return rows.map(({ code }) => code)
}

/** Lists the codes that sell nothing beyond other codes: each is one of them, or lies in one. */
export async function listCovered(
  connection: Queryable,
  codes: readonly string[],
  outer: readonly string[],
): Promise<string[]> {
  // One text may be the code of a product, of a category and of a group: it is all of them.
  const { rows } = await connection.query<{ code: string }>(
    `select g.code from unnest($1::text[]) as g (code)
      where g.code = any ($2::text[])
         or not exists (select from catalog_groups x where x.code = g.code)
        and not exists (
          select from catalog_categories c where c.code = g.code and c.group_code <> all ($2::text[]))
        and not exists (
          select from catalog_products p join catalog_categories c on c.code = p.category_code
           where p.code = g.code and c.code <> all ($2::text[]) and c.group_code <> all ($2::text[]))`,
    [codes, outer],
  )
  return rows.map(({ code }) => code)
}

function productOf(row: ProductRow): Product {
  return {
    code: row.code,
    categoryCode: row.category_code,
    kind: row.kind,
    name: row.name,
    note: row.note,
    redemption: row.redemption,
    imageUrl: row.image_url,
    processingTime: row.processing_time,
    displayOrder: row.display_order,
    isActive: row.is_active,
    isHidden: row.is_hidden,
    isRestricted: row.is_restricted,
    isRefundable: row.is_refundable,
    denomination: row.denomination,
    denominationCurrency: row.denomination_currency,
    denominationUnitPrice: row.denomination_unit_price,
    fields: row.fields,
    fulfillment: row.fulfillment,
    minAmount: row.min_amount,
    maxAmount: row.max_amount,
    legacy: row.legacy,
  }
}

export async function upsertProducts(tx: Tx, products: readonly Product[], version: bigint): Promise<void> {
  const rows = products.map((product) => ({
    code: product.code,
    category_code: product.categoryCode,
    kind: product.kind,
    name: product.name,
    note: product.note,
    redemption: product.redemption,
    image_url: product.imageUrl,
    processing_time: product.processingTime,
    display_order: product.displayOrder,
    is_active: product.isActive,
    is_hidden: product.isHidden,
    is_restricted: product.isRestricted,
    is_refundable: product.isRefundable,
    denomination: product.denomination,
    denomination_currency: product.denominationCurrency,
    denomination_unit_price: String(product.denominationUnitPrice),
    fields: product.fields,
    fulfillment: product.fulfillment,
    min_amount: product.minAmount?.toString() ?? null,
    max_amount: product.maxAmount?.toString() ?? null,
    legacy: product.legacy,
  }))
  await tx.query(
    `insert into catalog_products (${PRODUCT}, version)
     select ${PRODUCT}, $2
     from jsonb_to_recordset($1::jsonb) as given
       (code text, category_code text, kind text, name text, note text, redemption text, image_url text,
        processing_time text, display_order integer, is_active boolean, is_hidden boolean,
        is_restricted boolean, is_refundable boolean, denomination text, denomination_currency text,
        denomination_unit_price bigint, fields jsonb, fulfillment jsonb, min_amount bigint,
        max_amount bigint, legacy jsonb)
     on conflict (code) do update
     set category_code = excluded.category_code, kind = excluded.kind, name = excluded.name,
       note = excluded.note, redemption = excluded.redemption, image_url = excluded.image_url,
       processing_time = excluded.processing_time,
       display_order = excluded.display_order, is_active = excluded.is_active,
       is_hidden = excluded.is_hidden, is_restricted = excluded.is_restricted,
       is_refundable = excluded.is_refundable, denomination = excluded.denomination,
       denomination_currency = excluded.denomination_currency,
       denomination_unit_price = excluded.denomination_unit_price, fields = excluded.fields,
       fulfillment = excluded.fulfillment, min_amount = excluded.min_amount,
       max_amount = excluded.max_amount, legacy = excluded.legacy, version = excluded.version`,
    [JSON.stringify(rows), version],
  )
}
