import { posix } from 'node:path'

/** Place of a page on the site, such as `quick-start` or `reference/pay`. */
export type PagePath = string

/** Finds the page that was made from a file of the repository. */
export type PageFinder = (source: string) => PagePath | undefined

export function urlOf(path: PagePath): string {
  return path === 'index' ? '/docs' : `/docs/${path}`
}

export function twinOf(path: PagePath): string {
  return `/docs/${path}.md`
}

const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g

/**
 * Rewrites the links of a Markdown text. `target` returns the new address of a link or picture; undefined turns the link
 * into its text. Code is left alone.
 */
export function rewriteLinks(
  markdown: string,
  target: (href: string, isPicture: boolean) => string | undefined,
): string {
  return outsideCode(markdown, (text) =>
    text.replace(LINK, (_whole, mark: string, label: string, href: string) => {
      const found = target(href, mark === '!')
      return found === undefined ? label : `${mark}[${label}](${found})`
    }),
  )
}

/** Applies a change to the text between code fences and code spans. */
export function outsideCode(markdown: string, change: (text: string) => string): string {
  return markdown
    .split(/(^ {0,3}```[\s\S]*?^ {0,3}```[^\n]*$)/m)
    .map((part, index) => (index % 2 === 1 ? part : outsideSpans(part, change)))
    .join('')
}

function outsideSpans(text: string, change: (text: string) => string): string {
  const spans: string[] = []
  const hidden = text.replace(/`[^`\n]+`/g, (span) => `\uE000${spans.push(span) - 1}\uE000`)
  return change(hidden).replace(/\uE000(\d+)\uE000/g, (_whole, at: string) => spans[Number(at)] ?? '')
}

/** Returns the site's address of a link in a file; undefined when it leads to a file that is not on the site. */
export function resolveLink(
  href: string,
  source: string,
  find: PageFinder,
  address: (path: PagePath) => string,
): string | undefined {
  if (/^(#|\/|https?:|mailto:)/.test(href)) return href
  const [path = '', anchor] = href.split('#', 2)
  const page = find(posix.join(posix.dirname(source), path))
  if (page === undefined) return undefined
  return anchor === undefined ? address(page) : `${address(page)}#${anchor}`
}
