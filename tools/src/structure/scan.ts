// Reads TypeScript and JavaScript just far enough to separate code, strings and comments. TypeScript 7 has no compiler
// API, and a parser as a dependency would be the largest thing in the repository's own tools.

const WORDS_BEFORE_A_REGEX = new Set('return typeof case in of delete void throw else await yield'.split(' '))

// Placeholder for a substitution in the value of a template string.
export const PUT_IN = '$' + '{}'

/** Text at its place in a file. */
export type Token = { value: string; offset: number }
export type Scanned = { code: string; strings: Token[]; comments: Token[]; regexes: Token[] }
export type Import = { specifier: string; offset: number; typeOnly: boolean }

type State = {
  text: string
  at: number
  blanks: [from: number, to: number][]
  strings: Token[]
  comments: Token[]
  regexes: Token[]
  templates: (Token & { depth: number })[]
}

/**
 * Scans a text. `code` is the text in which strings, comments and regular expressions are replaced by spaces of the
 * same length, so that a pattern is never found in prose.
 */
export function scan(text: string): Scanned {
  const state: State = { text, at: 0, blanks: [], strings: [], comments: [], regexes: [], templates: [] }
  while (state.at < text.length) readToken(state)
  const { strings, comments, regexes } = state
  return { code: blank(text, state.blanks), strings, comments, regexes }
}

function readToken(state: State) {
  const { text, at, templates } = state
  const two = text.slice(at, at + 2)
  const one = text[at]
  if (two === '//' || two === '/*') readComment(state, two)
  else if (one === "'" || one === '"') readQuoted(state)
  else if (one === '/' && regexMayStart(text, at)) readRegex(state)
  else if (one === '`') {
    templates.push({ offset: at, value: '', depth: 0 })
    readTemplateChunk(state)
  } else readCharacter(state)
}

/** Reads on in code. The brace that ends a substitution goes back into its template. */
function readCharacter(state: State) {
  const template = state.templates.at(-1)
  const one = state.text[state.at]
  if (one === '}' && template?.depth === 0) {
    readTemplateChunk(state)
    return
  }
  if (one === '{' && template !== undefined) template.depth++
  if (one === '}' && template !== undefined) template.depth--
  state.at++
}

function readComment(state: State, opening: string) {
  const { text, at } = state
  const found = opening === '//' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2)
  const end = found === -1 ? text.length : found + (opening === '//' ? 0 : 2)
  state.comments.push({ value: text.slice(at, end), offset: at })
  state.blanks.push([at, end])
  state.at = end
}

// A quoted string ends with its line at the latest, so that an apostrophe in a page's text costs one line.
function readQuoted(state: State) {
  const { text, at } = state
  let end = at + 1
  while (end < text.length && text[end] !== text[at] && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1
  state.strings.push({ value: text.slice(at + 1, end), offset: at })
  state.blanks.push([at + 1, Math.min(end, text.length)])
  state.at = end + 1
}

/** Reads from the opening backtick, or from the brace that ends a substitution, to the next of either. */
function readTemplateChunk(state: State) {
  const { text, templates } = state
  const template = templates.at(-1)
  if (template === undefined) return
  const from = state.at + 1
  let end = from
  while (end < text.length && text[end] !== '`' && !text.startsWith('${', end)) {
    end += text[end] === '\\' ? 2 : 1
  }
  template.value += text.slice(from, end)
  state.blanks.push([from, Math.min(end, text.length)])
  if (text[end] === '$') {
    template.value += PUT_IN
    state.at = end + 2
    return
  }
  state.strings.push({ value: template.value, offset: template.offset })
  templates.pop()
  state.at = end + 1
}

function readRegex(state: State) {
  const end = endOfRegex(state.text, state.at)
  state.regexes.push({ value: state.text.slice(state.at, end + 1), offset: state.at })
  state.blanks.push([state.at + 1, end])
  state.at = end + 1
}

const IMPORT_FROM =
  /\b(?:import|export)\s+(?<type>type\s+(?!from\b))?(?:(?!\b(?:import|export)\b)[\w$*\s{},])*?\bfrom\s*(?<quote>['"])/dg
const IMPORT_ALONE = /\bimport\s*\(?\s*(?<quote>['"])/dg

/** Lists every import of the scanned text: static, re-exported, for its effect alone, and `import()`. */
export function importsOf({ code, strings }: Scanned): Import[] {
  const valueAt = new Map(strings.map((string) => [string.offset, string.value]))
  const imports: Import[] = []
  for (const pattern of [IMPORT_FROM, IMPORT_ALONE]) {
    for (const match of code.matchAll(pattern)) {
      const [quote] = match.indices?.groups?.quote ?? [-1]
      const specifier = valueAt.get(quote)
      if (specifier === undefined) continue
      imports.push({ specifier, offset: match.index, typeOnly: match.groups?.type !== undefined })
    }
  }
  return imports.sort((a, b) => a.offset - b.offset)
}

function regexMayStart(text: string, at: number) {
  const before = text.slice(Math.max(0, at - 40), at).trimEnd()
  const word = /[\w$]+$/.exec(before)?.[0]
  if (word !== undefined) return WORDS_BEFORE_A_REGEX.has(word) && endOfRegex(text, at) > at
  return !/[)\]'"`]$/.test(before) && endOfRegex(text, at) > at
}

function endOfRegex(text: string, at: number) {
  let inClass = false
  for (let end = at + 1; end < text.length && text[end] !== '\n'; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '[') inClass = true
    else if (text[end] === ']') inClass = false
    else if (text[end] === '/' && !inClass) return end
  }
  return at
}

function blank(text: string, ranges: [number, number][]) {
  let result = ''
  let done = 0
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
    result += text.slice(done, from) + text.slice(from, to).replace(/[^\n]/g, ' ')
    done = to
  }
  return result + text.slice(done)
}
