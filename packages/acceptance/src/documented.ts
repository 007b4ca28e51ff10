import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Compile } from 'typebox/compile'
import type { Answered, Api, Asked, Found } from './recording.ts'
import { recordExchange } from './recording.ts'

/**
 * Checks every answer of the service against its OpenAPI documents: the status is declared, and the body has the
 * declared members and no other. The documents in docs/ are the ones that the service serves
 * (operations/documentation).
 */

type Schema = Readonly<Record<string, unknown>>
type Content = Readonly<Record<string, { readonly schema: Schema }>>
type Described = {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

type Check = (answer: Answered) => string | undefined
type DocumentedPath = {
  readonly api: Api
  readonly form: RegExp
  readonly methods: Readonly<Record<string, Described>>
}

const FILES: Readonly<Record<Api, string>> = {
  reseller: 'openapi.json',
  operator: 'openapi-operator.json',
  portal: 'openapi-portal.json',
  checkout: 'openapi-checkout.json',
}

const REFERENCE = '#/components/schemas/'

/** Statuses with which the edge answers any request, in the shape of `default`. */
const EDGE_STATUSES = new Set([405, 408, 413, 414, 417, 431, 500, 501, 503, 504])

/** Pages, files of the dashboards and receivers of suppliers' callbacks, which no document lists. */
const UNLISTED =
  /^\/(?:$|callbacks\/|r\/|mailbox|docs(?:\/|$)|llms\.txt$|robots\.txt$|\.well-known\/security\.txt$|reference$|theme\.js$|icon[\w-]*\.(?:svg|png)$|dashboard|assets\/|operator(?!\/v1\/)|portal(?!\/v1\/)|checkout(?!\/v1\/)|favicon)/

let documentedPaths: readonly DocumentedPath[] | undefined
const shared = new Map<Api, Record<string, Schema>>()
const checks = new Map<string, Check>()

/** Fails on an answer that the documents do not describe. */
export function expectDocumented(input: Asked, answer: Answered): void {
  // Other listeners (metrics, suppliers, receivers) have no such header.
  if (answer.headers['x-request-id'] === undefined) return
  const { method, path, found, problem } = judge(input, answer)
  if (problem !== undefined) {
    throw new Error(
      `${method} ${path} gave an answer that the OpenAPI document does not know: ${problem}\n${answer.status} ${answer.text.slice(0, 500)}`,
    )
  }
  if (found !== undefined) recordExchange(found, input, answer)
}

/** Returns the difference between an answer and the documents; undefined when there is none. */
export function undocumentedIn(input: Asked, answer: Answered): string | undefined {
  return judge(input, answer).problem
}

function judge(input: Asked, answer: Answered) {
  const method = (input.method ?? 'GET').toUpperCase()
  const [path = ''] = input.path.split(/[?#]/, 1)
  const found = findOperation(method, path)
  const problem = found === undefined ? unlistedProblem(path, answer) : checkOf(found, answer.status)(answer)
  return { method, path, found, problem }
}

function findOperation(method: string, path: string): Found<Described> | undefined {
  documentedPaths ??= loadDocumentedPaths()
  for (const { api, form, methods } of documentedPaths) {
    const matched = form.exec(path)
    if (matched === null) continue
    const operation = methods[method === 'HEAD' ? 'get' : method.toLowerCase()]
    return operation === undefined ? undefined : { api, operation, path: { ...matched.groups } }
  }
  return undefined
}

/** Loads the paths. Paths without parameters come first, because they win over templates that match them too. */
function loadDocumentedPaths(): DocumentedPath[] {
  const found: (DocumentedPath & { readonly template: string })[] = []
  for (const api of Object.keys(FILES) as Api[]) {
    const file = new URL(`../../../docs/${FILES[api]}`, import.meta.url)
    const document = JSON.parse(readFileSync(file, 'utf8')) as Document
    shared.set(api, closedMap(document.components.schemas))
    for (const [template, methods] of Object.entries(document.paths)) {
      found.push({ api, template, form: formOf(template), methods })
    }
  }
  const parametersIn = ({ template }: { readonly template: string }) => template.split('{').length
  return found.sort((a, b) => parametersIn(a) - parametersIn(b))
}

function formOf(template: string): RegExp {
  const escaped = template.replace(/[.]/g, '\\.')
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}

function unlistedProblem(path: string, { status, text }: Answered): string | undefined {
  if (UNLISTED.test(path) || text === '') return undefined
  return status >= 400 ? undefined : 'no operation has this path and method'
}

function checkOf({ api, operation }: Found<Described>, status: number): Check {
  const key = `${api} ${operation.operationId} ${status}`
  const known = checks.get(key)
  if (known !== undefined) return known
  const made = makeCheck(api, operation, status)
  checks.set(key, made)
  return made
}

function makeCheck(api: Api, { operationId, responses }: Described, status: number): Check {
  const declared = responses[status] ?? (EDGE_STATUSES.has(status) ? responses.default : undefined)
  if (declared === undefined) return () => `${operationId} declares no status ${status}`
  const { content } = declared
  if (content === undefined) return ({ text }) => (text === '' ? undefined : 'a body where none is declared')
  const types = Object.keys(content)
  const schema = content['application/json']?.schema
  const validator =
    schema === undefined ? undefined : Compile(shared.get(api) as never, closed(schema) as never)
  return (answer) => {
    if (answer.bytes.length === 0) return undefined
    const type = String(answer.headers['content-type']).split(';', 1)[0] ?? ''
    if (!types.includes(type)) return `the content type is ${type}, declared are ${types.join(', ')}`
    if (validator === undefined) return undefined
    const body: unknown = JSON.parse(decoded(answer))
    return validator.Check(body) ? undefined : JSON.stringify(validator.Errors(body).slice(0, 5))
  }
}

function decoded({ bytes, headers, text }: Answered): string {
  if (headers['content-encoding'] === 'gzip') return gunzipSync(bytes).toString()
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(bytes).toString()
  return text
}

/**
 * Closes a schema. The document is open, because clients must ignore members that they do not know; the tests are
 * strict.
 */
function closed(value: unknown): Schema {
  if (typeof value !== 'object' || value === null) return value as never
  const { $ref, example: _, examples: __, ...rest } = value as Record<string, unknown>
  if (typeof $ref === 'string') return { $ref: $ref.slice(REFERENCE.length) }
  const schema: Record<string, unknown> = {}
  for (const [keyword, part] of Object.entries(rest)) schema[keyword] = closedPart(keyword, part)
  const isOpen = schema.type === 'object' && schema.additionalProperties === undefined
  return isOpen ? { ...schema, additionalProperties: false } : schema
}

function closedPart(keyword: string, part: unknown): unknown {
  if (keyword === 'properties') return closedMap(part as Record<string, Schema>)
  if (keyword === 'items' || keyword === 'additionalProperties') return closed(part)
  if (Array.isArray(part) && /^(anyOf|oneOf|allOf|prefixItems)$/.test(keyword)) return part.map(closed)
  return part
}

function closedMap(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]))
}
