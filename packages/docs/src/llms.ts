import { twinOf } from './links.ts'
import type { Page } from './page.ts'

// Files for programs that read: a short list for integrators, and the whole text for each audience.

const INTRODUCTION = `# Warung

> A self-hosted reseller payments and product catalogue service. Resellers sell prepaid reloads, bill payments, PINs,
> gift cards, vouchers and eSIMs through its signed HTTP/JSON API from a prepaid wallet.
`

/** File of one audience, with the pages that it gets. */
type Audience = {
  readonly file: string
  readonly about: string
  readonly has: (page: Page) => boolean
}

/** One word per idea: it is about the code. */
const GLOSSARY = 'operators/glossary'
/** Reports about what was changed and measured: no help for the next change. */
const REPORTS: ReadonlySet<string> = new Set(['project/changelog', 'project/performance', 'project/proof'])

/** Pages about the connections to suppliers: long, and for those who write one. */
const SUPPLIERS: ReadonlySet<string> = new Set([
  'operators/supplier-packs',
  'operators/connect-a-supplier',
  'operators/providers',
  'operators/add-a-provider',
  'operators/simulator',
])

const AUDIENCES: readonly Audience[] = [
  {
    file: 'llms-integrator.txt',
    about: 'the guides and the operations of the API, for programs that pay',
    has: ({ group, path }) => group === 'start' || group === 'guides' || path === 'reference',
  },
  {
    file: 'llms-operator.txt',
    about: "the operator's path, runbooks, settings and drills",
    has: ({ group, heading, path }) =>
      path !== GLOSSARY &&
      !SUPPLIERS.has(path) &&
      (group === 'operators' || (group === 'more' && heading === 'Operate')),
  },
  {
    file: 'llms-supplier.txt',
    about: 'packs, configurations and connectors of suppliers, routes, and the simulator',
    has: ({ path }) => SUPPLIERS.has(path),
  },
  {
    file: 'llms-contributor.txt',
    about: 'architecture, words, model, threats, and how to change the code',
    has: ({ heading, path }) => path === GLOSSARY || (heading === 'The project' && !REPORTS.has(path)),
  },
]

const LISTED: ReadonlySet<string> = new Set(['start', 'guides'])

/** Writes llms.txt: what the service is, and the pages that an integrator needs. */
export function llmsList(pages: readonly Page[]): string {
  const links = pages
    .filter(({ group, path }) => LISTED.has(group) || path === 'reference')
    .map((page) => `- [${page.title}]({base_url}${twinOf(page.path)}): ${page.description}`)
  const whole = AUDIENCES.map(({ file, about }) => `- [${file}]({base_url}/docs/${file}): ${about}`)
  return `${INTRODUCTION}
Every page is also there as Markdown: the same address with \`.md\`; an operation is at \`/docs/reference/OPERATION.md\`.
\`/openapi.json\` is the API as OpenAPI 3.1, \`/v2/errors\` has every error code as data.

## Integrate

${links.join('\n')}

## Everything in one file

${whole.join('\n')}
`
}

/** Returns the file of each audience by its name. */
export function llmsFull(
  rendered: readonly { readonly page: Page; readonly twin: string }[],
): readonly (readonly [file: string, text: string])[] {
  return AUDIENCES.map(({ file, has }) => {
    const texts = rendered
      .filter(({ page }) => has(page))
      .map(({ page, twin }) => `<!-- {base_url}${twinOf(page.path)} -->\n\n${twin.trim()}\n`)
    return [file, `${INTRODUCTION}\n${texts.join('\n---\n\n')}`] as const
  })
}
