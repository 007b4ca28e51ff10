import { twinOf } from './links.ts'
import { GROUPS } from './navigation.ts'
import type { Page } from './page.ts'

const INTRODUCTION = `# Warung

> A self-hosted reseller payments and product catalogue service. Resellers sell prepaid reloads, bill payments, PINs,
> gift cards, vouchers and eSIMs through its signed HTTP/JSON API from a prepaid wallet.

Every page of the documentation is also there as Markdown: the same address with \`.md\`. \`/docs/llms-full.txt\` has all
guides, the resellers' API reference and the operator's handbook in one file. \`/openapi.json\` is the resellers' API as
OpenAPI 3.1, \`/v2/errors\` has every error code as data.
`

/** Writes llms.txt: what the service is, and a list of the pages for machines that read. */
export function llmsList(pages: readonly Page[]): string {
  const groups = GROUPS.map(({ id, title }) => {
    const links = pages
      .filter((page) => page.group === id)
      .map((page) => `- [${page.title}]({base_url}${twinOf(page.path)}): ${page.description}`)
    return `## ${title}\n\n${links.join('\n')}\n`
  })
  return `${INTRODUCTION}\n${groups.join('\n')}`
}

/** Groups that are written out in the file for machines; the other ones are lists of hundreds of operations. */
const WRITTEN_OUT: ReadonlySet<string> = new Set(['start', 'guides', 'reference', 'operators'])

export function llmsFull(rendered: readonly { readonly page: Page; readonly twin: string }[]): string {
  const texts = rendered
    .filter(({ page }) => WRITTEN_OUT.has(page.group))
    .map(({ page, twin }) => `<!-- {base_url}${twinOf(page.path)} -->\n\n${twin.trim()}\n`)
  return `${INTRODUCTION}\n${texts.join('\n---\n\n')}`
}
