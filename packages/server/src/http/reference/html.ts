/** Markup that `html` built; everything else that goes into a page is text and gets escaped. */
export type Html = { readonly markup: string }

export type HtmlValue = string | number | Html | readonly Html[] | undefined | false

/**
 * Builds markup from a tagged template: the template's own text is markup, the values are escaped unless they are Html.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = strings[0] ?? ''
  for (const [index, value] of values.entries()) markup += render(value) + (strings[index + 1] ?? '')
  return { markup }
}

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  if ('markup' in value) return value.markup
  return value.map((each) => each.markup).join('')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** Renders text with `code` in backticks. */
export function inline(text: string): Html {
  const parts = text.split(/`([^`]+)`/)
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`
}

/** Renders paragraphs that blank lines separate. */
export function prose(text: string | undefined): Html {
  const paragraphs = (text ?? '').split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '')
  return html`${paragraphs.map((paragraph) => html`<p>${inline(paragraph)}</p>\n`)}`
}

/** Renders a block that scrolls for a long line. The keyboard must therefore be able to reach it. */
export function codeBlock(label: string, text: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>\n`
}

/** Lets a long name break after its separators, and between its words, so that it fits a narrow screen. */
export function breakable(name: string): Html {
  const parts = name.split(/(?<=[./_])|(?<=[a-z])(?=[A-Z])/)
  return html`${parts.map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}`
}

export type Table = {
  readonly label: string
  readonly columns: readonly [first: string, second: string]
  readonly rows: readonly (readonly [first: Html, second: Html])[]
  /** True when the first column holds three digits. */
  readonly byStatus?: true
}

/** Renders two columns, because more do not fit a telephone. */
export function table({ label, columns, rows, byStatus }: Table): Html {
  const body = rows.map(([first, second]) => html`<tr><th scope="row">${first}</th><td>${second}</td></tr>\n`)
  return html`<table${byStatus === true && html` class="by-status"`}><caption>${label}</caption>
<thead><tr><th scope="col">${columns[0]}</th><th scope="col">${columns[1]}</th></tr></thead>
<tbody>
${body}</tbody></table>
`
}
