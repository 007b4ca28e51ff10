import { readFileSync } from 'node:fs'
import type { Api } from '../recording.ts'

// Operations as the four documents in docs/ describe them, for the generator of requests.

export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly examples?: readonly unknown[]
}

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
  readonly example?: unknown
}

export type Body = {
  readonly type: string
  readonly schema: Schema
  readonly example: unknown
  /** Largest body that the operation reads, in bytes. */
  readonly bytesMax: number
}

export type Operation = {
  readonly api: Api
  readonly id: string
  readonly method: string
  /** Path with `{name}` for each parameter. */
  readonly path: string
  readonly isOpen: boolean
  readonly parameters: readonly Parameter[]
  readonly body: Body | undefined
  /** Statuses below 300 that it may answer. */
  readonly successes: readonly number[]
}

type Described = {
  readonly operationId: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly description: string
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
  }
  readonly responses: Readonly<Record<string, unknown>>
}

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const FILES: Readonly<Record<Api, string>> = {
  reseller: 'openapi.json',
  portal: 'openapi-portal.json',
  operator: 'openapi-operator.json',
  checkout: 'openapi-checkout.json',
}

const documents = new Map<Api, Document>()

function documentOf(api: Api): Document {
  const known = documents.get(api)
  if (known !== undefined) return known
  const file = new URL(`../../../../docs/${FILES[api]}`, import.meta.url)
  const document = JSON.parse(readFileSync(file, 'utf8')) as Document
  documents.set(api, document)
  return document
}

export function listOperations(api: Api): Operation[] {
  return Object.entries(documentOf(api).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(api, path, method, described)),
  )
}

/** Finds an operation by its id, in any of the documents. */
export function findOperation(id: string): Operation | undefined {
  return (Object.keys(FILES) as Api[]).flatMap(listOperations).find((each) => each.id === id)
}

function operationOf(api: Api, path: string, method: string, described: Described): Operation {
  return {
    api,
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    isOpen: described.security?.length === 0,
    parameters: described.parameters ?? [],
    body: bodyOf(described),
    successes: Object.keys(described.responses)
      .map(Number)
      .filter((status) => status < 300),
  }
}

function bodyOf({ requestBody }: Described): Body | undefined {
  if (requestBody === undefined) return undefined
  const [entry] = Object.entries(requestBody.content)
  if (entry === undefined) return undefined
  const [type, { schema, example }] = entry
  return { type, schema, example, bytesMax: bytesIn(requestBody.description) }
}

const UNITS: Readonly<Record<string, number>> = { kB: 1024, MB: 1024 * 1024 }

/** Reads the limit from the words of the document: "At most 64 kB." */
function bytesIn(description: string): number {
  const [, count, unit = ''] = /At most (\d+) ([kM]B)/.exec(description) ?? []
  return Number(count ?? 64) * (UNITS[unit] ?? 1024)
}

const REFERENCE = '#/components/schemas/'

/** Follows a reference to a named schema. */
export function resolveSchema(api: Api, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const named = documentOf(api).components.schemas[schema.$ref.slice(REFERENCE.length)]
  if (named === undefined) throw new Error(`${api} has no schema ${schema.$ref}`)
  return resolveSchema(api, named)
}
