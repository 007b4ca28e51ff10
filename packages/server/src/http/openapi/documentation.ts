import { Type } from 'typebox'
import type { Environment } from '../../config.ts'
import { answerFile, fileOf } from '../files.ts'
import type { Operation } from '../operation.ts'
import { anyone, operation } from '../operation.ts'
import { html } from '../reference/html.ts'
import { renderPage } from '../reference/page.ts'
import { PAGE_POLICY } from '../reference/style.ts'
import type { OpenApiDocument } from './openapi.ts'
import { renderReference } from './reference.ts'

export type DocumentationOptions = {
  readonly environment: Environment
  /** Called once, at the first request: the service's own address is known only then. */
  readonly document: () => OpenApiDocument
}

const OpenApiResponse = Type.Object(
  {
    openapi: Type.String({ examples: ['3.1.0'] }),
    info: Type.Object({}, { additionalProperties: true }),
    paths: Type.Object({}, { additionalProperties: true }),
  },
  { additionalProperties: true, description: 'The document' },
)

const HtmlResponse = Type.String({ contentMediaType: 'text/html', description: 'The page' })

/** Page for developers; `/` leads to the portal. */
export const LANDING_PATH = '/docs'

const NotModified = Type.Null({ description: 'Unchanged since the `ETag` in `If-None-Match`' })

/** Builds the operations that document the service, for machines and for people. */
export function documentationOperations(options: DocumentationOptions): Operation[] {
  const { environment } = options
  const document = once(options.document)
  const reference = once(() =>
    fileOf(renderReference(document(), { environment }), { headers: PAGE_HEADERS }),
  )
  const landing = once(() => fileOf(renderLanding(document(), environment), { headers: PAGE_HEADERS }))
  return [
    openApiOperation({ path: '/openapi.json', operationId: 'getOpenApi', document }),
    operation({
      method: 'GET',
      path: '/reference',
      dialect: 'common',
      docs: { operationId: 'getReference', summary: 'This API as a page to read', tag: 'Service' },
      schemas: { responses: { 200: HtmlResponse, 304: NotModified } },
      authenticate: anyone,
      answersHead: true,
      handle: async ({ request }) => answerFile(reference(), request),
    }),
    operation({
      method: 'GET',
      path: LANDING_PATH,
      dialect: 'common',
      docs: { operationId: 'getLanding', summary: 'Where to go from here', tag: 'Service', hidden: true },
      schemas: { responses: { 200: HtmlResponse, 304: NotModified } },
      authenticate: anyone,
      answersHead: true,
      handle: async ({ request }) => answerFile(landing(), request),
    }),
  ]
}

export type OpenApiOperationOptions = {
  readonly path: string
  readonly operationId: string
  readonly document: () => OpenApiDocument
}

/** Serves the document of one API of the service; each API has its own. */
export function openApiOperation({ path, operationId, document }: OpenApiOperationOptions): Operation {
  const json = once(() => fileOf(JSON.stringify(document()), { headers: JSON_HEADERS }))
  return operation({
    method: 'GET',
    path,
    dialect: 'common',
    docs: { operationId, summary: 'This API as an OpenAPI 3.1 document', tag: 'Service' },
    schemas: { responses: { 200: OpenApiResponse, 304: NotModified } },
    authenticate: anyone,
    answersHead: true,
    handle: async ({ request }) => answerFile(json(), request),
  })
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' }

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': PAGE_POLICY,
  'Referrer-Policy': 'no-referrer',
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function renderLanding(document: OpenApiDocument, environment: Environment): string {
  const { title, version, license } = document.info
  const [summary = ''] = document.info.description.split('\n\n')
  return renderPage({
    title: `${title} (${environment})`,
    description: summary,
    body: html`<main id="content" tabindex="-1">
<h1>${title}</h1>
<p>${summary}</p>
<dl class="facts">
<dt>Environment</dt><dd><strong>${environment}</strong></dd>
<dt>Base address</dt><dd><code>${document.servers[0]?.url}</code></dd>
<dt>Version</dt><dd>${version}</dd>
</dl>
<ul class="links">
<li><a href="/reference">API reference</a><p class="quiet">How to sign a request, and every operation</p></li>
<li><a href="/openapi.json">openapi.json</a><p class="quiet">The same for machines, as OpenAPI 3.1</p></li>
<li><a href="/healthz">Health</a><p class="quiet">Whether the service is alive</p></li>
</ul>
<footer>${title} ${version}, ${license.name}</footer>
</main>`,
  })
}
