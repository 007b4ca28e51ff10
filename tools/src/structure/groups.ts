import type { Project, Violation } from './project.ts'
import { isTest, violation } from './project.ts'
import { blankSqlComments, FUNCTIONS } from './sql.ts'

const SOURCES = /^packages\/server\/src\/(db\/.*\.ts|.*[/.]sql\.ts)$/
const MIGRATIONS = /^packages\/server\/migrations\//
/** The two functions that know the schema that a database has from the start. */
const MARKS = /\/functions\/db\/(lock_mark|channel_prefix)\.sql$/
const NAMED_SCHEMA = /\bpublic\.\w|'public'|\bschema\s+public\b/i
const LOCK = /\bpg_(?:try_)?advisory_(?:xact_)?(?:un)?lock(?:_shared)?\(/
const NOTICE = /\bpg_notify\((?!channel_prefix\(\))/

/**
 * Rule: a group of resellers is a schema, and several share a database (docs/adr/0027). So no statement names a schema,
 * advisory locks carry its mark, and channels its prefix.
 */
export function marksOfSchemas(project: Project): Violation[] {
  const inFiles = [...project.list(FUNCTIONS), ...project.list(MIGRATIONS)]
    .filter(({ path }) => !MARKS.test(path))
    .flatMap((file) =>
      judge(blankSqlComments(file.text)).map(({ at, message }) =>
        violation(file, at, 'schema-mark', message),
      ),
    )
  const inStatements = project
    .list(SOURCES)
    .filter((file) => !isTest(file.path))
    .flatMap((file) =>
      file.strings.flatMap(({ value, offset }) =>
        judge(value).map(({ message }) => violation(file, offset, 'schema-mark', message)),
      ),
    )
  return [...inFiles, ...inStatements]
}

function judge(text: string) {
  const found = [
    { at: text.search(NAMED_SCHEMA), message: 'names a schema: every group has a schema of its own' },
    { at: text.search(NOTICE), message: 'a channel begins with channel_prefix()' },
  ]
  const lock = {
    at: text.search(LOCK),
    message: 'an advisory lock carries the mark of the schema: # lock_mark()',
  }
  if (!text.includes('# lock_mark()')) found.push(lock)
  return found.filter(({ at }) => at >= 0)
}
