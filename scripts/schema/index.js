import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { readComments } from './comments.js'
import { introspect } from './introspect.js'
import { renderSchema } from './render.js'

const SERVER = new URL('../../packages/server/', import.meta.url)

export const SCHEMA_FILE = new URL('schema.sql', SERVER)

/** Returns the text of schema.sql. `query` runs one statement on a database that was migrated from this checkout. */
export async function describeSchema(query) {
  const texts = listSql('migrations/').map((path) =>
    readFileSync(new URL(`migrations/${path}`, SERVER), 'utf8'),
  )
  const functionOwners = new Map(listSql('functions/').map((path) => [basename(path, '.sql'), dirname(path)]))
  return renderSchema(await introspect(query), readComments(texts), functionOwners)
}

function listSql(folder) {
  const paths = readdirSync(new URL(folder, SERVER), { recursive: true })
  return paths.filter((path) => path.endsWith('.sql')).sort()
}
