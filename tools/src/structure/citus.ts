import type { Project, SourceFile, Violation } from './project.ts'
import { isTest, violation } from './project.ts'
import { blankSqlComments, FUNCTIONS, listTables } from './sql.ts'

const STATEMENTS = /^packages\/server\/src\/(db\/.*\.ts|.*[/.]sql\.ts)$/
const MIGRATIONS = /^packages\/server\/migrations\/(\d{4})/
/** Last migration that was written before groups lay on Citus. A schema is distributed after it has all of these. */
const FREE_MIGRATIONS = 64

const VOLATILE = /\b(clock_timestamp|random|gen_random_uuid|nextval)\(/
const TIME = /\b(now|clock_timestamp|statement_timestamp)\(\)/
const CHOSEN_TIME = new RegExp(
  String.raw`\bcoalesce\([^()]*${TIME.source}|\bcase\b(?:(?!\bend\b).)*${TIME.source}`,
)
/** Addition to something that is neither a parameter nor a variable nor the answer of a function. */
const MOVED_COLUMN =
  /(?<![\w$.)])(?!v_|p_)[a-z]\w*(?:\.\w+)?\s+[-+]\s+(?:make_interval\(|interval '|v_\w+\b(?=.*interval)|[\w$.:]+ \* interval ')/

type Found = { readonly at: number; readonly message: string }

/**
 * Rule: statements on a group's tables have forms that Citus takes, or takes without an error and carries out
 * (docs/adr/0037): a group may lie on a worker of it. Each message names the form to write.
 */
export function formsOfCitus(project: Project): Violation[] {
  const tables = new Set(listTables(project).map(({ name }) => name))
  const tell = (file: SourceFile, found: readonly Found[], offset?: number) =>
    found.map(({ at, message }) => violation(file, offset ?? at, 'citus-form', message))
  const inFunctions = project.list(FUNCTIONS).flatMap((file) => {
    const text = blankSqlComments(file.text)
    return tell(file, [...judge(text, tables), ...judgeLanguage(text, tables)])
  })
  const inStatements = project
    .list(STATEMENTS)
    .filter((file) => !isTest(file.path))
    .flatMap((file) =>
      file.strings.flatMap(({ value, offset }) => tell(file, judge(blankSqlComments(value), tables), offset)),
    )
  const inMigrations = project
    .list(MIGRATIONS)
    .flatMap((file) => tell(file, judgeMigration(file.path, blankSqlComments(file.text))))
  return [...inFunctions, ...inStatements, ...inMigrations]
}

function judge(text: string, tables: ReadonlySet<string>): Found[] {
  const found: Found[] = []
  const test = (at: number, part: string, pattern: RegExp, message: string) => {
    if (pattern.test(part)) found.push({ at, message })
  }
  for (const { index } of text.matchAll(
    /\b(?<!do |for |for no key |after |before )(?:update\s+\w+(?:\s+(?:as\s+)?\w+)?\s+set|delete\s+from)\b/g,
  )) {
    const part = withoutQueries(partFrom(text, index))
    test(index, part, VOLATILE, 'a change takes its time from a variable or from statement_timestamp()')
    test(index, part, CHOSEN_TIME, 'a time in case or coalesce comes from a query: (select … as now) clock')
    test(index, part, MOVED_COLUMN, 'a column is moved by later(column, interval)')
  }
  for (const { index } of text.matchAll(/\bon conflict\b/g)) {
    const part = partFrom(text, index)
    test(index, part, TIME, 'a conflict takes its time from the inserted row: excluded')
    test(index, part, /\(\s*select\b/, 'a conflict asks nothing: what it needs is in the inserted row')
    test(index, part, MOVED_COLUMN, 'a column is moved by later(column, interval)')
  }
  for (const { index } of text.matchAll(/\breturning\b/g)) {
    test(
      index,
      partFrom(text, index + 1),
      TIME,
      'a time is read beside the returned rows: with … returning, select',
    )
  }
  for (const { index } of text.matchAll(/\binsert\s+into\b/g)) {
    const part = partFrom(text, index).replace(/\bon conflict\b[\s\S]*/, '')
    const read =
      /\)\s*select\b/.test(part) || /^insert\s+into\s+\w+\s+select\b/.test(part)
        ? tablesRead(part, tables)
        : []
    const message = 'an insert takes its rows from a query before it: with … insert'
    if (read.length > 0 || /\bvalues\b.*\(\s*select\b/s.test(part)) found.push({ at: index, message })
  }
  return found
}

/** Returns the rest of a statement, up to the end of the query that it stands in. */
function partFrom(text: string, from: number): string {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth < 0 || sign === ';') return text.slice(from, at)
    if (depth === 0 && at > from && /^\breturning\b/.test(text.slice(at, at + 10)) && text[at - 1] === ' ') {
      return text.slice(from, at)
    }
  }
  return text.slice(from)
}

/** Takes out the queries inside of a statement: Citus runs them before it. */
function withoutQueries(text: string): string {
  let rest = text
  for (;;) {
    const start = rest.search(/\(\s*select\b/)
    if (start < 0) return rest
    rest = `${rest.slice(0, start)}${rest.slice(start + 1 + partFrom(rest, start + 1).length + 1)}`
  }
}

function tablesRead(text: string, tables: ReadonlySet<string>): string[] {
  const names = [...text.matchAll(/\b(?:from|join)\s+(\w+)/g)].map(([, name = '']) => name)
  return names.filter((name) => tables.has(name))
}

function judgeLanguage(text: string, tables: ReadonlySet<string>): Found[] {
  const hasParameters = /\bfunction \w+\s*\(\s*\w/.test(text)
  if (!/\blanguage sql\b/.test(text) || !hasParameters) return []
  const touched = [...text.matchAll(/\b(?:from|join|into|update)\s+(\w+)/g)].some(([, name = '']) =>
    tables.has(name),
  )
  return touched ? [{ at: 0, message: 'a function with parameters that touches a table is plpgsql' }] : []
}

function judgeMigration(path: string, text: string): Found[] {
  const found: Found[] = []
  const unlogged = text.search(/\bcreate\s+unlogged\b/)
  if (unlogged >= 0)
    found.push({ at: unlogged, message: 'a table has a log, or its rows do not move with the group' })
  if (Number(MIGRATIONS.exec(path)?.[1]) <= FREE_MIGRATIONS) return found
  for (const match of text.matchAll(/\balter\s+table\b[^;]*/g)) {
    const changes = match[0]
      .replace(/\([^()]*\)/g, '')
      .match(/\b(add|drop|alter|validate|rename)\s+(column|constraint|\w+)/g)
    if (match[0].includes(',') && (changes?.length ?? 0) > 1) {
      found.push({ at: match.index, message: 'an alter table makes one change' })
    }
  }
  return found
}
