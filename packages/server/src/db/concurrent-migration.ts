import type { Queryable } from './database.ts'
import { splitStatements, withoutLeadingComments } from './statements.ts'

const MARK = /^-- no-transaction[ \t]*\r?\n/
const CREATE_INDEX = /^create\s+(unique\s+)?index\b/i
const NAMED_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)\s+on\s/i
const DROP_INDEX = /^drop\s+index\b/i
const REPEATABLE_DROP = /^drop\s+index\s+concurrently\s+if\s+exists\s/i

/**
 * Tells whether a migration asks to be run statement by statement: `create index concurrently` refuses a transaction.
 */
export function isUntransacted(text: string): boolean {
  return MARK.test(text)
}

/**
 * Refuses a statement that cannot be repeated: such a migration may be interrupted anywhere and is then run again from
 * its beginning.
 */
export function refuseUnrepeatable(file: string, text: string): void {
  for (const statement of splitStatements(text).map(withoutLeadingComments)) {
    if (CREATE_INDEX.test(statement) && !NAMED_INDEX.test(statement)) {
      throw new Error(`${file}: write "create index concurrently if not exists <name> on …"`)
    }
    if (DROP_INDEX.test(statement) && !REPEATABLE_DROP.test(statement)) {
      throw new Error(`${file}: write "drop index concurrently if exists <name>"`)
    }
  }
}

/** Runs each statement in a commit of its own. Indexes that an interrupted run left invalid are built anew. */
export async function runUntransacted(connection: Queryable, text: string): Promise<void> {
  for (const statement of splitStatements(text)) {
    const [, index] = NAMED_INDEX.exec(withoutLeadingComments(statement)) ?? []
    if (index !== undefined) await dropInvalidIndex(connection, index)
    await connection.query(statement)
  }
}

/** Drops an index that was built in part: `if not exists` would take it for a complete one. */
async function dropInvalidIndex(connection: Queryable, name: string): Promise<void> {
  const { rows } = await connection.query<{ statement: string }>(
    `select format('drop index concurrently if exists %I', c.relname) as statement
       from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relname = lower($1) and c.relnamespace = current_schema()::regnamespace and not i.indisvalid`,
    [name],
  )
  for (const { statement } of rows) await connection.query(statement)
}
