import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Environment } from '../config.ts'
import type { Encoding, ServedFile } from '../http/files.ts'
import { answerFile, ENCODINGS, fileOf } from '../http/files.ts'
import type { Operation } from '../http/operation.ts'
import { pageHeaders, redirection, STAMP, serving, typeOf, unbuilt } from './built-files.ts'

/** Files that `npm run build` makes of packages/web. */
export const DASHBOARD_FILES = new URL('../../../web/dist/', import.meta.url)
const EXTENSIONS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

const SOURCES = { pictures: "'self' data: blob:", forms: "'self'" }
/**
 * A shop installs its till, which scans the codes of bills: its pages are one document. Operators do not carry the
 * console about.
 */
const ENTRIES = { portal: { ...SOURCES, isInstallable: true, usesCamera: true }, operator: SOURCES }
/** Script that runs before the first paint. It stands in the page, because a request of its own is a round trip more. */
const EARLY = 'theme.js'
const MANIFEST = 'portal.webmanifest'
const PUBLIC = ['.js', '.svg', '.png', '.webmanifest']

type PageList = { readonly portal: readonly string[]; readonly operator: readonly string[] }

export type DashboardOptions = { readonly environment: Environment; readonly files?: URL }

/**
 * Builds the operations that serve the dashboard: `/` leads to the portal, each page has the frame of its entry, and
 * the files lie in /assets. Before they are built, the two entries say so.
 */
export function dashboardOperations({ environment, files = DASHBOARD_FILES }: DashboardOptions): Operation[] {
  if (!existsSync(new URL(STAMP, files))) {
    return [
      redirection('/', '/portal'),
      ...['/portal', '/operator'].map((path) => unbuilt(path, 'The dashboard')),
    ]
  }
  const pages = JSON.parse(readFileSync(new URL('pages.json', files), 'utf8')) as PageList
  const frameOf = (entry: keyof typeof ENTRIES) => once(() => readFrame(files, entry, environment))
  const portal = frameOf('portal')
  const operator = frameOf('operator')
  return [
    redirection('/', '/portal'),
    ...pages.portal.map((path) => served(path, portal)),
    ...pages.operator.map((path) => served(path, operator)),
    ...listPublic(files).map((path) =>
      served(
        `/${path}`,
        once(() => (path === MANIFEST ? readManifest(files, environment) : readAsset(files, path))),
      ),
    ),
  ]
}

/** Lists the files that browsers load, without their compressed twins. */
function listPublic(files: URL): string[] {
  const assets = readdirSync(new URL('assets/', files)).map((name) => `assets/${name}`)
  const others = readdirSync(files).filter((name) => PUBLIC.includes(extname(name)))
  return [...assets, ...others].filter((name) => typeOf(name) !== undefined)
}

function readAsset(files: URL, path: string): ServedFile {
  const compressed: Partial<Record<Encoding, Buffer>> = {}
  for (const encoding of ENCODINGS) {
    const twin = new URL(path + EXTENSIONS[encoding], files)
    if (existsSync(twin)) compressed[encoding] = readFileSync(twin)
  }
  return fileOf(readFileSync(new URL(path, files)), {
    headers: { 'Content-Type': typeOf(path) ?? 'application/octet-stream' },
    compressed,
    isImmutable: path.startsWith('assets/'),
  })
}

/** Reads the page's frame and writes the environment into it, so that a page knows it before anybody signs in. */
function readFrame(files: URL, entry: keyof typeof ENTRIES, environment: Environment): ServedFile {
  const early = readFileSync(new URL(EARLY, files), 'utf8')
  const html = readFileSync(new URL(`${entry}.html`, files), 'utf8')
    .replace('<html ', `<html data-environment="${environment}" `)
    .replace(`<script src="/${EARLY}"></script>`, () => `<script>${early}</script>`)
  const script = createHash('sha256').update(early).digest('base64')
  return fileOf(html, { headers: pageHeaders({ ...ENTRIES[entry], script }) })
}

/** Reads the manifest of the installed portal. That of staging has another name, so that nobody sells in the wrong one. */
function readManifest(files: URL, environment: Environment): ServedFile {
  const manifest = JSON.parse(readFileSync(new URL(MANIFEST, files), 'utf8'))
  const name = environment === 'staging' ? `${manifest.name} staging` : manifest.name
  const text = JSON.stringify({ ...manifest, name, short_name: name })
  return fileOf(text, { headers: { 'Content-Type': typeOf(MANIFEST) ?? '' } })
}

function served(path: string, file: () => ServedFile): Operation {
  return serving(path, 'Dashboard', (request) => answerFile(file(), request))
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
