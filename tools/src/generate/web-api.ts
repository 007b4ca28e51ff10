import type { Document, Routed, Schema } from './document.ts'
import { operationsOf, schemaName } from './document.ts'
import type { Keeper } from './files.ts'
import { read } from './files.ts'
import { answerType, contentType, keyOf, parametersType, REFERENCE, schemaLines } from './types.ts'

const APIS = ['portal', 'operator']
/** Lists of texts that forms say, and the function that says them. Pages of others take no code of the service. */
const TEXTS = ['ms', 'id', 'zh', 'ta', 'saying']

/** Keeps the types of the portal's and the operators' operations for the pages, the fields that each act takes, and texts of forms. */
export function keepWebTypes(files: Keeper) {
  for (const api of APIS) {
    const document = JSON.parse(read(`docs/openapi-${api}.json`)) as Document
    files.keep(`packages/web/src/api/${api}.generated.ts`, renderSchemas(api, document))
    files.keep(`packages/web/src/api/${api}-operations.generated.ts`, renderOperations(api, document))
    files.keep(`packages/web/src/api/${api}-acts.generated.ts`, renderActs(api, document))
  }
  for (const name of TEXTS) {
    const source = `packages/server/src/modules/catalog/texts/${name}.rules.ts`
    const head = `// Generated from ${source} by npm run web-api. Do not edit.`
    files.keep(`packages/forms/src/standard/${name}.generated.ts`, `${head}\n\n${read(source)}`)
  }
}

function headOf(api: string) {
  return `// Generated from docs/openapi-${api}.json by npm run web-api. Do not edit.`
}

function renderSchemas(api: string, document: Document) {
  return [headOf(api), ...schemaLines(document), ''].join('\n').replaceAll(REFERENCE, '')
}

/** Operations of an API: parameters, body and answer of each for the compiler, method and path for the client. */
function renderOperations(api: string, document: Document) {
  const operations = operationsOf(document)
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

function renderOperation({ operationId, parameters = [], requestBody, responses }: Routed) {
  const inPath = parameters.filter((each) => each.in === 'path')
  const inQuery = parameters.filter((each) => each.in === 'query')
  const params = inPath.length === 0 ? 'undefined' : parametersType(inPath)
  const query = inQuery.length === 0 ? 'undefined' : parametersType(inQuery)
  const body = requestBody === undefined ? 'undefined' : contentType(requestBody.content)
  return `  ${operationId}: { params: ${params}; query: ${query}; body: ${body}; answer: ${answerType(responses)} }`
}

/** Acts of an API: the fields of each body for the dialog that draws them. A page carries only those that it names. */
function renderActs(api: string, document: Document) {
  const { schemas = {} } = document.components
  const acts = operationsOf(document).filter(({ method }) => method !== 'get')
  return [headOf(api), ...acts.flatMap((each) => renderAct(each, schemas)), ''].join('\n')
}

function renderAct({ operationId, requestBody }: Routed, schemas: Record<string, Schema>) {
  const given = requestBody?.content['application/json']?.schema
  const schema = given?.$ref === undefined ? given : schemas[schemaName(given.$ref)]
  const { properties = {}, required = [] } = schema ?? {}
  const fields = Object.entries(properties).map(
    ([name, property]) => `    ${keyOf(name)}: ${literalOf(boundsOf(property, required.includes(name)))},`,
  )
  const table = fields.length === 0 ? ['  fields: {},'] : ['  fields: {', ...fields, '  },']
  return ['', `export const ${operationId} = {`, `  id: '${operationId}',`, ...table, '} as const']
}

/** Bounds of a field as a dialog holds them. Only the service knows the others, and says what is wrong. */
function boundsOf(schema: Schema, isRequired: boolean) {
  const kinds = schema.anyOf ?? [schema]
  const { type, enum: listed, maxLength, minimum, maximum } = kinds[0] ?? schema
  const values = type === 'boolean' && kinds.length > 1 ? [true, false] : listed
  const choices = values === undefined || kinds.length === 1 ? values : [...values, null]
  return { type, isRequired: isRequired || undefined, maxLength, minimum, maximum, choices }
}

function literalOf(bounds: object) {
  const members = Object.entries(bounds).filter(([, value]) => value !== undefined)
  const textOf = (value: unknown): string =>
    Array.isArray(value)
      ? `[${value.map(textOf).join(', ')}]`
      : typeof value === 'string'
        ? `'${value}'`
        : String(value)
  return `{ ${members.map(([name, value]) => `${name}: ${textOf(value)}`).join(', ')} }`
}
