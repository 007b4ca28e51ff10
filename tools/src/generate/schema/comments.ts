// Reads the comments of the migrations: the database does not keep them.

const STARTS: [kind: string, pattern: RegExp][] = [
  ['table', /^create (?:unlogged )?table (?:if not exists )?(\w+) \(/],
  ['index', /^create (?:unique )?index (?:concurrently )?(?:if not exists )?(\w+)/],
  ['view', /^create (?:or replace )?view (\w+)/],
  ['sequence', /^create sequence (\w+)/],
]
/** Mark of a migration that runs statement by statement; it is no comment. */
const NO_TRANSACTION = /^-- no-transaction\s*$/
const COMMENT = /^\s*-- ?(.*)$/
const OWNER = /^owner: ([\w-]+)$/
const ALTER = /^alter table (\w+)/
const ADDED_COLUMN = /\badd column (?:if not exists )?(\w+)/
const COLUMN = /^ {2}(?!constraint\b|primary\b|unique\b|check\b|foreign\b|exclude\b)(\w+) /

/** Comments of the migrations by what they are about, and the owner of each table and view. */
export type Comments = { comments: Map<string, string[]>; owners: Map<string, string> }

/** Table that a line belongs to, and whether it is being made there. */
type Place = { table: string | undefined; isCreated: boolean }

/**
 * Reads comments by the line right under them: `table wallets`, `column wallets.balance`, `index …`, `view …`,
 * `sequence …`, and `storage wallets` for one above the end of a table. `owners` has the owner of each table and view.
 */
export function readComments(texts: string[]): Comments {
  const comments: Comments['comments'] = new Map()
  const owners: Comments['owners'] = new Map()
  for (const text of texts) readText(text, comments, owners)
  return { comments, owners }
}

function readText(text: string, comments: Comments['comments'], owners: Comments['owners']) {
  const place: Place = { table: undefined, isCreated: false }
  let above: string[] = []
  for (const line of text.split('\n')) {
    if (NO_TRANSACTION.test(line)) continue
    const comment = COMMENT.exec(line)
    if (comment !== null) {
      above.push(comment[1] ?? '')
      continue
    }
    const key = keyOf(line, place)
    if (key !== undefined) keep(key, above, comments, owners)
    // A comment above `alter table` is about the column in the next line.
    if (key !== undefined || !ALTER.test(line)) above = []
  }
}

/** Returns the key of the object that a line begins, in the table that is being made or altered. */
function keyOf(line: string, place: Place) {
  const [kind, name] = startOf(line)
  if (kind !== undefined) {
    place.isCreated = kind === 'table'
    place.table = place.isCreated ? name : undefined
    return `${kind} ${name}`
  }
  const altered = ALTER.exec(line)?.[1]
  if (altered !== undefined) Object.assign(place, { table: altered, isCreated: false })
  const { table } = place
  if (table === undefined) return undefined
  const column = (place.isCreated ? COLUMN : ADDED_COLUMN).exec(line)?.[1]
  if (column !== undefined) return `column ${table}.${column}`
  if (!line.startsWith(')')) return undefined
  place.table = undefined
  return `storage ${table}`
}

function keep(key: string, above: string[], comments: Comments['comments'], owners: Comments['owners']) {
  const words = above.filter((line) => !OWNER.test(line))
  if (words.length > 0) comments.set(key, words)
  const owner = above.map((line) => OWNER.exec(line)?.[1]).find((each) => each !== undefined)
  if (owner !== undefined) owners.set(key.slice(key.indexOf(' ') + 1), owner)
}

function startOf(line: string): [kind?: string, name?: string] {
  for (const [kind, pattern] of STARTS) {
    const name = pattern.exec(line)?.[1]
    if (name !== undefined) return [kind, name]
  }
  return []
}
