// `npm run web-api`: writes the types of the portal's and the operators' operations for the pages, from the same
// documents that the service serves. With --check it writes nothing and fails when a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const APIS = ['portal', 'operator']
/** Mark before the name of a schema: another file names it with its import. */
const REFERENCE = '\u0000'
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const isCheck = process.argv.includes('--check')
let stale = false
for (const api of APIS) {
  const document = JSON.parse(read(`docs/openapi-${api}.json`))
  keep(`packages/web/src/api/${api}.generated.ts`, renderSchemas(api, document))
  keep(`packages/web/src/api/${api}-operations.generated.ts`, renderOperations(api, document))
}
process.exit(stale ? 1 : 0)

/** Writes a file, or with --check compares it with what is there. */
function keep(path, text) {
  if (!isCheck) writeFileSync(at(path), text)
  else if (readIfThere(path) !== text) {
    stale = true
    console.error(`${path} is out of date: run \`npm run web-api\``)
  }
}

function at(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}

function read(path) {
  return readFileSync(at(path), 'utf8')
}

function readIfThere(path) {
  try {
    return read(path)
  } catch {
    return undefined
  }
}

function headOf(api) {
  return `// Generated from docs/openapi-${api}.json by scripts/web-api.js. Do not edit.`
}

/** Types that the operations of an API send and answer, one in a line. */
function renderSchemas(api, { components }) {
  const types = Object.entries(components.schemas ?? {})
  const lines = types.map(([name, schema]) => `export type ${typeName(name)} = ${typeOf(schema)}`)
  return [headOf(api), ...lines, ''].join('\n').replaceAll(REFERENCE, '')
}

/** Operations of an API: parameters, body and answer of each for the compiler, method and path for the client. */
function renderOperations(api, { paths }) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, ...item[method] })),
  )
  const prefix = api === 'portal' ? 'Portal' : 'Operator'
  return [
    headOf(api),
    `import type * as S from './${api}.generated.ts'`,
    '',
    `export type ${prefix}Operations = {`,
    ...operations.map(renderOperation),
    '}',
    '',
    `export const ${prefix.toUpperCase()}_ROUTES = {`,
    ...operations.map(
      ({ operationId, method, path }) => `  ${operationId}: '${method.toUpperCase()} ${path}',`,
    ),
    `} as const satisfies Record<keyof ${prefix}Operations, string>`,
    '',
  ]
    .join('\n')
    .replaceAll(REFERENCE, 'S.')
}

function renderOperation({ operationId, parameters = [], requestBody, responses }) {
  const inPath = parameters.filter((each) => each.in === 'path')
  const inQuery = parameters.filter((each) => each.in === 'query')
  const params = inPath.length === 0 ? 'undefined' : parametersType(inPath)
  const query = inQuery.length === 0 ? 'undefined' : parametersType(inQuery)
  const body = requestBody === undefined ? 'undefined' : contentType(requestBody.content)
  return `  ${operationId}: { params: ${params}; query: ${query}; body: ${body}; answer: ${answerType(responses)} }`
}

function parametersType(parameters) {
  const members = parameters.map(
    ({ name, required, schema }) => `${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{ ${members.join('; ')} }`
}

function answerType(responses) {
  const types = Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .map(([, { content }]) => (content === undefined ? 'null' : contentType(content)))
  return [...new Set(types)].join(' | ') || 'null'
}

function contentType(content) {
  const json = content['application/json']
  if (json !== undefined) return typeOf(json.schema)
  return 'string'
}

function typeOf(schema) {
  if (schema === undefined || schema === true) return 'unknown'
  if (schema.$ref !== undefined) return REFERENCE + typeName(schema.$ref.split('/').at(-1))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return union.map((each) => wrapped(typeOf(each))).join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map((each) => wrapped(typeOf(each))).join(' & ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => wrapped(typeOf({ ...schema, type }))).join(' | ')
  }
  return plainType(schema)
}

function plainType(schema) {
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return `${wrapped(typeOf(schema.items))}[]`
    case 'object':
      return objectType(schema)
    default:
      return 'unknown'
  }
}

function objectType({ properties = {}, required = [], additionalProperties }) {
  const members = Object.entries(properties).map(
    ([name, schema]) => `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  if (members.length > 0) return `{ ${members.join('; ')} }`
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  return `Record<string, ${values}>`
}

function wrapped(type) {
  return /[|&]/.test(type) ? `(${type})` : type
}

function keyOf(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function typeName(name) {
  return name.replace(/[^A-Za-z0-9]/g, '_')
}
