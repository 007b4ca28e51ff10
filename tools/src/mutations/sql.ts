import type { Token } from './sql-tokens.ts'
import { tokensOf } from './sql-tokens.ts'

/** Text from `start` to `end` that is replaced. */
export type Edit = { start: number; end: number; replacement: string }
/** Token under the eye, in its statement. */
type Place = {
  text: string
  tokens: Token[]
  index: number
  token: Token
  edit(start: number, end: number, replacement: string): void
}

const STATEMENT =
  /^\s*(?:select\s+\S|insert\s+into\s|update\s+\w+\s[\s\S]*\bset\b|delete\s+from\s|case\s+when\s|with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\b)/i

const OPERATORS = table({
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
})
const SWAPPED_WORDS = table({
  true: 'false',
  false: 'true',
  least: 'greatest',
  greatest: 'least',
  min: 'max',
  max: 'min',
  or: 'and',
})
const ENDS_CONDITION = new Set(
  'and or then order group having limit returning for union join left right inner cross loop when else end on where into from set window'.split(
    ' ',
  ),
)
const REMOVED_STATEMENTS = new Set(
  'perform insert update delete with raise select continue return'.split(' '),
)
const BEGINS_STATEMENT = new Set([';', 'begin', 'then', 'else', 'loop'])
const LOCK = /^for (?:no key update|update|key share|share)(?: of \w+)?(?: nowait| skip locked)?/
const CODE_WORD = /^'[\w.:/-]+'$/

/** Makes a table that has its own names alone: `toString` is a name in the code like any other. */
export function table<T>(entries: Record<string, T>): Record<string, T> {
  return Object.assign(Object.create(null), entries)
}

/** Tells whether a string of the code is a statement, or the part of one that decides something. */
export function isSql(text: string): boolean {
  return STATEMENT.test(text)
}

/**
 * Lists the changes of the file of an SQL function. Everything outside its body, such as its parameters and its
 * triggers, stays as it is.
 */
export function functionChanges(text: string): Edit[] {
  const from = text.indexOf('$$') + 2
  const to = text.indexOf('$$', from)
  const isProcedural = /\blanguage plpgsql\b/.test(text.slice(0, from))
  return sqlEdits(text.slice(from, to), isProcedural).map(({ start, end, replacement }) => ({
    start: start + from,
    end: end + from,
    replacement,
  }))
}

/** Lists the edits of a statement, or of a function's body. */
export function sqlEdits(text: string, isProcedural = false): Edit[] {
  const tokens = tokensOf(text)
  const edits: Edit[] = []
  const edit = (start: number, end: number, replacement: string) => {
    if (text.slice(start, end) !== replacement) edits.push({ start, end, replacement })
  }
  for (const [index, token] of tokens.entries()) {
    const at = { text, tokens, index, token, edit }
    editToken(at)
    editPhrase(at)
    editCondition(at)
    if (isProcedural) editStatement(at)
  }
  return withoutRepeats(edits).sort((a, b) => a.start - b.start || b.end - a.end)
}

/** Two rules may lead to the same text: a condition of one part is dropped as a part and as a whole. */
function withoutRepeats(edits: readonly Edit[]) {
  return [...new Map(edits.map((edit) => [JSON.stringify(edit), edit])).values()]
}

function tokenAt(tokens: readonly Token[], index: number) {
  const token = tokens[index]
  if (token === undefined) throw new Error(`the statement has no token ${index}`)
  return token
}

function wordAt({ tokens, index }: Place, offset: number) {
  return tokens[index + offset]?.word ?? ''
}

function editToken(at: Place) {
  const { text, token, edit } = at
  const { start, end, word, kind } = token
  const before = wordAt(at, -1)
  if (kind === 'operator') {
    const isStar = word === '*' && ['(', 'select', '.', 'returning'].includes(before)
    const other = OPERATORS[word]
    if (other !== undefined && !isStar && !token.isAssignment) edit(start, end, other)
  } else if (kind === 'number') {
    // `select 1` stands for any value, `group by 1` for a column, and `limit 1` for the only row.
    const isNumbered = ['select', 'perform', 'returning', 'limit'].includes(before) || token.isOrdinal
    if (!isNumbered) edit(start, end, String(Number(word) + 1))
  } else if (kind === 'string') {
    if (CODE_WORD.test(word) && before !== 'interval') edit(start, end, `''`)
  } else if (before !== 'on') edit(start, end, SWAPPED_WORDS[word] ?? text.slice(start, end))
}

function editPhrase(at: Place) {
  const { text, tokens, index, token, edit } = at
  const { start, word } = token
  const next = tokens[index + 1]
  const drop = () => edit(start, next?.start ?? token.end, '')
  if (word === 'not' && next) drop()
  if (word === 'desc') edit(start, token.end, '')
  if (word === 'left' && next?.word === 'join') drop()
  if (word === 'distinct' && next?.word !== 'from') drop()
  if (word === 'is' && ['null', 'distinct', 'true', 'false'].includes(next?.word ?? '')) {
    edit(start, token.end, 'is not')
  }
  if (word === 'skip' && next?.word === 'locked') edit(start, next.end, '')
  if (word === 'for') {
    const [lock] = LOCK.exec(text.slice(start).replace(/\s+/g, ' ')) ?? []
    if (lock !== undefined) edit(start, tokenAt(tokens, index + lock.split(' ').length - 1).end, '')
  }
}

/** Leaves out each part of a condition, and replaces whole conditions by constants. */
function editCondition(at: Place) {
  const { tokens, index, token, edit } = at
  const { word, start } = token
  if (word === 'and' && !token.isBetween) edit(start, tokenAt(tokens, endOfPart(tokens, index) - 1).end, '')
  const isJoin = word === 'on' && !['conflict', 'true'].includes(wordAt(at, 1))
  if (word === 'where' || isJoin) editFirstPart(at)
  if (word === 'if' || word === 'elsif' || word === 'while') editWhole(at, word === 'while' ? 'loop' : 'then')
  if (word === 'when' && token.isSearched) editWhole(at, 'then')
}

function editFirstPart({ tokens, index, edit }: Place) {
  const first = tokens[index + 1]
  const endIndex = endOfPart(tokens, index)
  const follower = tokens[endIndex]
  if (!first || endIndex <= index + 1) return
  if (follower?.word === 'and') edit(first.start, tokenAt(tokens, endIndex + 1).start, '')
  else if (follower?.word !== 'or') edit(first.start, tokenAt(tokens, endIndex - 1).end, 'true')
}

function editWhole({ tokens, index, token, edit }: Place, endWord: string) {
  const endIndex = tokens.findIndex(
    (each, place) => place > index && each.word === endWord && each.depth === token.depth,
  )
  // `end if` has no condition.
  if (endIndex < 0 || tokens[index - 1]?.word === 'end') return
  const [start, end] = [tokenAt(tokens, index + 1).start, tokenAt(tokens, endIndex - 1).end]
  if (token.word !== 'while') edit(start, end, 'true')
  edit(start, end, 'false')
}

/** Finds the token after the part of a condition that begins behind `index`. */
function endOfPart(tokens: readonly Token[], index: number) {
  const { depth } = tokenAt(tokens, index)
  for (let place = index + 1; place < tokens.length; place++) {
    const { depth: own, word, isBetween, kind } = tokenAt(tokens, place)
    if (own < depth) return place
    if (own > depth) continue
    if (word === ';' || word === ',' || word === '`') return place
    if (kind !== 'word' || !ENDS_CONDITION.has(word) || isBetween) continue
    const isCall = tokens[place + 1]?.word === '(' && (word === 'left' || word === 'right')
    const isDistinct = word === 'from' && tokens[place - 1]?.word === 'distinct'
    if (!isCall && !isDistinct) return place
  }
  return tokens.length
}

function editStatement(at: Place) {
  const { tokens, index, token, edit } = at
  if (token.depth !== 0 || !BEGINS_STATEMENT.has(wordAt(at, -1))) return
  const endIndex = tokens.findIndex((each, place) => place > index && each.word === ';' && each.depth === 0)
  if (endIndex < 0) return
  const isAssignment = tokens
    .slice(index, endIndex)
    .some((each) => each.word === ':=' && each.depth === token.depth)
  if (!isAssignment && !REMOVED_STATEMENTS.has(token.word)) return
  edit(token.start, tokenAt(tokens, endIndex - 1).end, 'null')
}
