import type { Queryable, Tx } from '../../../db/database.ts'
import type { TextDiff, Translation } from '../model/store.types.ts'
import type { CatalogLanguage } from '../texts/rules.ts'
import type { Versioned } from './base.sql.ts'

type TextRow = { language: CatalogLanguage; text: string; said: string | null; version: bigint }

export async function listTextRows(connection: Queryable, after: bigint): Promise<Versioned<Translation>[]> {
  const { rows } = await connection.query<TextRow>(
    'select language, text, said, version from catalog_texts where version > $1',
    [after],
  )
  return rows.map(({ version, ...row }) => ({ version, row }))
}

/** A translation that is taken back stays as a row without words, by which other nodes learn of it. */
export async function upsertTexts(tx: Tx, diffs: readonly TextDiff[], version: bigint): Promise<void> {
  const rows = diffs.map(({ language, text, after }) => ({ language, text, said: after }))
  await tx.query(
    `insert into catalog_texts (language, text, said, version)
     select language, text, said, $2
     from jsonb_to_recordset($1::jsonb) as given (language text, text text, said text)
     on conflict (language, digest) do update set said = excluded.said, version = excluded.version`,
    [JSON.stringify(rows), version],
  )
}
