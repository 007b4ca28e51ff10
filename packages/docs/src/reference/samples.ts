import type { Described, Located, Parameter } from './document.ts'

/** Request of an operation's recorded example. */
export type ExampleRequest = {
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly body: unknown
}

/** Returns the example's request: parameters of the path, those of the query that have a value, and the body. */
export function exampleRequest({ path, operation }: Located): ExampleRequest {
  const parameters = operation.parameters ?? []
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(parameters.find((each) => each.name === name)?.example ?? name)),
  )
  const query = parameters
    .filter((each) => each.in === 'query' && each.example !== undefined)
    .flatMap(({ name, example }: Parameter) =>
      (Array.isArray(example) ? example : [example]).map((value) => [name, String(value)] as const),
    )
  return { path: filled, query, body: bodyOf(operation) }
}

function bodyOf({ requestBody }: Described): unknown {
  return requestBody?.content['application/json']?.example
}

/** Tells whether anyone may call the operation, without credentials. */
export function isOpen({ security }: Described): boolean {
  return security !== undefined && security.length === 0
}

/** Returns a shell line: the signing script of the guide, or plain curl where no signature is needed. */
export function shellSample(located: Located): string {
  const { path, query, body } = exampleRequest(located)
  const search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
  const isBodiless = body === undefined
  if (isOpen(located.operation)) {
    const address = `"$BASE_URL${path}${search === '' ? '' : `?${search}`}"`
    const method = located.method === 'GET' ? '' : ` -X ${located.method}`
    const data = isBodiless
      ? ''
      : ` \\\n  -H 'Content-Type: application/json' -d ${quote(JSON.stringify(body))}`
    return `curl -sS${method} ${address}${data}`
  }
  const rest = [search, isBodiless ? '' : JSON.stringify(body)]
  while (rest.at(-1) === '') rest.pop()
  return ['bash signed.sh', located.method, path, ...rest.map(quote)].join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * Returns a call of the TypeScript SDK: a method under the operation's id, with parameters and body in one object.
 * Undefined: the SDK has no method for an answer that is not JSON.
 */
export function sdkSample(located: Located): string | undefined {
  const { operation } = located
  const answer = Object.entries(operation.responses).find(([status]) => /^20[0-9]$/.test(status))?.[1]
  if (answer?.content !== undefined && answer.content['application/json'] === undefined) return undefined
  const parameters = (operation.parameters ?? [])
    .filter((each) => each.in === 'path' || (each.in === 'query' && each.example !== undefined))
    .map((each) => [each.name, typedExample(each)] as const)
  const body = bodyOf(operation)
  const input = { ...Object.fromEntries(parameters), ...(isRecord(body) && body) }
  const text = Object.keys(input).length === 0 ? '' : literal(input, '')
  return `const answer = await client.${operation.operationId}(${text})`
}

/** Returns the example in the type of its parameter: the recorded query has texts alone. */
function typedExample({ name, example, schema }: Parameter): unknown {
  if (example === undefined) return name
  if (schema.type === 'integer' || schema.type === 'number') return Number(example)
  if (schema.type === 'boolean') return String(example) === 'true'
  return schema.type === 'array' && !Array.isArray(example) ? [example] : example
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Spells a value as JavaScript, in the style of this repository. */
function literal(value: unknown, indent: string): string {
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent)).join(', ')}]`
  if (isRecord(value)) {
    const lines = Object.entries(value).map(
      ([name, each]) => `${inner}${nameOf(name)}: ${literal(each, inner)},`,
    )
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`
  }
  return typeof value === 'string' ? spell(value) : JSON.stringify(value)
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : spell(name)
}

function spell(text: string): string {
  return text.includes("'")
    ? JSON.stringify(text)
    : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`
}
