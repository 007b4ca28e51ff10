// Writes packages/server/examples from exchanges that the acceptance tests recorded: npm run examples
// DIRECTORY. Record with WARUNG_RECORD_EXAMPLES=DIRECTORY npm test -- packages/acceptance. Operations without a
// recorded exchange keep their example.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document, Operation, Schema } from './document.ts'
import { schemaName } from './document.ts'

/** Longest text of a request in an example: tests of limits send longer ones, which nobody wants to read. */
const TEXT_MAX = 300

const [directory = ''] = process.argv.slice(2)
if (directory === '') throw new Error('usage: npm run examples DIRECTORY')

const DOCUMENTS = {
  reseller: 'openapi',
  operator: 'openapi-operator',
  portal: 'openapi-portal',
  checkout: 'openapi-checkout',
}
const MARK = 'Recorded by npm run examples from a running service'
const ITEMS_MAX = 2
const ENTRIES_MAX = 60
const CSV_LINES_MAX = 3

/** Replacement for the OpenAPI document: a whole document as an example would be longer than everything else. */
const OWN_DOCUMENT = { openapi: '3.1.0', info: { title: 'Warung', version: '0.1.0' }, paths: {} }

const SECRETS: [names: RegExp, shown: () => string][] = [
  [/^(password|new_password|current_password)$/, () => 'correct horse battery staple'],
  [/^(AccessToken|IdToken)$/, () => 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl'],
  [/webhook_secret|^secret$/, () => 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
  [/signing_secret/, () => 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
  [/^(?!TokenType$).*(token|csrf)/i, () => 'an-opaque-token'],
  [/recovery_codes|^codes$/, () => 'abcd-efgh-jkmn'],
]

type Json = null | boolean | number | string | Json[] | { [name: string]: Json | undefined }

type Example = { parameters?: object; request?: unknown; responses: Record<string, unknown> }
type Lent = { from: string; parameters?: object; request?: object }

/** Request and answer that a test recorded. */
type Exchange = {
  api: string
  id: string
  status: number
  type: string
  body: string
  request?: string
  parameters: Record<string, string>
}

/** Operations that no test records well: the operation whose answer is shown, and the request for it. */
const LENT: Record<string, Lent | undefined> = {
  updateLevel: { from: 'createLevel', request: { name: 'Gold', reason: 'Renamed in the contract' } },
  portalRemoveThreshold: { from: 'portalListThresholds', parameters: { amount: '50.00' } },
  portalRotateEndpointSecret: { from: 'portalPutEndpoint', request: { grace_seconds: 3600 } },
}

/** Requests that say what a person would send, instead of what a test sent; their answers say the same. */
const PAYMENT = { account: '60123456789', amount: 10, remarks: 'Order 4711' }
const REWORDED: Record<string, object | undefined> = { pay: PAYMENT, portalPay: PAYMENT }

const recorded = readRecorded()
const apis = Object.entries(DOCUMENTS).map(([api, name]) => readApi(api, name))
const everything = apis.flatMap(({ operations, examples }) =>
  operations.map((operation) => ({ operation, example: examples[operation.operationId] })),
)
for (const { api, file, operations, examples } of apis) {
  for (const operation of operations) examples[operation.operationId] ??= borrowed(operation)
  const missing = operations.filter(({ operationId }) => examples[operationId] === undefined)
  writeFileSync(file, `${JSON.stringify({ 'x-generated': MARK, examples }, null, 2)}\n`)
  process.stdout.write(
    `${api}: no example of ${missing.map((each) => each.operationId).join(', ') || 'none'}\n`,
  )
}

function readApi(api: string, name: string) {
  const text = readFileSync(new URL(`../../../docs/${name}.json`, import.meta.url), 'utf8')
  const document = JSON.parse(text) as Document
  const file = new URL(`../../../packages/server/examples/${api}.json`, import.meta.url)
  const { examples: before } = JSON.parse(readFileSync(file, 'utf8')) as {
    examples: Record<string, Example | undefined>
  }
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const examples: Record<string, Example | undefined> = {}
  for (const operation of operations) {
    const exchanges = recorded.get(`${api} ${operation.operationId}`) ?? []
    examples[operation.operationId] = exampleOf(operation, exchanges, before[operation.operationId], document)
  }
  return { api, file, operations, examples }
}

/** Returns the example of an operation that takes and answers the same, for one that was not recorded. */
function borrowed(operation: Operation): Example | undefined {
  const lent = LENT[operation.operationId]
  if (lent !== undefined) {
    const { from, ...given } = lent
    const { example } = everything.find((each) => each.operation.operationId === from) ?? {}
    return { ...given, responses: { 200: Object.values(example?.responses ?? {})[0] } }
  }
  return everything.find((each) => each.example !== undefined && alike(each.operation, operation))?.example
}

function readRecorded() {
  const byOperation = new Map<string, Exchange[]>()
  for (const file of readdirSync(directory)) {
    for (const line of readFileSync(join(directory, file), 'utf8').split('\n')) {
      if (line === '') continue
      const exchange = JSON.parse(line) as Exchange
      // HEAD has no body.
      if (exchange.body === '' && exchange.status !== 204) continue
      const key = `${exchange.api} ${exchange.id}`
      byOperation.set(key, [...(byOperation.get(key) ?? []), exchange])
    }
  }
  return byOperation
}

function alike(one: Operation, other: Operation) {
  const shape = ({ requestBody, parameters = [], responses }: Operation) =>
    JSON.stringify([
      Object.values(requestBody?.content ?? {})[0]?.schema,
      parameters.map(({ name }) => name),
      ...Object.entries(responses)
        .filter(([status]) => /^2/.test(status))
        .map(([status, { content = {} }]) => [status, Object.values(content)[0]?.schema]),
    ])
  return shape(one) === shape(other)
}

function exampleOf(
  operation: Operation,
  exchanges: Exchange[],
  before: Example | undefined,
  document: Document,
): Example | undefined {
  const { operationId } = operation
  if (LENT[operationId] !== undefined) return undefined
  if (/OpenApi$/.test(operationId)) return { responses: { 200: OWN_DOCUMENT } }
  const responses: Record<string, unknown> = {}
  let chosen: Exchange | undefined
  for (const status of Object.keys(operation.responses).filter((each) => /^2/.test(each))) {
    const best = bestOf(
      operation,
      exchanges.filter((each) => String(each.status) === status),
    )
    if (best === undefined) continue
    chosen ??= best
    const value = shownBody(best)
    if (value !== undefined) responses[status] = value
  }
  if (chosen === undefined) return before
  const parameters = parametersOf(operation, chosen)
  const request =
    operation.requestBody === undefined ? undefined : declared(operation, requestOf(chosen), document)
  return readable({
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(request !== undefined && { request: reworded(operationId, request) }),
    responses: JSON.parse(JSON.stringify(responses), (_, value: Json) => reworded(operationId, value)),
  })
}

/** Gives a payment the contents that a person would send. */
function reworded(operationId: string, value: Json | undefined) {
  const words = REWORDED[operationId]
  if (words === undefined || !isObject(value) || value.refid === undefined) return value
  const { extras: _, ...kept } = value
  return { ...kept, ...words }
}

function isObject(value: Json | undefined): value is { [name: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Writes the random references of tests as the numbers of invoices. */
function readable(example: Example): Example {
  const invoice = (_: string, digits: string) => `INV-${(Number.parseInt(digits, 16) % 900_000) + 100_000}`
  return JSON.parse(JSON.stringify(example).replaceAll(/test-([0-9a-f]{8})[0-9a-f]{16}/g, invoice))
}

/** Keeps the declared members: tests also send unknown members, and null for a missing value. */
function declared(operation: Operation, request: Json | undefined, document: Document) {
  const { schema } = Object.values(operation.requestBody?.content ?? {})[0] ?? {}
  return declaredIn(schema, request, document)
}

function declaredIn(
  schema: Schema | undefined,
  value: Json | undefined,
  document: Document,
): Json | undefined {
  const named = document.components.schemas?.[schemaName(schema?.$ref ?? '')]
  const { properties, items } = named ?? schema ?? {}
  if (Array.isArray(value) && items !== undefined) {
    return value.map((each) => declaredIn(items, each, document) ?? null)
  }
  if (properties === undefined || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name, member]) =>
          properties[name] !== undefined && (member !== null || takesNull(properties[name])),
      )
      .map(([name, member]) => [name, declaredIn(properties[name], member, document)]),
  )
}

function takesNull(schema: Schema | undefined) {
  return (schema?.anyOf ?? [schema ?? {}]).some(({ type }) => type === 'null' || type === undefined)
}

/** Returns the exchange that shows most of the declared members; of these, the shortest. */
function bestOf(operation: Operation, exchanges: Exchange[]) {
  const ranked = exchanges
    .filter(
      (each) =>
        operation.requestBody === undefined ||
        requestOf(each) !== undefined ||
        !operation.requestBody.required,
    )
    .map((each) => ({
      each,
      isLong: new RegExp(`"[^"]{${TEXT_MAX},}"`).test(each.request ?? ''),
      shown: membersOf(each).size,
      length: each.body.length + (each.request?.length ?? 0),
    }))
    .sort(
      (a, b) =>
        Number(a.isLong) - Number(b.isLong) ||
        b.shown - a.shown ||
        a.length - b.length ||
        (a.each.body < b.each.body ? -1 : 1),
    )
  return ranked[0]?.each
}

function membersOf({ type, body, request, parameters }: Exchange) {
  const found = new Set(Object.keys(parameters).map((name) => `? ${name}`))
  if (type === 'application/json') collect(JSON.parse(body) as Json, '', found)
  if (request?.startsWith('{')) collect(tryParse(request), '!', found)
  return found
}

function collect(value: Json | undefined, path: string, found: Set<string>) {
  if (value === undefined || value === null || value === '') return
  found.add(path)
  if (typeof value !== 'object') return
  if (Array.isArray(value)) for (const item of value) collect(item, `${path}[]`, found)
  else for (const [name, member] of Object.entries(value)) collect(member, `${path}.${name}`, found)
}

function shownBody({ type, body }: Exchange) {
  if (type === 'application/json') return shown(JSON.parse(body) as Json)
  if (type === 'text/csv') return body.split('\r\n').slice(0, CSV_LINES_MAX).join('\r\n')
  return undefined
}

function requestOf({ request }: Exchange): Json | undefined {
  if (request === undefined || request === '') return undefined
  return request.startsWith('{')
    ? shown(tryParse(request))
    : request.split('\n').slice(0, CSV_LINES_MAX).join('\n')
}

function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function parametersOf(operation: Operation, { parameters }: Exchange) {
  return Object.fromEntries(
    (operation.parameters ?? []).flatMap(({ name, schema }) => {
      const given = parameters[name] ?? ''
      return given === '' ? [] : [[name, typed(schema, decodeURIComponent(given))] as const]
    }),
  )
}

function typed({ type }: Schema, text: string) {
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'boolean') return text === 'true' || text === '1'
  return type === 'array' ? [text] : clean('', text)
}

/** Shortens long lists, and replaces values that look like a secret or are specific to one machine. */
function shown(value: Json | undefined, name = ''): Json | undefined {
  if (typeof value === 'string') return clean(name, value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => shown(item, name) ?? null)
  const entries = Object.entries(value)
  const kept = entries.length > ENTRIES_MAX ? entries.slice(0, ITEMS_MAX) : entries
  return Object.fromEntries(kept.map(([member, each]) => [member, shown(each, member)]))
}

function clean(name: string, text: string) {
  const secret = SECRETS.find(([form]) => form.test(name))
  if (secret !== undefined) return secret[1]()
  return text
    .replace(/https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?/g, 'https://api.example.com')
    .replace(/^postgres:.*$/, 'postgres://warung:****@db.example.com:5432/warung')
    .replace(/#ct_[\w-]+$/, '#an-opaque-token')
    .replace(/^\/tmp\/.*$/, '/var/lib/warung')
    .replace(/^otpauth:.*$/, 'otpauth://totp/Warung:someone?secret=JBSWY3DPEHPK3PXP&issuer=Warung')
}
