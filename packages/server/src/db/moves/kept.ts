import type { Database } from '../database.ts'
import { findPlace } from './place.ts'

/** Drops what the moves of a group left at a place. The mark that leads nodes on stays: their file may be an old one. */
export async function dropKept(database: Database, group: string): Promise<string[]> {
  const place = await findPlace(database)
  if (place?.state !== 'moved' && place?.state !== 'serving') {
    throw new Error(`no move of ${group} that is over left anything here`)
  }
  const { rows } = await database.query<{ name: string; statement: string }>(
    `select nspname as name, format('drop schema %I cascade', nspname) as statement
       from pg_namespace where nspname ~ ('^' || $1 || '_old_[0-9]+$') order by nspname`,
    [group],
  )
  for (const { statement } of rows) await database.query(statement)
  return rows.map(({ name }) => name)
}
