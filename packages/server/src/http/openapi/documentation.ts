import { Type } from 'typebox'
import { answerFile, fileOf } from '../files.ts'
import type { Operation } from '../operation.ts'
import { anyone, operation } from '../operation.ts'
import type { OpenApiDocument } from './openapi.ts'

const OpenApiResponse = Type.Object(
  {
    openapi: Type.String({ examples: ['3.1.0'] }),
    info: Type.Object({}, { additionalProperties: true }),
    paths: Type.Object({}, { additionalProperties: true }),
  },
  { additionalProperties: true, description: 'The document' },
)

/** Page for developers; `/` leads to the portal. */
export const LANDING_PATH = '/docs'

const NotModified = Type.Null({ description: 'Unchanged since the `ETag` in `If-None-Match`' })

export type OpenApiOperationOptions = {
  readonly path: string
  readonly operationId: string
  /** Called once, at the first request: the service's own address is known only then. */
  readonly document: () => OpenApiDocument
}

/** Serves the document of one API of the service; each API has its own. */
export function openApiOperation({ path, operationId, document }: OpenApiOperationOptions): Operation {
  const json = once(() => fileOf(JSON.stringify(document()), { headers: JSON_HEADERS }))
  return operation({
    method: 'GET',
    path,
    docs: { operationId, summary: 'This API as an OpenAPI 3.1 document', tag: 'Service' },
    schemas: { responses: { 200: OpenApiResponse, 304: NotModified } },
    authenticate: anyone,
    answersHead: true,
    handle: async ({ request }) => answerFile(json(), request),
  })
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' }

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
