import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Environment } from '../../config.ts'
import type { ServedFile } from '../../http/files.ts'
import { answerFile, fileOf } from '../../http/files.ts'
import { LANDING_PATH } from '../../http/openapi/documentation.ts'
import type { Answer, FileOutput, IncomingRequest, Operation } from '../../http/operation.ts'
import { escapeHtml } from '../../http/reference/html.ts'
import { NOT_FOUND_PAGE } from '../../http/reference/not-found.ts'
import { RequestError } from '../../lib/errors.ts'
import { compress, pageHeaders, redirection, serving, typeOf, unbuilt } from '../built-files.ts'

/** Files that `npm run build` makes of packages/docs and the Markdown in docs/. */
export const SITE_FILES = new URL('../../../../docs/dist/site/', import.meta.url)

const TEXTS: ReadonlySet<string> = new Set(['.html', '.md', '.txt', '.js', '.css', '.json', '.svg'])
/** Kinds of files that name the address of the service. */
const ADDRESSED: ReadonlySet<string> = new Set(['.html', '.md', '.txt'])

const SUMMARY = 'Documentation'
const PAGE_HEADERS = pageHeaders({ pictures: "'self' data:", forms: "'none'" })

export type SiteOptions = {
  readonly environment: Environment
  /** Called at the first request: the service's own address is known only then. */
  readonly baseUrl: () => string
  /** Addresses that deliveries come from, as the operator states them. */
  readonly senderAddresses: readonly string[]
  readonly files?: URL
}

/** Builds the operations that serve the documentation: /docs and everything below it, /llms.txt and /reference. */
export function siteOperations({ files = SITE_FILES, ...options }: SiteOptions): Operation[] {
  const list = new URL('files.json', files)
  if (!existsSync(list)) {
    return [unbuilt(LANDING_PATH, 'The documentation'), redirection('/reference', LANDING_PATH)]
  }
  const names = new Set(JSON.parse(readFileSync(list, 'utf8')) as string[])
  const loaded = new Map<string, Promise<ServedFile | undefined>>()
  const answer = async (
    path: string,
    request: IncomingRequest,
  ): Promise<FileOutput | Answer<Buffer, 404>> => {
    const name = extname(path) === '' ? `${path}.html` : path
    if (!names.has(name)) return nothingHere(request)
    const loading = loaded.get(name) ?? load(new URL(name, files), name, options)
    loaded.set(name, loading)
    const file = await loading
    if (file !== undefined) return answerFile(file, request)
    // A build beside the running service may have removed a file since the list was read.
    loaded.delete(name)
    return nothingHere(request)
  }
  return [
    serving(LANDING_PATH, SUMMARY, (request) => answer('index', request)),
    redirection(`${LANDING_PATH}/`, LANDING_PATH),
    serving('/llms.txt', SUMMARY, (request) => answer('llms.txt', request)),
    serving('/docs/:page', SUMMARY, (request, { page = '' }) => answer(page, request)),
    serving('/docs/:section/:page', SUMMARY, (request, { section = '', page = '' }) =>
      answer(`${section}/${page}`, request),
    ),
    redirection('/reference', '/docs/reference'),
  ]
}

/** Reads a file, writes the address and the environment into it, and compresses texts. Undefined: it is gone. */
async function load(
  file: URL,
  name: string,
  options: Omit<SiteOptions, 'files'>,
): Promise<ServedFile | undefined> {
  const type = extname(name)
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  const headers = { 'Content-Type': typeOf(name) ?? 'application/octet-stream' }
  const isImmutable = name.startsWith('assets/')
  if (!TEXTS.has(type)) return fileOf(bytes, { headers, isImmutable })
  if (!ADDRESSED.has(type)) return fileOf(bytes, { headers, isImmutable, compressed: await compress(bytes) })
  const isPage = type === '.html'
  const text = fill(bytes.toString('utf8'), options, isPage ? escapeHtml : (each) => each)
  const finished = isPage ? text.replace('<html ', `<html data-environment="${options.environment}" `) : text
  return fileOf(finished, {
    headers: isPage ? PAGE_HEADERS : headers,
    compressed: await compress(Buffer.from(finished)),
  })
}

/** Writes the service's own values into a text. */
function fill(
  text: string,
  { baseUrl, senderAddresses }: Pick<SiteOptions, 'baseUrl' | 'senderAddresses'>,
  escaped: (value: string) => string,
): string {
  const senders = senderAddresses.length === 0 ? 'not stated by the operator' : senderAddresses.join(', ')
  return text
    .replaceAll('{base_url}', () => escaped(baseUrl()))
    .replaceAll('{sender_addresses}', () => escaped(senders))
}

function nothingHere({ headers }: IncomingRequest): Answer<Buffer, 404> {
  if (/\btext\/html\b/i.test(String(headers.accept ?? ''))) {
    return {
      status: 404,
      body: NOT_FOUND_PAGE.body,
      headers: NOT_FOUND_PAGE.headers as Record<string, string>,
    }
  }
  throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is nothing at this address.' })
}
