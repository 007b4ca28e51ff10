import { escapeHtml } from './html.generated.ts'

// Colours code with one regular expression per language, at build time. A highlighting library brings grammars of
// megabytes for the same four kinds of words: comments, strings, numbers and keywords.

type Language = {
  readonly comment?: RegExp
  readonly string: RegExp
  readonly keywords: readonly string[]
}

const QUOTED = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/
const TEMPLATE = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/
const SLASHES = /\/\/[^\n]*|\/\*[\s\S]*?\*\//
const HASH = /(?<=^|\s)#[^\n]*/

const words = (text: string) => text.split(' ')

const JAVASCRIPT: Language = {
  comment: SLASHES,
  string: TEMPLATE,
  keywords: words(
    'as async await break case catch class const continue default else export extends false finally for from function ' +
      'if import in instanceof interface let new null of return satisfies static switch this throw true try type ' +
      'typeof undefined while yield',
  ),
}
const SHELL: Language = {
  comment: HASH,
  string: QUOTED,
  keywords: words('case do done elif else esac export fi for function if in local return set then while'),
}
const PYTHON: Language = {
  comment: HASH,
  string: /"""[\s\S]*?"""|[fbr]?"(?:\\.|[^"\\\n])*"|[fbr]?'(?:\\.|[^'\\\n])*'/,
  keywords: words(
    'and as assert break class continue def del elif else except False finally for from global if import in is lambda ' +
      'None not or pass raise return True try while with yield',
  ),
}
const PHP: Language = {
  comment: /\/\/[^\n]*|#[^\n[]*|\/\*[\s\S]*?\*\//,
  string: QUOTED,
  keywords: words(
    'array as break case catch class const continue declare echo else elseif extends false final fn for foreach ' +
      'function if implements instanceof int namespace new null private public readonly require require_once return ' +
      'static string switch throw true try use void while',
  ),
}
const GO: Language = {
  comment: SLASHES,
  string: /"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])*'/,
  keywords: words(
    'break case chan const continue default defer else error false fallthrough for func go if import interface map nil ' +
      'package range return select string struct switch true type var',
  ),
}
const JAVA: Language = {
  comment: SLASHES,
  string: /"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/,
  keywords: words(
    'abstract boolean break byte case catch char class continue default do double else enum extends false final ' +
      'finally for if implements import int interface long new null package private protected public record return ' +
      'static String switch this throw throws true try var void while',
  ),
}
const JSON_LIKE: Language = { string: QUOTED, keywords: words('true false null') }

const LANGUAGES: Readonly<Record<string, Language>> = {
  js: JAVASCRIPT,
  mjs: JAVASCRIPT,
  ts: JAVASCRIPT,
  tsx: JAVASCRIPT,
  sh: SHELL,
  bash: SHELL,
  py: PYTHON,
  php: PHP,
  go: GO,
  java: JAVA,
  json: JSON_LIKE,
}

const NAMES: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  mjs: 'JavaScript',
  ts: 'TypeScript',
  sh: 'Shell',
  bash: 'Shell',
  py: 'Python',
  php: 'PHP',
  go: 'Go',
  java: 'Java',
  json: 'JSON',
  text: 'Text',
  http: 'HTTP',
}

export function languageName(language: string): string {
  return NAMES[language] ?? 'Text'
}

const patterns = new Map<Language, RegExp>()

function patternOf(language: Language): RegExp {
  const known = patterns.get(language)
  if (known !== undefined) return known
  const comment = language.comment?.source ?? '(?!)'
  const source = `(?<comment>${comment})|(?<string>${language.string.source})|(?<number>\\b\\d[\\d_.]*\\b)|(?<word>[A-Za-z_]\\w*)`
  const made = new RegExp(source, 'gm')
  patterns.set(language, made)
  return made
}

/** Returns the code as markup, with spans around comments (c), strings (s), numbers (n) and keywords (k). */
export function highlight(code: string, name: string): string {
  const language = LANGUAGES[name]
  if (language === undefined) return escapeHtml(code)
  let markup = ''
  let done = 0
  for (const match of code.matchAll(patternOf(language))) {
    const kind = kindOf(match.groups ?? {}, language)
    if (kind === undefined) continue
    markup += `${escapeHtml(code.slice(done, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`
    done = match.index + match[0].length
  }
  return markup + escapeHtml(code.slice(done))
}

function kindOf(groups: Readonly<Record<string, string | undefined>>, language: Language) {
  if (groups.comment !== undefined) return 'c'
  if (groups.string !== undefined) return 's'
  if (groups.number !== undefined) return 'n'
  return language.keywords.includes(groups.word ?? '') ? 'k' : undefined
}
