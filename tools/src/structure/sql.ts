import { basename } from 'node:path/posix'
import { areaOf, moduleOf } from './imports.ts'
import type { Project, SourceFile, Violation } from './project.ts'
import { isTest, violation } from './project.ts'

/** Table with the place that made it and the module that owns it. */
export type Table = { file: SourceFile; offset: number; name: string; owner: string | undefined }

type Owners = Map<string, string | undefined>

const MIGRATIONS = /^packages\/server\/migrations\//
export const FUNCTIONS = /^packages\/server\/functions\//
const MIGRATION_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
const SQL_FILE = /[/.]sql\.ts$/
const SQL_ALLOWED = /\/src\/(db|testing)\/|^packages\/acceptance\//

// SQL in lower or upper case, but not `Select …`, which is how a sentence begins.
const SQL_TEXT = [
  /^\s*(select|SELECT)\s/,
  /\bselect\b[^.;]*\sfrom\s+[a-z_]+\b/,
  /\binsert\s+into\s+[\w"$]/i,
  /\bupdate\s+[\w".]+(\s+(as\s+)?\w+)?\s+set\s+\w+\s*=/i,
  /\bdelete\s+from\s+[\w"$]/i,
  /^\s*(truncate|TRUNCATE)\s/,
]

/** Rule: SQL text is in sql.ts files, in db/, or in code that only tests use. */
export function sqlLocations(project: Project): Violation[] {
  const found: Violation[] = []
  for (const file of project.list(/^packages\/[^/]+\/src\/.*\.tsx?$/)) {
    if (SQL_FILE.test(file.path) || isTest(file.path) || SQL_ALLOWED.test(file.path)) continue
    for (const string of file.strings) {
      if (!SQL_TEXT.some((pattern) => pattern.test(string.value))) continue
      found.push(
        violation(file, string.offset, 'sql-place', 'SQL belongs in a sql.ts file of its module, or in db/'),
      )
    }
  }
  return found
}

/** Rule: migrations are numbered 0001, 0002 … without a gap: the order in which every database got them. */
export function migrationNumbers(project: Project): Violation[] {
  const found: Violation[] = []
  for (const [index, file] of project.list(MIGRATIONS).entries()) {
    const number = MIGRATION_NAME.exec(basename(file.path))?.[1]
    const expected = String(index + 1).padStart(4, '0')
    if (number === undefined) {
      found.push(violation(file, 0, 'migration-number', 'the name must look like 0001_what_it_does.sql'))
    } else if (number !== expected) {
      found.push(violation(file, 0, 'migration-number', `expected number ${expected}`))
    }
  }
  return found
}

/** Lists the names that may own a table or a folder of functions. */
export function listOwners(project: Project) {
  const owners = new Set(['db'])
  for (const path of project.files.keys()) {
    const owner = moduleOf(path)
    if (owner !== undefined) owners.add(owner)
  }
  return owners
}

/** Rule: every table and view has its owner in the migration that makes it. */
export function tablesHaveOwners(project: Project): Violation[] {
  const owners = listOwners(project)
  const found: Violation[] = []
  for (const { file, offset, name, owner } of listTables(project)) {
    if (owner === undefined) {
      found.push(
        violation(file, offset, 'table-owner', `table ${name}: no "-- owner: <module>" line right above it`),
      )
    } else if (!owners.has(owner)) {
      found.push(violation(file, offset, 'table-owner', `table ${name}: its owner "${owner}" is no module`))
    }
  }
  return found
}

/**
 * Rule: a module reads and writes only its own tables, in its statements and in its functions. For another module's
 * data it calls that module's service or functions.
 */
export function tablesOfOwnModule(project: Project): Violation[] {
  const owners = new Map(listTables(project).map(({ name, owner }) => [name, owner]))
  const inFunctions = project
    .list(FUNCTIONS)
    .flatMap((file) =>
      strayTables(file.text, folderOf(file.path), owners, 'call a function of').map((message) =>
        violation(file, 0, 'table-home', message),
      ),
    )
  return [...inFunctions, ...strayInStatements(project, owners)]
}

function strayInStatements(project: Project, owners: Owners): Violation[] {
  return project
    .list(/^packages\/server\/src\/(db\/.*\.ts|.*[/.]sql\.ts)$/)
    .filter((file) => !isTest(file.path))
    .flatMap((file) =>
      [...file.strings, ...leasedTables(file)].flatMap(({ value, offset }) =>
        strayTables(value, homeOf(file.path), owners).map((message) =>
          violation(file, offset, 'table-home', message),
        ),
      ),
    )
}

// Declaration of a table's leases. The statements that db/leases.ts makes of it write the table.
const LEASED_TABLE = /\bdefineLease\(\{\s*table: '(\w+)'/g

function leasedTables(file: SourceFile) {
  return [...file.text.matchAll(LEASED_TABLE)].map((match) => ({
    value: `update ${match[1]}`,
    offset: match.index,
  }))
}

// Returns the module, or else the area: db owns tables, and no other area does.
function homeOf(path: string) {
  return moduleOf(path) ?? areaOf(path)
}

function strayTables(statement: string, home: string, owners: Owners, remedy = 'go through the service of') {
  const messages = tablesTouched(statement)
    .filter(({ table }) => (owners.get(table) ?? home) !== home)
    .map(({ table, verb }) => {
      const owner = owners.get(table)
      return `${home} ${verb} ${table}, which ${owner} owns; ${remedy} ${owner}`
    })
  if (TABLE_PUT_IN.test(statement))
    messages.push('write the table name out, so that its owner can be checked')
  return messages
}

/** Lists the tables after all migrations, each with the place that made it and its owner. */
export function listTables(project: Project): Table[] {
  const tables = new Map<string, Table>()
  for (const file of project.list(MIGRATIONS)) {
    const text = blankSqlComments(file.text)
    for (const match of text.matchAll(TABLE_CHANGE)) {
      const { made, parent = '', dropped, renamed = '', newName } = match.groups ?? {}
      if (made !== undefined) {
        const owner = ownerAbove(file, match.index) ?? tables.get(parent)?.owner
        tables.set(made, { file, offset: match.index, name: made, owner })
      }
      const earlier = tables.get(renamed)
      if (newName !== undefined && earlier !== undefined) tables.set(newName, { ...earlier, name: newName })
      tables.delete(dropped ?? renamed)
    }
  }
  return [...tables.values()]
}

const TABLE_CHANGE = new RegExp(
  [
    'create\\s+(?:(?:unlogged\\s+)?table|(?:or\\s+replace\\s+)?view)\\s+(?:if\\s+not\\s+exists\\s+)?(?<made>\\w+)(?:\\s+partition\\s+of\\s+(?<parent>\\w+))?',
    'drop\\s+(?:table|view)\\s+(?:if\\s+exists\\s+)?(?<dropped>\\w+)',
    'alter\\s+table\\s+(?<renamed>\\w+)\\s+rename\\s+to\\s+(?<newName>\\w+)',
  ].join('|'),
  'gi',
)

function ownerAbove(file: SourceFile, offset: number) {
  const lines = file.text.slice(0, offset).split('\n').slice(0, -1)
  while (lines.at(-1)?.startsWith('--')) {
    const owner = /^--\s*owner:\s*([\w-]+)\s*$/.exec(lines.pop() ?? '')?.[1]
    if (owner !== undefined) return owner
  }
  return undefined
}

const TABLE_PUT_IN = /\b(into|update|from|join|truncate)\s+\$\{\}/i
const WRITTEN =
  /\b(?:insert\s+into|merge\s+into|update(?:\s+only)?|delete\s+from(?:\s+only)?|truncate(?:\s+table)?|lock\s+table)\s+(\w+)/gi
// Name, perhaps an alias, and the same again after each comma.
const LISTED = String.raw`\w+(?:\s+(?:as\s+)?(?!join\b|using\b)\w+)?`
const READ = new RegExp(
  String.raw`(?<!\bdelete\s+)\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?(${LISTED}(?:\s*,\s*${LISTED})*)`,
  'gi',
)

/** Lists the names in the places of tables. Most are tables; the rest have no owner and do no harm. */
function tablesTouched(text: string) {
  const statement = blankSqlComments(text)
    .replace(/'[^']*'/g, "''")
    .replaceAll('"', '')
    .toLowerCase()
  const written = [...statement.matchAll(WRITTEN)].map(([, table = '']) => table)
  const read = [...statement.matchAll(READ)].flatMap(([, list = '']) =>
    list.split(',').map((part) => part.trim().replace(/\s.*/s, '')),
  )
  return [
    ...written.map((table) => ({ table, verb: 'writes' })),
    ...read.map((table) => ({ table, verb: 'reads' })),
  ]
}

/** Returns the module whose folder of functions a file is in. */
export function folderOf(path: string) {
  return path.replace(FUNCTIONS, '').replace(/\/.*/, '')
}

export function blankSqlComments(text: string) {
  return text.replace(/--[^\n]*/g, (comment) => ' '.repeat(comment.length))
}
