// Generated from packages/server/src/http/reference/html.ts by npm run sdk-api. Do not edit.
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
