import type { SearchIndex } from './search.generated.ts'
import { search } from './search.generated.ts'
import type { Tool } from './tool.ts'
import { countOf, defineTool, ToolError } from './tool.ts'

// Tools that answer from the documentation that the service serves, so that it fits the release of the service.

const TIMEOUT_MS = 10_000
const FILE_BYTES_MAX = 10_000_000
const PAGE_CHARS_MAX = 16_000
const INDEX_ADDRESS = /<body data-index="(\/docs\/assets\/[\w.-]+)"/
const PAGE_NAME = /^[a-z0-9][\w-]*(\/[a-z0-9][\w-]*)?$/i
const NO_DOCUMENTATION = 'This service serves no documentation.'

export function documentationTools(baseUrl: string): Tool[] {
  const index = indexLoader(baseUrl)
  return [
    defineTool({
      name: 'search_documentation',
      title: 'Search the documentation',
      description:
        'Parts of the documentation by words: guides, error codes, operations and their fields, best first. Read a ' +
        'page with read_documentation.',
      isReadOnly: true,
      properties: {
        query: { type: 'string', description: 'words, a code or the name of an operation' },
        limit: { type: 'integer', minimum: 1, maximum: 20, description: 'at most so many (8)' },
      },
      required: ['query'],
      run: async (args) => ({
        found: search(await index(), String(args.query), countOf(args, 'limit', 8, 20)),
      }),
    }),
    defineTool({
      name: 'read_documentation',
      title: 'Read the documentation',
      description: `A page of the documentation as Markdown, up to ${PAGE_CHARS_MAX} characters from an offset.`,
      isReadOnly: true,
      properties: {
        page: { type: 'string', description: 'url of a part that was found, or the name of a page: signing' },
        offset: { type: 'integer', minimum: 0, description: 'next_offset of the answer before (0)' },
      },
      required: ['page'],
      async run(args) {
        const name = pageName(String(args.page))
        const text = await readFile(baseUrl, `/docs/${name}.md`)
        if (text === undefined)
          throw new ToolError(`There is no page ${name}. Find one with search_documentation.`)
        const offset = typeof args.offset === 'number' ? Math.max(0, args.offset) : 0
        const end = offset + PAGE_CHARS_MAX
        const next = end < text.length ? end : null
        return { page: name, text: text.slice(offset, end), next_offset: next, total_chars: text.length }
      },
    }),
  ]
}

/** Takes an address of a search result as well as a name. Nothing else of the service can be read so. */
function pageName(given: string): string {
  const [path = ''] = given.split('#')
  const name = path.replace(/^\/?docs(\/|$)/, '').replace(/\.md$/, '') || 'index'
  if (!PAGE_NAME.test(name))
    throw new ToolError('page is the name of a page, such as signing or reference/pay.')
  return name
}

/** Returns a function that reads the search index once for each release of the site. */
function indexLoader(baseUrl: string): () => Promise<SearchIndex> {
  let loaded: { readonly address: string; readonly index: SearchIndex } | undefined
  return async () => {
    const address = INDEX_ADDRESS.exec((await readFile(baseUrl, '/docs')) ?? '')?.[1]
    if (address === undefined) throw new ToolError(NO_DOCUMENTATION)
    if (loaded?.address !== address) {
      loaded = { address, index: parseIndex((await readFile(baseUrl, address)) ?? '') }
    }
    return loaded.index
  }
}

function parseIndex(text: string): SearchIndex {
  try {
    const { parts, terms } = JSON.parse(text) as Partial<SearchIndex>
    if (Array.isArray(parts) && typeof terms === 'object') return { parts, terms }
  } catch {
    // It is no index.
  }
  throw new ToolError(NO_DOCUMENTATION)
}

/** Reads a text without credentials, which pages do not need; undefined: there is nothing at the path. */
async function readFile(baseUrl: string, path: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(`${baseUrl}${path}`, { redirect: 'error', signal })
    if (answer.status === 404) return undefined
    if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
    return await readBounded(answer)
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    throw new ToolError(`The documentation cannot be read: ${reason}.`)
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > FILE_BYTES_MAX) throw new Error('the file is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
