import type { Queryable, Tx } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'

export const CATALOG_CHANNEL = 'warung_catalog'

export type VersionRow = { readonly version: bigint; readonly structureUpdatedAt: Date }

type Row = { version: bigint; structure_updated_at: Date }

/**
 * Locks the version. It is every writer's first statement: until the commit there is no other writer, and it
 * sees all earlier changes.
 */
export async function lockVersion(tx: Tx): Promise<VersionRow> {
  const { rows } = await tx.query<Row>('select version, structure_updated_at from catalog_version for update')
  return versionOf(rows)
}

const READ = {
  name: 'catalog_version',
  text: 'select version, structure_updated_at from catalog_version',
}

/** Reads the version with one cheap statement, because it runs every second on every node. */
export async function readVersion(connection: Queryable): Promise<VersionRow> {
  const { rows } = await connection.query<Row>(READ)
  return versionOf(rows)
}

function versionOf(rows: readonly Row[]): VersionRow {
  const [row] = rows
  assert(row !== undefined, 'the catalogue has a version row')
  return { version: row.version, structureUpdatedAt: row.structure_updated_at }
}

/**
 * Takes the next version. The time of the structure grows by at least a millisecond, because clients compare
 * times that they see in milliseconds.
 */
export async function takeVersion(tx: Tx, isStructureChanged: boolean): Promise<VersionRow> {
  const { rows } = await tx.query<Row>(
    `update catalog_version
     set version = version + 1,
       structure_updated_at = case when $1
         then greatest(clock.now,
           later(structure_updated_at, interval '1 millisecond'))
         else structure_updated_at end
     from (select date_trunc('milliseconds', statement_timestamp()) as now) clock
     returning version, structure_updated_at`,
    [isStructureChanged],
  )
  return versionOf(rows)
}

/** Notifies every node's catalogue when, and only when, the transaction commits. */
export async function announceVersion(tx: Tx): Promise<void> {
  await tx.query('select pg_notify(channel_prefix() || $1, $2)', [CATALOG_CHANNEL, ''])
}

const BASE_MARK = {
  name: 'catalog_base_mark',
  text: `select concat_ws(' ', (select max(version) from catalog_groups), (select max(version) from catalog_categories),
           (select max(version) from catalog_products), (select max(version) from catalog_options),
           (select max(version) from price_levels), coalesce((select max(version) from catalog_texts), 0)) as mark`,
}

/** Marks the base of the catalogue with its levels and prices: another text when one of them has changed. */
export async function readBaseMark(connection: Queryable): Promise<string> {
  const { rows } = await connection.query<{ mark: string }>(BASE_MARK)
  return rows[0]?.mark ?? ''
}
