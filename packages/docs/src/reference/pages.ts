import type { Page } from '../page.ts'
import type { ErrorRow } from '../tables.ts'
import type { Located } from './document.ts'
import { listOperations } from './document.ts'
import type { ReferenceApi } from './operation.ts'
import { operationMarkdown } from './operation.ts'
import { tryItForm } from './try-it.ts'

/** Makes the pages of an API: its list, and a page for each operation and each message to receivers. */
export function referencePages(api: ReferenceApi, errors: readonly ErrorRow[]): Page[] {
  const all = listOperations(api.document)
  const pathOf = ({ operation }: Located) => `${api.section}/${operation.operationId}`
  const pageOf = (path: string) => {
    const found = all.find((each) => each.path === path)
    return found === undefined ? undefined : pathOf(found)
  }
  const pages = all.map((located): Page => {
    const { operation, method, path, isWebhook } = located
    const form = api.isSigned && !isWebhook ? tryItForm(located) : undefined
    return {
      path: pathOf(located),
      title: operation.summary,
      group: api.section,
      heading: isWebhook ? 'Messages to your receiver' : (operation.tags[0] ?? ''),
      description: isWebhook ? operation.summary : `${method} ${path}: ${operation.summary}`,
      markdown: operationMarkdown(located, { api, pageOf, errors }),
      method: isWebhook ? 'HOOK' : method,
      ...(form !== undefined && { form }),
    }
  })
  return [indexPage(api, pages), ...pages]
}

function indexPage(api: ReferenceApi, pages: readonly Page[]): Page {
  const headings = [...new Set(pages.map(({ heading }) => heading))]
  const [intro = ''] = api.document.info.description.split('\n\n')
  const parts = headings.flatMap((heading) => [
    `## ${heading}`,
    pages
      .filter((page) => page.heading === heading)
      .map(({ title, path, description }) => `- [${title}](/docs/${path}): \`${addressOf(description)}\``)
      .join('\n'),
  ])
  return {
    path: api.section,
    title: api.title,
    group: api.section,
    heading: '',
    description: `${api.title}: every operation with its parameters, answers, errors and an example`,
    markdown: `# ${api.title}\n\n${intro}\n\n${parts.join('\n\n')}\n`,
  }
}

/** Returns the method and path at the beginning of a page's description. */
function addressOf(description: string): string {
  return /^[A-Z]+ \/\S*(?=: )/.exec(description)?.[0] ?? 'message'
}
