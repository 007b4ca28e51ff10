import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import type { Environment } from '../config.ts'
import type { Encoding, ServedFile } from '../http/files.ts'
import { answerFile, fileOf } from '../http/files.ts'
import { NOT_FOUND_PAGE } from '../http/not-found.ts'
import { LANDING_PATH } from '../http/openapi/documentation.ts'
import type { IncomingRequest, Operation, OperationOutput } from '../http/operation.ts'
import { anyone, operation } from '../http/operation.ts'
import { escapeHtml, html } from '../http/reference/html.ts'
import { renderPage } from '../http/reference/page.ts'
import { PAGE_POLICY } from '../http/reference/style.ts'
import { RequestError } from '../lib/errors.ts'

/** Files that `npm run build` makes of packages/docs and the Markdown in docs/. */
const FILES = new URL('../../../docs/dist/site/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
const TEXTS: ReadonlySet<string> = new Set(['.html', '.md', '.txt', '.js', '.css', '.json', '.svg'])
/** Kinds of files that name the address of the service. */
const ADDRESSED: ReadonlySet<string> = new Set(['.html', '.md', '.txt'])

/** Policy of the site's pages: nothing comes from another host, and no text becomes a script or markup. */
const SITE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const PAGE_HEADERS = {
  'Content-Security-Policy': SITE_POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const Contents = Type.String({ description: 'The file' })
const NotModified = Type.Null({ description: 'Unchanged since the `ETag` in `If-None-Match`' })
const Elsewhere = Type.Null({ description: 'See `Location`' })

export type SiteOptions = {
  readonly environment: Environment
  /** Called at the first request: the service's own address is known only then. */
  readonly baseUrl: () => string
  /** Addresses that deliveries come from, as the operator states them. */
  readonly senderAddresses: readonly string[]
  readonly files?: URL
}

/** Builds the operations that serve the documentation: /docs and everything below it, /llms.txt and /reference. */
export function siteOperations({ files = FILES, ...options }: SiteOptions): Operation[] {
  const { environment } = options
  const list = new URL('files.json', files)
  if (!existsSync(list)) return withoutSite(environment)
  const names = new Set(JSON.parse(readFileSync(list, 'utf8')) as string[])
  const loaded = new Map<string, ServedFile>()
  const answer = (path: string, request: IncomingRequest): OperationOutput => {
    const name = extname(path) === '' ? `${path}.html` : path
    if (!names.has(name)) return nothingHere(request)
    const file = loaded.get(name) ?? load(new URL(name, files), name, options)
    // A build beside the running service may have removed a file since the list was read.
    if (file === undefined) return nothingHere(request)
    loaded.set(name, file)
    return answerFile(file, request)
  }
  return [
    serving(LANDING_PATH, (request) => answer('index', request)),
    redirection(`${LANDING_PATH}/`, LANDING_PATH),
    serving('/llms.txt', (request) => answer('llms.txt', request)),
    serving('/docs/:page', (request, { page = '' }) => answer(page, request)),
    serving('/docs/:section/:page', (request, { section = '', page = '' }) =>
      answer(`${section}/${page}`, request),
    ),
    redirection('/reference', '/docs/reference'),
  ]
}

/** Reads a file, writes the address and the environment into it, and compresses texts. Undefined: it is gone. */
function load(file: URL, name: string, options: Omit<SiteOptions, 'files'>): ServedFile | undefined {
  const type = extname(name)
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  const headers = { 'Content-Type': TYPES[type] ?? 'application/octet-stream' }
  const isImmutable = name.startsWith('assets/')
  if (!TEXTS.has(type)) return fileOf(bytes, { headers, isImmutable })
  if (!ADDRESSED.has(type)) return fileOf(bytes, { headers, isImmutable, compressed: compress(bytes) })
  const isPage = type === '.html'
  const text = fill(bytes.toString('utf8'), options, isPage ? escapeHtml : (each) => each)
  const finished = isPage ? text.replace('<html ', `<html data-environment="${options.environment}" `) : text
  return fileOf(finished, {
    headers: isPage ? { ...headers, ...PAGE_HEADERS } : headers,
    compressed: compress(Buffer.from(finished)),
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

/** Quality 5 takes a few milliseconds for the longest page, and each is compressed once. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

function compress(bytes: Buffer): Record<Encoding, Buffer> {
  return { br: brotliCompressSync(bytes, BROTLI), gzip: gzipSync(bytes) }
}

function nothingHere({ headers }: IncomingRequest): OperationOutput {
  if (/\btext\/html\b/i.test(String(headers.accept ?? ''))) {
    return {
      status: 404,
      body: NOT_FOUND_PAGE.body,
      headers: NOT_FOUND_PAGE.headers as Record<string, string>,
    }
  }
  throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is nothing at this address.' })
}

type Params = Readonly<Record<string, string>>

function serving(
  path: string,
  answer: (request: IncomingRequest, params: Params) => OperationOutput,
): Operation {
  return operation({
    method: 'GET',
    path,
    dialect: 'common',
    docs: { operationId: `get ${path}`, summary: 'Documentation', tag: 'Service', hidden: true },
    schemas: { responses: { 200: Contents, 304: NotModified } },
    authenticate: anyone,
    answersHead: true,
    handle: async ({ request, params }) => answer(request, (params ?? {}) as Params),
  })
}

function redirection(path: string, target: string): Operation {
  return operation({
    method: 'GET',
    path,
    dialect: 'common',
    docs: { operationId: `get ${path}`, summary: 'Documentation', tag: 'Service', hidden: true },
    schemas: { responses: { 302: Elsewhere } },
    authenticate: anyone,
    answersHead: true,
    handle: async () => ({
      status: 302,
      body: null,
      headers: { Location: target, 'Cache-Control': 'no-cache' },
    }),
  })
}

/** Answers where the site was not built: a page that leads to the document for tools. */
function withoutSite(environment: Environment): Operation[] {
  const page = fileOf(
    renderPage({
      title: `Warung (${environment})`,
      description: 'The documentation of this service was not built',
      body: html`<main id="content" tabindex="-1">
<h1>Warung</h1>
<p>This is the <strong>${environment}</strong> environment. The documentation was not built here:
<code>npm run build</code> in the checkout makes it.</p>
<ul class="links">
<li><a href="/openapi.json">openapi.json</a><p class="quiet">Every operation, as OpenAPI 3.1</p></li>
<li><a href="/v2/errors">/v2/errors</a><p class="quiet">Every error code, with its cause and remedy</p></li>
</ul>
</main>`,
    }),
    {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': PAGE_POLICY,
        'Referrer-Policy': 'no-referrer',
      },
    },
  )
  return [
    serving(LANDING_PATH, (request) => answerFile(page, request)),
    redirection('/reference', LANDING_PATH),
  ]
}
