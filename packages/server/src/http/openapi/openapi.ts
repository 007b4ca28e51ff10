import { STATUS_CODES } from 'node:http'
import type { Environment } from '../../config.ts'
import { SMALL_BODY_BYTES, sizeText } from '../intake/body-budget.ts'
import type { Operation } from '../operation.ts'
import { anyone } from '../operation.ts'
import type { DocumentedSchema } from '../parameters.ts'
import { CodedErrors, errorsOf, MessageErrors } from '../schemas.ts'
import { describeFields, meaningOf } from './describe-fields.ts'
import type { OperationExample, OperationExamples } from './openapi-examples.ts'
import { withExample } from './openapi-examples.ts'
import type { JsonSchema, OpenApiParameter, SchemaCollector } from './openapi-schema.ts'
import { createSchemaCollector, SCHEMA_REFERENCE_PREFIX } from './openapi-schema.ts'
import type { OpenApiWebhooks, WebhookDocs } from './openapi-webhooks.ts'
import { webhooksOf } from './openapi-webhooks.ts'

export type OpenApiContent = Readonly<
  Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>
>

export type OpenApiResponse = {
  readonly description: string
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: OpenApiContent
}

export type OpenApiOperation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly deprecated?: true
  /** Path of the operation that replaces a deprecated one. */
  readonly 'x-successor'?: string
  /** Empty when anyone may call it. When absent, the document's own requirement applies. */
  readonly security?: readonly []
  readonly parameters?: readonly OpenApiParameter[]
  readonly requestBody?: {
    readonly description: string
    readonly required: boolean
    readonly content: OpenApiContent
  }
  readonly responses: Readonly<Record<string, OpenApiResponse>>
}

export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  /** Requests that the service sends to receivers. */
  readonly webhooks?: OpenApiWebhooks
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly headers: Readonly<Record<string, object>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

/** Parts that differ between the APIs of the service. The default is the resellers' API. */
export type OpenApiInfo = {
  readonly title: string
  readonly description: string
  readonly security: OpenApiDocument['security']
  readonly securitySchemes: Readonly<Record<string, object>>
}

export type OpenApiOptions = {
  version: string
  serverUrl: string
  environment: Environment
  info?: OpenApiInfo
  webhooks?: readonly WebhookDocs[]
  /** Recorded exchanges, one of each operation. */
  examples?: OperationExamples
}

/** Builds the OpenAPI document. The same operations give the same document, byte for byte. */
export function buildOpenApi(operations: readonly Operation[], options: OpenApiOptions): OpenApiDocument {
  const collector = createSchemaCollector()
  const shown = operations.filter((operation) => operation.docs.hidden !== true)
  refuseRepeatedIds(shown)
  const { title, description, security, securitySchemes } = options.info ?? RESELLERS_INFO
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: options.version,
      description,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.serverUrl, description: options.environment }],
    security,
    tags: tagsOf(shown, options.webhooks ?? []),
    paths: pathsOf(shown, { collector, examples: options.examples ?? {} }),
    ...(options.webhooks !== undefined && { webhooks: webhooksOf(options.webhooks, collector) }),
    components: { schemas: describeFields(collector.components()), headers: HEADERS, securitySchemes },
  }
}

function tagsOf(operations: readonly Operation[], webhooks: readonly WebhookDocs[]): { name: string }[] {
  const tags = [...operations.map(({ docs }) => docs.tag), ...webhooks.map(({ tag }) => tag)]
  return [...new Set(tags)].map((name) => ({ name }))
}

/** Tools that every part of the document is written with. */
type Writer = { readonly collector: SchemaCollector; readonly examples: OperationExamples }

const DESCRIPTION = [
  'Sell prepaid reloads, bill payments, vouchers and similar products from a prepaid wallet.',
  'Every request is signed: `/docs/signing` on the service shows how, step by step. `/docs` also has the error codes, the limits and the versioning rules.',
].join('\n\n')

function pathsOf(operations: readonly Operation[], writer: Writer): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(PATH_PARAMETER, '{$1}')
    const method = operation.method.toLowerCase()
    const methods = paths[path] ?? {}
    if (methods[method] !== undefined) throw new Error(`two operations are ${operation.method} ${path}`)
    methods[method] = operationOf(operation, writer)
    paths[path] = methods
  }
  return paths
}

const PATH_PARAMETER = /:([A-Za-z_]+)/g

function operationOf(operation: Operation, { collector, examples }: Writer): OpenApiOperation {
  const { docs } = operation
  const example = examples[docs.operationId]
  const { query, headers } = operation.schemas
  const parameters = [
    ...pathParametersOf(operation, collector),
    ...parametersOf('query', query, collector),
    ...parametersOf('header', headers, collector),
  ].map((parameter) => withExample(parameter, example?.parameters, parameter.name))
  const requestBody = requestBodyOf(operation, collector, example)
  return {
    operationId: docs.operationId,
    summary: docs.summary,
    ...(docs.description !== undefined && { description: docs.description }),
    tags: [docs.tag],
    ...(docs.successor !== undefined && { deprecated: true, 'x-successor': docs.successor }),
    ...(operation.authenticate === anyone && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: responsesOf(operation, collector, example),
  }
}

/** Lists every `:name` of the path as a parameter, described or not. */
function pathParametersOf(operation: Operation, collector: SchemaCollector): OpenApiParameter[] {
  const described = propertiesOf(operation.schemas.params)
  return [...operation.path.matchAll(PATH_PARAMETER)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describedSchema(collector.convert(described[name] ?? { type: 'string' }), meaningOf(name, 'path')),
  }))
}

function parametersOf(
  place: 'query' | 'header',
  described: object | undefined,
  collector: SchemaCollector,
): OpenApiParameter[] {
  const required = (described as JsonSchema | undefined)?.required ?? []
  return Object.entries(propertiesOf(described)).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name) || (schema as DocumentedSchema).documented?.isRequired === true,
    ...describedSchema(collector.convert(schema)),
  }))
}

function propertiesOf(schema: object | undefined): Readonly<Record<string, object>> {
  return (schema as JsonSchema | undefined)?.properties ?? {}
}

/** Moves the description from the schema to the parameter, where OpenAPI shows it. */
function describedSchema(
  { description: own, ...schema }: JsonSchema,
  meaning?: string,
): { description?: string; schema: JsonSchema } {
  const description = own ?? meaning
  return description === undefined ? { schema } : { description, schema }
}

function requestBodyOf(
  operation: Operation,
  collector: SchemaCollector,
  example: OperationExample | undefined,
): OpenApiOperation['requestBody'] {
  const { body } = operation.schemas
  if (body === undefined) return undefined
  const schema = named(collector, collector.convert(body), `${capitalized(operation)}Request`)
  // A body left out is read as an empty object.
  const isObject = 'properties' in body
  const required = !isObject || ((body as JsonSchema).required ?? []).length > 0
  const description = `At most ${sizeText(operation.bodyLimits?.bytesMax ?? SMALL_BODY_BYTES)}.`
  const described = withExample({ schema }, example, 'request')
  if (operation.ownBody === 'csv') return { description, required, content: { 'text/csv': described } }
  const content = { 'application/json': described }
  if (operation.ownBody !== 'json_or_form') return { description, required, content }
  return { description, required, content: { ...content, 'application/x-www-form-urlencoded': { schema } } }
}

function responsesOf(
  operation: Operation,
  collector: SchemaCollector,
  example: OperationExample | undefined,
): Record<string, OpenApiResponse> {
  const responses: Record<string, OpenApiResponse> = {}
  const declared = { ...errorsOf(operation), ...operation.schemas.responses }
  for (const [status, schema] of Object.entries(declared)) {
    const converted = named(collector, collector.convert(schema), `${capitalized(operation)}Response`)
    responses[status] = responseOf(operation, Number(status), converted, example)
  }
  // The default covers the edge's own errors, which no operation declares: 404, 405, 413, 431, 500 and similar.
  const problem = operation.dialect === 'coded' ? CodedErrors : MessageErrors
  const trouble = collector.convert({ ...problem, description: 'Any other trouble' })
  return { ...responses, default: responseOf(operation, undefined, trouble) }
}

/** Turns `getWallet` into `GetWallet`. */
function capitalized({ docs }: Operation): string {
  return docs.operationId.charAt(0).toUpperCase() + docs.operationId.slice(1)
}

/**
 * Names every object, because generated clients need it. An envelope is named after its content, any other object after
 * its operation.
 */
function named(collector: SchemaCollector, converted: JsonSchema, fallback: string): JsonSchema {
  if (converted.type !== 'object' || converted.properties === undefined) return converted
  const { data, ...beside } = converted.properties
  const isPage = Object.keys(beside).length > 0
  const held = nameOf(data) ?? nameOf(data?.items)
  if (held === undefined) return collector.name(converted, fallback)
  const kind = data?.type === 'array' ? (isPage ? 'Page' : 'List') : 'Response'
  return collector.name(converted, held + kind)
}

function nameOf(schema: JsonSchema | boolean | undefined): string | undefined {
  return typeof schema === 'object' ? schema.$ref?.slice(SCHEMA_REFERENCE_PREFIX.length) : undefined
}

const BODILESS = new Set([204, 304])
const MAY_SAY_WHEN = new Set([403, 429, 503])

function responseOf(
  operation: Operation,
  status: number | undefined,
  converted: JsonSchema,
  example?: OperationExample,
): OpenApiResponse {
  const { description, ...schema } = converted
  const isEmpty = BODILESS.has(status ?? 0) || schema.type === 'null'
  const headers = [
    ...ON_EVERY_ANSWER,
    ...(MAY_SAY_WHEN.has(status ?? 0) ? ['Retry-After'] : []),
    ...(operation.docs.successor !== undefined ? ['Deprecation', 'Link'] : []),
  ]
  return {
    description: description ?? STATUS_CODES[status ?? 0] ?? `Status ${status}`,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(!isEmpty && {
      content: {
        [schema.contentMediaType ?? 'application/json']: withExample(
          { schema },
          example?.responses,
          String(status),
        ),
      },
    }),
  }
}

const ON_EVERY_ANSWER = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

const HEADERS = {
  'X-Request-Id': header('string', 'Names this request; quote it when you ask for help'),
  'RateLimit-Limit': header('integer', 'Requests that one address may send per 5 minutes'),
  'RateLimit-Remaining': header('integer', 'How many of them are left'),
  'RateLimit-Reset': header('integer', 'Seconds until they are counted anew'),
  'Retry-After': header('integer', 'Seconds to wait before the next try, where waiting helps'),
  Deprecation: header('string', 'The operation is deprecated'),
  Link: header('string', 'What replaces a deprecated operation, as `rel="successor-version"`'),
} as const

function header(type: 'string' | 'integer', description: string): object {
  return { description, schema: { type } }
}

const SECURITY_SCHEMES = {
  apiKey: signingHeader('X-Api-Key', 'The API key. The four signing headers are sent together.'),
  timestamp: signingHeader('X-Timestamp', "Unix time in seconds, within 5 minutes of the server's."),
  nonce: signingHeader('X-Nonce', '16 to 128 characters of a-z A-Z 0-9 - _, new for every request.'),
  signature: signingHeader(
    'X-Signature',
    '`v1=` and the Base64 of HMAC-SHA256 over `v1:{timestamp}:{nonce}:{METHOD}:{query}:{bodyHash}`.',
  ),
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Deprecated: the ID token from `/v2/token`. New integrations sign their requests.',
  },
} as const

function signingHeader(name: string, description: string): object {
  return { type: 'apiKey', in: 'header', name, description }
}

const RESELLERS_INFO: OpenApiInfo = {
  title: 'Warung',
  description: DESCRIPTION,
  security: [{ apiKey: [], timestamp: [], nonce: [], signature: [] }, { bearerAuth: [] }],
  securitySchemes: SECURITY_SCHEMES,
}

function refuseRepeatedIds(operations: readonly Operation[]): void {
  const seen = new Set<string>()
  for (const { docs } of operations) {
    if (seen.has(docs.operationId)) throw new Error(`two operations are called ${docs.operationId}`)
    seen.add(docs.operationId)
  }
}
