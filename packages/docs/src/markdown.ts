import type { Token, Tokens } from 'marked'
import { Marked } from 'marked'
import { highlight, languageName } from './highlight.ts'
import { escapeHtml } from './html.generated.ts'

export type Heading = { readonly depth: number; readonly id: string; readonly text: string }

/** Part of a page under one heading, for the search. */
export type Section = {
  readonly heading: Heading | undefined
  readonly text: string
  /** Rows of its tables that begin with a code, such as `49` or `invalid_signature`. */
  readonly codes: readonly CodeRow[]
}

/** Code that a row of a table explains, under the head of its column. */
export type CodeRow = { readonly code: string; readonly head: string; readonly text: string }

export type Rendered = {
  readonly markup: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

/** Renders a Markdown text. Markup inside it is shown as text; comments are dropped. */
export function renderMarkdown(markdown: string): Rendered {
  const ids = createIds()
  const headings: Heading[] = []
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const text = plainText(tokens)
        const heading = { depth, text, id: ids(text) }
        headings.push(heading)
        const inner = this.parser.parseInline(tokens)
        const link = depth === 1 ? inner : `<a class="anchor" href="#${heading.id}">${inner}</a>`
        return `<h${depth} id="${heading.id}">${link}</h${depth}>\n`
      },
      code: ({ text, lang }) => codeBlock(text, lang ?? ''),
      codespan: ({ text }) => `<code>${breakable(escapeHtml(text))}</code>`,
      html: ({ text }) => (/^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text)),
      table(token) {
        return tableOf(token, (cell) => this.parser.parseInline(cell.tokens))
      },
      link({ href, tokens }) {
        const rel = /^https?:/.test(href) ? ' rel="noopener noreferrer"' : ''
        return `<a href="${escapeHtml(href)}"${rel}>${this.parser.parseInline(tokens)}</a>`
      },
      image: ({ href, text }) =>
        `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}" loading="lazy" decoding="async">`,
    },
  })
  const tokens = marked.lexer(markdown)
  const markup = marked.parser(tokens)
  return { markup, headings, sections: sectionsOf(tokens, headings) }
}

/** Lets a long name break after its separators, so that it fits a narrow column. */
function breakable(markup: string): string {
  // Names in braces are filled in when the page is served.
  if (markup.includes('{')) return markup
  return markup.replace(/(?<=[a-z0-9][_./])(?=[a-z0-9{])/gi, '<wbr>')
}

/** Attributes of a code fence: "js run file=pay.mjs". */
export type Fence = {
  readonly language: string
  readonly flags: ReadonlySet<string>
  readonly file: string | undefined
}

export function readFence(info: string): Fence {
  const [language = '', ...rest] = info.trim().split(/\s+/)
  const file = rest.find((each) => each.startsWith('file='))?.slice('file='.length)
  return { language, file, flags: new Set(rest.filter((each) => !each.includes('='))) }
}

function codeBlock(text: string, info: string): string {
  const { language, file } = readFence(info)
  const title = file ?? languageName(language)
  const code = highlight(text, language)
  return `<div class="code"><p class="code-title">${escapeHtml(title)}</p><pre tabindex="0" role="group" aria-label="${escapeHtml(title)}"><code>${code}\n</code></pre></div>\n`
}

function tableOf({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string): string {
  const head = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('')
  const body = rows
    .map((row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`)
    .join('\n')
  const isNamed = header.some((cell) => cell.text !== '')
  const top = isNamed ? `<thead><tr>${head}</tr></thead>` : ''
  return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${top}<tbody>\n${body}\n</tbody></table></div>\n`
}

/** Returns a function that makes the id of a heading as GitHub does, so that links work in both places. */
export function createIds(): (text: string) => string {
  const taken = new Map<string, number>()
  return (text) => {
    const slug =
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-') || 'section'
    const count = taken.get(slug) ?? 0
    taken.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const sections: { heading: Heading | undefined; parts: string[]; codes: CodeRow[] }[] = [
    { heading: undefined, parts: [], codes: [] },
  ]
  let next = 0
  for (const token of tokens) {
    if (token.type === 'heading') sections.push({ heading: headings[next++], parts: [], codes: [] })
    else {
      sections.at(-1)?.parts.push(plainText([token]))
      if (token.type === 'table') sections.at(-1)?.codes.push(...codeRows(token as Tokens.Table))
    }
  }
  return sections
    .map(({ heading, parts, codes }) => ({ heading, text: spaced(parts.join(' ')), codes }))
    .filter(({ heading, text }) => heading !== undefined || text !== '')
}

function codeRows({ header, rows }: Tokens.Table): CodeRow[] {
  return rows.flatMap(([first, ...others]) => {
    if (first?.tokens[0]?.type !== 'codespan') return []
    const text = spaced(others.map((cell) => plainText(cell.tokens)).join(' '))
    return [{ code: spaced(plainText(first.tokens)), head: plainText(header[0]?.tokens ?? []), text }]
  })
}

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Returns the words of tokens, without marks. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join('')
}

function wordsOf(token: Token): string {
  switch (token.type) {
    case 'table': {
      const { header, rows } = token as Tokens.Table
      const lines = [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' '))
      return `${lines.join(' ')} `
    }
    case 'list':
      return `${(token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')} `
    case 'html':
      return ''
    case 'code':
      // Recorded answers would find every page by the names of demo products.
      return readFence((token as Tokens.Code).lang ?? '').language === 'json' ? '' : `${token.raw} `
    case 'space':
    case 'br':
      return ' '
    default: {
      const { tokens, text } = token as { tokens?: Token[]; text?: string }
      if (tokens !== undefined) return plainText(tokens) + (token.type === 'paragraph' ? ' ' : '')
      return (text ?? '').replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '')
    }
  }
}
