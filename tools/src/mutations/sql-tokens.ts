type Kind = 'word' | 'number' | 'string' | 'operator'
/**
 * Token of SQL. `depth` counts the brackets and the `case` expressions around it; an opening or closing token has the
 * depth of its outside.
 */
export type Token = {
  kind: Kind
  word: string
  start: number
  end: number
  depth: number
  isAssignment?: boolean
  isBetween?: boolean
  isOrdinal?: boolean
  isSearched?: boolean
}

const FORMS: [kind: Kind | 'space', form: RegExp][] = [
  ['space', /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y],
  ['string', /'(?:[^']|'')*'/y],
  ['word', /\$\d+|#\w+|[A-Za-z_]\w*/y],
  ['number', /\d+(?:\.\d+)?/y],
  ['operator', /=>|:=|<=|>=|<>|!=|\|\||::|->>|->|@>|<@|<<|>>|[\s\S]/y],
]

/** Splits SQL into tokens. A place where a template of TypeScript puts in a value is one word. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.startsWith('${', at) ? endOfHole(text, at) : undefined
    if (end !== undefined) {
      tokens.push({ kind: 'word', word: '(value)', start: at, end, depth: 0 })
      at = end
      continue
    }
    const [kind, found] = readToken(text, at)
    if (kind !== 'space') {
      tokens.push({
        kind,
        word: kind === 'word' ? found.toLowerCase() : found,
        start: at,
        end: at + found.length,
        depth: 0,
      })
    }
    at += found.length
  }
  markDepth(tokens)
  markBetween(tokens)
  markAssignments(tokens)
  markOrdinals(tokens)
  return tokens
}

function readToken(text: string, at: number): [kind: Kind | 'space', found: string] {
  for (const [kind, form] of FORMS) {
    form.lastIndex = at
    const found = form.exec(text)?.[0]
    if (found !== undefined) return [kind, found]
  }
  throw new Error(`no token at ${at}`)
}

function endOfHole(text: string, start: number) {
  let open = 0
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '{') open++
    if (text[at] === '}' && --open === 0) return at + 1
  }
  throw new Error('a value in a template does not end')
}

function markDepth(tokens: Token[]) {
  const open: { word: string; index: number }[] = []
  for (const [index, token] of tokens.entries()) {
    const { word } = token
    const isEndOfCase = word === 'end' && open.at(-1)?.word === 'case'
    if (word === ')' || word === ']' || isEndOfCase) open.pop()
    token.depth = open.length
    if (word === 'when') {
      // `case x when 1` compares; `case when x = 1` decides.
      const owner = open.at(-1)
      token.isSearched = owner?.word === 'case' && tokens[owner.index + 1]?.word === 'when'
    }
    if (word === '(' || word === '[' || word === 'case') open.push({ word, index })
  }
}

/** Marks each `and` that belongs to a `between`. */
function markBetween(tokens: Token[]) {
  for (const [index, { word, depth }] of tokens.entries()) {
    if (word !== 'between') continue
    const and = tokens.slice(index).find((each) => each.word === 'and' && each.depth === depth)
    if (and) and.isBetween = true
  }
}

/** Marks each `=` of `update … set`. */
function markAssignments(tokens: Token[]) {
  for (const [index, { word, depth }] of tokens.entries()) {
    if (word !== 'set') continue
    for (const each of tokens.slice(index + 1)) {
      const isOver = ['where', 'from', 'returning', ';'].includes(each.word) && each.depth === depth
      if (isOver || each.depth < depth) break
      if (each.word === '=' && each.depth === depth) each.isAssignment = true
    }
  }
}

/** Marks the numbers that name a column after `group by` or `order by`. */
function markOrdinals(tokens: Token[]) {
  for (const [index, { word }] of tokens.entries()) {
    if (word !== 'by') continue
    for (const each of tokens.slice(index + 1)) {
      if (each.kind !== 'number' && each.word !== ',') break
      each.isOrdinal = true
    }
  }
}
