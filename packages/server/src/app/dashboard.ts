import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { Type } from 'typebox'
import type { Environment } from '../config.ts'
import type { Encoding, ServedFile } from '../http/files.ts'
import { answerFile, ENCODINGS, fileOf } from '../http/files.ts'
import { LANDING_PATH } from '../http/openapi/documentation.ts'
import type { Operation } from '../http/operation.ts'
import { anyone, operation } from '../http/operation.ts'

/** Files that `npm run build` makes of packages/web. */
const FILES = new URL('../../../web/dist/', import.meta.url)
const EXTENSIONS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

/**
 * Policy of the dashboard's pages: nothing comes from another host, no inline script or style runs, nothing frames
 * them, and no text becomes a script (Trusted Types).
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': PAGE_POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const Contents = Type.String({ description: 'The file' })
const NotModified = Type.Null({ description: 'Unchanged since the `ETag` in `If-None-Match`' })
const Elsewhere = Type.Null({ description: 'See `Location`' })

type PageList = { readonly portal: readonly string[]; readonly operator: readonly string[] }

export type DashboardOptions = { readonly environment: Environment; readonly files?: URL }

/**
 * Builds the operations that serve the dashboard: `/` leads to the portal, each page has the frame of its entry, and
 * the files lie in /assets. Without the built files, `/` leads to the developers' page.
 */
export function dashboardOperations({ environment, files = FILES }: DashboardOptions): Operation[] {
  if (!existsSync(new URL('pages.json', files))) return [redirection('/', LANDING_PATH)]
  const pages = JSON.parse(readFileSync(new URL('pages.json', files), 'utf8')) as PageList
  const frameOf = (entry: string) => once(() => readFrame(new URL(`${entry}.html`, files), environment))
  const portal = frameOf('portal')
  const operator = frameOf('operator')
  return [
    redirection('/', '/portal'),
    ...pages.portal.map((path) => serving(path, portal)),
    ...pages.operator.map((path) => serving(path, operator)),
    ...listPublic(files).map((path) =>
      serving(
        `/${path}`,
        once(() => readAsset(files, path)),
      ),
    ),
  ]
}

/** Lists the files that browsers load, without their compressed twins. */
function listPublic(files: URL): string[] {
  const assets = readdirSync(new URL('assets/', files)).map((name) => `assets/${name}`)
  const others = readdirSync(files).filter((name) => ['.js', '.svg'].includes(extname(name)))
  return [...assets, ...others].filter((name) => TYPES[extname(name)] !== undefined)
}

function readAsset(files: URL, path: string): ServedFile {
  const compressed: Partial<Record<Encoding, Buffer>> = {}
  for (const encoding of ENCODINGS) {
    const twin = new URL(path + EXTENSIONS[encoding], files)
    if (existsSync(twin)) compressed[encoding] = readFileSync(twin)
  }
  return fileOf(readFileSync(new URL(path, files)), {
    headers: { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' },
    compressed,
    isImmutable: path.startsWith('assets/'),
  })
}

/** Reads the page's frame and writes the environment into it, so that a page knows it before anybody signs in. */
function readFrame(file: URL, environment: Environment): ServedFile {
  const html = readFileSync(file, 'utf8').replace('<html ', `<html data-environment="${environment}" `)
  return fileOf(html, { headers: PAGE_HEADERS })
}

function serving(path: string, file: () => ServedFile): Operation {
  return operation({
    method: 'GET',
    path,
    dialect: 'common',
    docs: { operationId: `get ${path}`, summary: 'Dashboard', tag: 'Service', hidden: true },
    schemas: { responses: { 200: Contents, 304: NotModified } },
    authenticate: anyone,
    answersHead: true,
    handle: async ({ request }) => answerFile(file(), request),
  })
}

function redirection(path: string, target: string): Operation {
  return operation({
    method: 'GET',
    path,
    dialect: 'common',
    docs: { operationId: `get ${path}`, summary: 'Start', tag: 'Service', hidden: true },
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

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
