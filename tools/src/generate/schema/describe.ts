import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { readComments } from './comments.ts'
import type { Query } from './introspect.ts'
import { introspect } from './introspect.ts'
import { renderSchema } from './render.ts'

const SERVER = new URL('../../../../packages/server/', import.meta.url)

export const SCHEMA_FILE = new URL('schema.sql', SERVER)

/** Returns the text of schema.sql. `query` runs one statement on a database that was migrated from this checkout. */
export async function describeSchema(query: Query) {
  const texts = listSql('migrations/').map((path) =>
    readFileSync(new URL(`migrations/${path}`, SERVER), 'utf8'),
  )
  const functionOwners = new Map(listSql('functions/').map((path) => [basename(path, '.sql'), dirname(path)]))
  return renderSchema(await introspect(query), readComments(texts), functionOwners)
}

function listSql(folder: string) {
  const paths = readdirSync(new URL(folder, SERVER), { recursive: true, encoding: 'utf8' })
  return paths.filter((path) => path.endsWith('.sql')).sort()
}
