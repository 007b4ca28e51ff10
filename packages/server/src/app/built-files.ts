import { statSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Type } from 'typebox'
import type { Encoding } from '../http/files.ts'
import type { Answer, FileOutput, IncomingRequest, Operation } from '../http/operation.ts'
import { anyone, operation } from '../http/operation.ts'
import { html } from '../http/reference/html.ts'
import { renderPage } from '../http/reference/page.ts'
import { PAGE_POLICY } from '../http/reference/style.ts'
import type { Schedule } from '../lib/repeat.ts'
import { repeat } from '../lib/repeat.ts'

// Operations for files that `npm run build` made: the dashboard, the documentation and the checkout. `npm start` makes
// them beside the running service.

/** File that each build writes last. */
export const STAMP = 'stamp'
const LOOK_MS = 1_000

/** Calls `onBuilt` after the files of a folder were made, or made anew. */
export function followBuilds(
  folders: readonly URL[],
  onBuilt: () => void,
  onProblem: (error: unknown) => void,
  everyMs = LOOK_MS,
): Schedule {
  const lookAt = (folder: URL) => statSync(new URL(STAMP, folder), { throwIfNoEntry: false })?.mtimeMs
  const known = folders.map(lookAt)
  const look = async () => {
    const now = folders.map(lookAt)
    const hasNew = now.some((at, index) => at !== undefined && at !== known[index])
    known.splice(0, known.length, ...now)
    if (hasNew) onBuilt()
  }
  return repeat(everyMs, look, onProblem)
}

const ASK_AGAIN_S = '2'

/** Serves, in the place of a page that is not built, one that says so and asks again by itself. */
export function unbuilt(path: string, name: string): Operation {
  const page = renderPage({
    title: 'Not built yet',
    description: `${name} is not built yet`,
    body: html`<main id="content" tabindex="-1">
<h1>${name} is not built yet</h1>
<p>After <code>npm start</code> it is built beside the service, which takes some seconds: this page then becomes that one
by itself. Elsewhere <code>npm run build</code> in the checkout makes it.</p>
</main>`,
  })
  const body = Buffer.from(page, 'utf8')
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': PAGE_POLICY,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'Retry-After': ASK_AGAIN_S,
    Refresh: ASK_AGAIN_S,
  }
  return serving(path, name, () => ({ status: 503, body, headers }))
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Returns the media type of a file, undefined for a kind that no build makes. */
export function typeOf(path: string): string | undefined {
  return TYPES[extname(path)]
}

/** Quality 5 takes a few milliseconds for a page, beside the thread that serves payments, and each is compressed once. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

export async function compress(bytes: Buffer): Promise<Record<Encoding, Buffer>> {
  const [br, compressed] = await Promise.all([toBrotli(bytes, BROTLI), toGzip(bytes)])
  return { br, gzip: compressed }
}

export type PageSources = {
  /** Digest of the script that stands in the page itself; left out: there is none. */
  readonly script?: string
  readonly pictures: string
  readonly forms: string
  /** True: pages may ask for the camera, to scan bills. Every other page may not, nor what it frames. */
  readonly usesCamera?: boolean
  /** Sites that may show the page in a frame; left out: none. */
  readonly frames?: string
  /** True: browsers may install the page, with a worker of its own. */
  readonly isInstallable?: boolean
}

/**
 * Returns the headers of a page: nothing comes from another host, no inline style runs and no inline script but the one that is named by its digest, nothing frames it, and
 * no text becomes a script (Trusted Types). Pages differ in where pictures come from, where forms go and who frames
 * them.
 */
export function pageHeaders(sources: PageSources) {
  const installed = ["manifest-src 'self'", "worker-src 'self'"]
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      ["script-src 'self'", ...(sources.script === undefined ? [] : [`'sha256-${sources.script}'`])].join(
        ' ',
      ),
      "style-src 'self'",
      "font-src 'self'",
      `img-src ${sources.pictures}`,
      "connect-src 'self'",
      `form-action ${sources.forms}`,
      "base-uri 'none'",
      `frame-ancestors ${sources.frames ?? "'none'"}`,
      "require-trusted-types-for 'script'",
      // A page that is installed names the one address of its worker, which counts as a script.
      ...(sources.isInstallable ? [...installed, 'trusted-types portal-worker'] : ["trusted-types 'none'"]),
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': `camera=(${sources.usesCamera ? 'self' : ''}), microphone=(), geolocation=()`,
  }
}

const Contents = Type.String({ description: 'The file' })
const NotModified = Type.Null({ description: 'Unchanged since the `ETag` in `If-None-Match`' })
const Elsewhere = Type.Null({ description: 'See `Location`' })

type Params = Readonly<Record<string, string>>
type Output = FileOutput | Answer<Buffer, 404 | 503>

/** Serves files at a path to anybody. */
export function serving(
  path: string,
  summary: string,
  answer: (request: IncomingRequest, params: Params) => Output | Promise<Output>,
): Operation {
  return operation({
    method: 'GET',
    path,
    docs: { operationId: `get ${path}`, summary, tag: 'Service', hidden: true },
    schemas: { responses: { 200: Contents, 304: NotModified, 404: Contents, 503: Contents } },
    authenticate: anyone,
    answersHead: true,
    handle: async ({ request, params }) => answer(request, (params ?? {}) as Params),
  })
}

/** Leads from a path to another. */
export function redirection(path: string, target: string): Operation {
  return operation({
    method: 'GET',
    path,
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
