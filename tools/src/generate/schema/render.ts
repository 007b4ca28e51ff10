import type { Comments } from './comments.ts'
import type { Catalog } from './introspect.ts'

const WIDTH = 118

const HEADER = `-- Generated from a migrated database: change migrations/ or functions/, then npm run schema.
--
-- Every table as it is now, by the module that owns it, with the comments of the migrations. The text of a function
-- stands in functions/<module>/<name>.sql; here is its signature.
`

/** Renders the schema as a document for a reader. `owners` has the owner of each table, view and sequence by name. */
export function renderSchema(
  schema: Catalog,
  { comments, owners }: Comments,
  functionOwners: Map<string, string>,
) {
  const ownerOf = (name: string) => owners.get(name) ?? 'db'
  const groups = new Map<string, string[]>()
  const add = (owner: string, text: string) => groups.set(owner, [...(groups.get(owner) ?? []), text])
  // The order of the migrations is a good order for a reader.
  const places = [...owners.keys()]
  const inOrder = <Row extends { name: string }>(rows: Row[]) =>
    rows.toSorted((a, b) => places.indexOf(a.name) - places.indexOf(b.name))
  for (const table of inOrder(schema.tables)) add(ownerOf(table.name), renderTable(table, schema, comments))
  for (const view of inOrder(schema.views)) add(ownerOf(view.name), renderView(view, comments))
  for (const sequence of inOrder(schema.sequences)) {
    add(ownerOf(sequence.name), renderSequence(sequence, comments))
  }
  for (const [owner, functions] of groupFunctions(schema.functions, functionOwners)) {
    add(owner, `-- Functions:\n${functions.map(renderSignature).join('\n')}`)
  }
  const parts = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([owner, texts]) => renderGroup(owner, texts))
  return `${HEADER}\n${parts.join('\n')}`
}

function renderGroup(owner: string, texts: string[]) {
  return `-- ── ${owner} ──\n\n${texts.join('\n\n')}\n`
}

function groupFunctions(functions: Catalog['functions'], functionOwners: Map<string, string>) {
  const groups = new Map<string, Catalog['functions']>()
  for (const each of functions) {
    const owner = functionOwners.get(each.name) ?? 'db'
    groups.set(owner, [...(groups.get(owner) ?? []), each])
  }
  return groups
}

function renderTable(table: Catalog['tables'][number], schema: Catalog, comments: Comments['comments']) {
  const { name } = table
  const of = <Row extends { table: string }>(rows: Row[]) => rows.filter((row) => row.table === name)
  const columns = of(schema.columns).map(
    (column) => `${commentAt(comments, `column ${name}.${column.name}`, '  ')}  ${renderColumn(column)}`,
  )
  const constraints = of(schema.constraints).map(
    (each) => `  constraint ${each.name} ${plain(each.definition)}`,
  )
  const end = `${commentAt(comments, `storage ${name}`, '  ')})${renderOptions(table.options)};`
  const lines = [
    `${commentAt(comments, `table ${name}`, '')}create ${table.is_unlogged ? 'unlogged ' : ''}table ${name} (`,
    [...columns, ...constraints].join(',\n'),
    end,
    ...of(schema.indexes).map(
      (each) => `${commentAt(comments, `index ${each.name}`, '')}${plain(each.definition)};`,
    ),
    ...of(schema.triggers).map((each) => `${plain(each.definition).replace(' for each', '\n  for each')};`),
  ]
  return lines.join('\n')
}

function renderColumn({
  name,
  type,
  is_required,
  identity,
  is_generated,
  expression,
  collation,
}: Catalog['columns'][number]) {
  const parts = [name, type]
  if (collation !== null) parts.push(`collate ${collation}`)
  if (is_required) parts.push('not null')
  if (identity !== '') parts.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity`)
  if (is_generated) parts.push(`generated always as (${expression}) stored`)
  else if (expression !== null) parts.push(`default ${expression}`)
  return parts.join(' ').replaceAll('timestamp with time zone', 'timestamptz')
}

function renderOptions(options: string[]) {
  return options.length === 0 ? '' : ` with (${options.map((each) => each.replace('=', ' = ')).join(', ')})`
}

function renderView({ name, definition }: Catalog['views'][number], comments: Comments['comments']) {
  return `${commentAt(comments, `view ${name}`, '')}create view ${name} as\n${definition}`
}

function renderSequence(
  { name, type, start, increment, min, max, cycles }: Catalog['sequences'][number],
  comments: Comments['comments'],
) {
  const bounds = `start ${start} increment ${increment} minvalue ${min} maxvalue ${max}`
  return `${commentAt(comments, `sequence ${name}`, '')}create sequence ${name} as ${type} ${bounds}${cycles ? ' cycle' : ''};`
}

function renderSignature({ name, arguments: given, result }: Catalog['functions'][number]) {
  return wrap(`${name}(${given}) returns ${result}`, '--   ', '--     ')
}

function wrap(text: string, first: string, next: string) {
  const lines: string[] = []
  let line = first
  for (const word of text.replaceAll('timestamp with time zone', 'timestamptz').split(' ')) {
    const isEmpty = line === first || line === next
    if (!isEmpty && line.length + word.length > WIDTH) {
      lines.push(line)
      line = next + word
    } else line += isEmpty ? word : ` ${word}`
  }
  return [...lines, line].join('\n')
}

function commentAt(comments: Comments['comments'], key: string, indent: string) {
  return (comments.get(key) ?? []).map((line) => `${`${indent}-- ${line}`.trimEnd()}\n`).join('')
}

const KEYWORDS =
  /\b(CREATE|UNIQUE|INDEX|INCLUDE|WHERE|TRIGGER|BEFORE|AFTER|INSERT|UPDATE|DELETE|TRUNCATE|FOR EACH|ROW|STATEMENT|EXECUTE FUNCTION|WHEN|PRIMARY KEY|FOREIGN KEY|REFERENCES|CHECK|ON DELETE CASCADE|DEFERRABLE|INITIALLY DEFERRED|COLLATE|IS|NOT|NULL|DISTINCT|FROM|AND|ON|OR|OF|CASE|THEN|ELSE|END|ANY|ARRAY)\b/g

const LIST = /(\w+) = any \(array\[((?:'[^']*'(?:, )?)+)\]\)/g

/**
 * Simplifies a definition: PostgreSQL prints keywords in capitals, types of literals and brackets around everything.
 * Text in quotes stays.
 */
function plain(definition: string) {
  return definition
    .split(/('(?:[^']|'')*')/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(KEYWORDS, (word) => word.toLowerCase())))
    .join('')
    .replace(/\bon (public|ONLY public)\./, 'on ')
    .replace(' USING btree', '')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll("'::text", "'")
    .replace(LIST, '$1 in ($2)')
    .replace(/^check \(\((.*)\)\)$/s, 'check ($1)')
}
