// `npm run web-api`: writes the types of the portal's and the operators' operations for the pages, from the same
// documents that the service serves. With --check it writes nothing and fails when a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const APIS = ['portal', 'operator']
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const isCheck = process.argv.includes('--check')
let stale = false
for (const api of APIS) {
  const document = JSON.parse(read(`docs/openapi-${api}.json`))
  const text = render(api, document)
  const path = `packages/web/src/api/${api}.generated.ts`
  if (isCheck) {
    if (readIfThere(path) !== text) {
      stale = true
      console.error(`${path} is out of date: run \`npm run web-api\``)
    }
  } else writeFileSync(at(path), text)
}
process.exit(stale ? 1 : 0)

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

function render(api, { paths, components }) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, ...item[method] })),
  )
  const prefix = api === 'portal' ? 'Portal' : 'Operator'
  const lines = [`// Generated from docs/openapi-${api}.json by scripts/web-api.js. Do not edit.`, '']
  for (const [name, schema] of Object.entries(components.schemas ?? {})) {
    lines.push(`export type ${typeName(name)} = ${typeOf(schema)}`, '')
  }
  lines.push(`export type ${prefix}Operations = {`)
  for (const operation of operations) lines.push(...renderOperation(operation))
  lines.push('}', '', `export const ${prefix.toUpperCase()}_ROUTES = {`)
  for (const { operationId, method, path } of operations) {
    lines.push(`  ${operationId}: '${method.toUpperCase()} ${path}',`)
  }
  lines.push(`} as const satisfies Record<keyof ${prefix}Operations, string>`, '')
  return lines.join('\n')
}

function renderOperation({ operationId, parameters = [], requestBody, responses }) {
  const inPath = parameters.filter((each) => each.in === 'path')
  const inQuery = parameters.filter((each) => each.in === 'query')
  const body = requestBody === undefined ? 'undefined' : contentType(requestBody.content)
  return [
    `  ${operationId}: {`,
    `    params: ${inPath.length === 0 ? 'undefined' : parametersType(inPath)}`,
    `    query: ${inQuery.length === 0 ? 'undefined' : parametersType(inQuery)}`,
    `    body: ${body}`,
    `    answer: ${answerType(responses)}`,
    '  }',
  ]
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
  if (schema.$ref !== undefined) return typeName(schema.$ref.split('/').at(-1))
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
