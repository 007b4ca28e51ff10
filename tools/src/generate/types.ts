// Types in TypeScript from the schemas of an OpenAPI document, for the pages and for the SDK.
import type { Content, Document, Operation, Parameter, Schema } from './document.ts'
import { schemaName } from './document.ts'

/** Mark before the name of a schema: another file names it with its import. */
export const REFERENCE = '\u0000'
/** Renders the types that the operations of a document send and answer. */
export function schemaLines({ components }: Document) {
  const types = Object.entries(components.schemas ?? {})
  return types.map(([name, schema]) => `export type ${typeName(name)} = ${typeOf(schema)}`)
}

export function parametersType(parameters: Parameter[]) {
  const members = parameters.map(
    ({ name, required, schema }) => `${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{ ${members.join('; ')} }`
}

export function answerType(responses: Operation['responses']) {
  const types = Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .map(([, { content }]) => (content === undefined ? 'null' : contentType(content)))
  return [...new Set(types)].join(' | ') || 'null'
}

export function contentType(content: Content) {
  const json = content['application/json']
  if (json !== undefined) return typeOf(json.schema)
  return 'string'
}

/** Renders a type. Members of an object stand in lines of their own, each after its description. */
export function typeOf(schema: Schema | undefined, indent = ''): string {
  if (schema === undefined) return 'unknown'
  if (schema.$ref !== undefined) return REFERENCE + typeName(schemaName(schema.$ref))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return union.map((each) => wrapped(typeOf(each, indent))).join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map((each) => wrapped(typeOf(each, indent))).join(' & ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => wrapped(typeOf({ ...schema, type }, indent))).join(' | ')
  }
  return plainType(schema, indent)
}

function plainType(schema: Schema, indent: string) {
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
      return `${wrapped(typeOf(schema.items, indent))}[]`
    case 'object':
      return objectType(schema, indent)
    default:
      return 'unknown'
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string) {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name: `${keyOf(name)}${required.includes(name) ? '' : '?'}`,
    description: schema.description,
    type: typeOf(schema, `${indent}  `),
  }))
  if (members.length > 0) return membersType(members, indent)
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
  return `Record<string, ${values}>`
}

export type Member = { name: string; description: string | undefined; type: string }

/** Renders an object type of members with a name, a type and perhaps a description. */
export function membersType(members: Member[], indent: string) {
  const lines = members.flatMap(({ name, description, type }) => [
    ...(description === undefined ? [] : [`/** ${description.replaceAll('*/', '*\\/')} */`]),
    `${name}: ${type}`,
  ])
  return ['{', ...lines.map((line) => `${indent}  ${line}`), `${indent}}`].join('\n')
}

function wrapped(type: string) {
  return /[|&]/.test(type) ? `(${type})` : type
}

export function keyOf(name: string) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

export function typeName(name: string) {
  return name.replace(/[^A-Za-z0-9]/g, '_')
}
