import type { Queryable, Tx } from '../../../db/database.ts'
import type { OptionKey } from '../model/store.types.ts'
import type { Option } from '../model/types.ts'
import type { Versioned } from './base.sql.ts'

type OptionRow = {
  product_code: string
  field_id: string
  code: string
  label: string
  description: string | null
  display_order: number
  is_active: boolean
  denomination: bigint | null
  validity: string | null
  features: string[] | null
  rrp: bigint | null
  min_amount: bigint | null
  max_amount: bigint | null
  suggested_category: string | null
  additional_description: string[] | null
  requires_ref2: boolean
  version: bigint
}

const OPTION = `product_code, field_id, code, label, description, display_order, is_active, denomination,
  validity, features, rrp, min_amount, max_amount, suggested_category, additional_description, requires_ref2`

export async function listOptionRows(connection: Queryable, after: bigint): Promise<Versioned<Option>[]> {
  const { rows } = await connection.query<OptionRow>(
    `select ${OPTION}, version from catalog_options where version > $1`,
    [after],
  )
  return rows.map((row) => ({ version: row.version, row: optionOf(row) }))
}

export async function listTheseOptions(connection: Queryable, keys: readonly OptionKey[]): Promise<Option[]> {
  const { rows } = await connection.query<OptionRow>(
    `select ${OPTION}, version from catalog_options
     join unnest($1::text[], $2::text[], $3::text[]) as wanted (product_code, field_id, code)
       using (product_code, field_id, code)`,
    [keys.map((key) => key.productCode), keys.map((key) => key.fieldId), keys.map((key) => key.code)],
  )
  return rows.map(optionOf)
}

/** Lists all options of these fields. */
export async function listOptionsOfFields(
  connection: Queryable,
  fields: readonly Omit<OptionKey, 'code'>[],
): Promise<Option[]> {
  if (fields.length === 0) return []
  const { rows } = await connection.query<OptionRow>(
    `select ${OPTION}, version from catalog_options
     join unnest($1::text[], $2::text[]) as wanted (product_code, field_id) using (product_code, field_id)`,
    [fields.map((field) => field.productCode), fields.map((field) => field.fieldId)],
  )
  return rows.map(optionOf)
}

function optionOf(row: OptionRow): Option {
  return {
    productCode: row.product_code,
    fieldId: row.field_id,
    code: row.code,
    label: row.label,
    description: row.description,
    displayOrder: row.display_order,
    isActive: row.is_active,
    denomination: row.denomination,
    validity: row.validity,
    features: row.features,
    rrp: row.rrp,
    minAmount: row.min_amount,
    maxAmount: row.max_amount,
    suggestedCategory: row.suggested_category,
    additionalDescription: row.additional_description,
    requiresRef2: row.requires_ref2,
  }
}

export async function upsertOptions(tx: Tx, options: readonly Option[], version: bigint): Promise<void> {
  const rows = options.map((option) => ({
    product_code: option.productCode,
    field_id: option.fieldId,
    code: option.code,
    label: option.label,
    description: option.description,
    display_order: option.displayOrder,
    is_active: option.isActive,
    denomination: option.denomination?.toString() ?? null,
    validity: option.validity,
    features: option.features,
    rrp: option.rrp?.toString() ?? null,
    min_amount: option.minAmount?.toString() ?? null,
    max_amount: option.maxAmount?.toString() ?? null,
    suggested_category: option.suggestedCategory,
    additional_description: option.additionalDescription,
    requires_ref2: option.requiresRef2,
  }))
  await tx.query(
    `insert into catalog_options (${OPTION}, version)
     select ${OPTION}, $2
     from jsonb_to_recordset($1::jsonb) as given
       (product_code text, field_id text, code text, label text, description text, display_order integer,
        is_active boolean, denomination bigint, validity text, features text[], rrp bigint,
        min_amount bigint, max_amount bigint, suggested_category text, additional_description text[],
        requires_ref2 boolean)
     on conflict (product_code, field_id, code) do update
     set label = excluded.label, description = excluded.description,
       display_order = excluded.display_order, is_active = excluded.is_active,
       denomination = excluded.denomination, validity = excluded.validity, features = excluded.features,
       rrp = excluded.rrp, min_amount = excluded.min_amount, max_amount = excluded.max_amount,
       suggested_category = excluded.suggested_category,
       additional_description = excluded.additional_description,
       requires_ref2 = excluded.requires_ref2, version = excluded.version`,
    [JSON.stringify(rows), version],
  )
}
