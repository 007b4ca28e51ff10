import type { OpenApiDocument } from '../openapi/openapi.ts'
import type { JsonSchema } from '../openapi/openapi-schema.ts'
import { SCHEMA_REFERENCE_PREFIX } from '../openapi/openapi-schema.ts'

type Schemas = OpenApiDocument['components']['schemas']

/** Row of a field table. */
export type FieldRow = {
  /** Path from the top: `data.items[].code`; `*` stands for any name. */
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly description: string | undefined
  /** Rules of the value, in words. */
  readonly rules: readonly string[]
}

const DEPTH_MAX = 12

/** Follows a schema's reference; keywords beside the reference win. */
export function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = referenceName(schema)
  if (name === undefined) return schema
  const { $ref: _reference, ...beside } = schema
  return { ...schemas[name], ...beside }
}

/** Returns the shared schema's name, or undefined when the schema is no reference. */
export function referenceName(schema: JsonSchema): string | undefined {
  return schema.$ref?.slice(SCHEMA_REFERENCE_PREFIX.length)
}

/** Lists every field of a schema, outer ones before inner ones. */
export function listFields(schema: JsonSchema, schemas: Schemas): FieldRow[] {
  const rows = new Map<string, FieldRow>()
  collectFields(schema, '', 0, { schemas, rows })
  return [...rows.values()]
}

type Collection = { readonly schemas: Schemas; readonly rows: Map<string, FieldRow> }

function collectFields(schema: JsonSchema, prefix: string, depth: number, into: Collection): void {
  if (depth > DEPTH_MAX) return
  const resolved = resolve(schema, into.schemas)
  for (const [name, property] of Object.entries(resolved.properties ?? {})) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    // The first variant describes a field that several variants have.
    if (!into.rows.has(path)) {
      into.rows.set(path, rowOf(path, property, resolved.required?.includes(name) ?? false, into.schemas))
    }
    collectFields(property, path, depth + 1, into)
  }
  for (const variant of variantsOf(resolved)) collectFields(variant, prefix, depth + 1, into)
  if (typeof resolved.items === 'object') collectFields(resolved.items, `${prefix}[]`, depth + 1, into)
  if (typeof resolved.additionalProperties === 'object') {
    collectFields(resolved.additionalProperties, prefix === '' ? '*' : `${prefix}.*`, depth + 1, into)
  }
}

function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
}

function rowOf(path: string, schema: JsonSchema, required: boolean, schemas: Schemas): FieldRow {
  const resolved = resolve(schema, schemas)
  return {
    path,
    type: typeOf(schema, schemas),
    required,
    description: resolved.description,
    rules: rulesOf(resolved),
  }
}

/** Describes a type in words: `string or null`, `array of numbers`. */
export function typeOf(schema: JsonSchema, schemas: Schemas): string {
  const resolved = resolve(schema, schemas)
  if (resolved.const !== undefined) return JSON.stringify(resolved.const)
  const variants = resolved.anyOf ?? resolved.oneOf
  if (variants !== undefined) {
    return [...new Set(variants.map((variant) => typeOf(variant, schemas)))].join(' or ')
  }
  if (resolved.type === 'array') {
    return typeof resolved.items === 'object' ? `array of ${typeOf(resolved.items, schemas)}` : 'array'
  }
  if (typeof resolved.additionalProperties === 'object') {
    return `map of ${typeOf(resolved.additionalProperties, schemas)}`
  }
  if (resolved.type === 'object' && resolved.title !== undefined) return resolved.title
  if (resolved.type === undefined) return resolved.allOf === undefined ? 'any' : 'object'
  return typeof resolved.type === 'string' ? resolved.type : resolved.type.join(' or ')
}

export function rulesOf(schema: JsonSchema): string[] {
  const rules: string[] = []
  if (schema.enum !== undefined) rules.push(`one of ${schema.enum.map(spell).join(', ')}`)
  const length = rangeOf(schema.minLength, schema.maxLength)
  if (length !== undefined) rules.push(`${length} characters`)
  const value = rangeOf(schema.minimum, schema.maximum)
  if (value !== undefined) rules.push(value)
  const items = rangeOf(schema.minItems, schema.maxItems)
  if (items !== undefined) rules.push(`${items} items`)
  if (schema.format !== undefined) rules.push(`format ${schema.format}`)
  if (schema.pattern !== undefined) rules.push(`matches \`${schema.pattern}\``)
  if (schema.default !== undefined) rules.push(`default ${spell(schema.default)}`)
  return rules
}

function spell(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function rangeOf(min: number | undefined, max: number | undefined): string | undefined {
  if (min === undefined) return max === undefined ? undefined : `at most ${max}`
  if (max === undefined) return `at least ${min}`
  return min === max ? `${min}` : `${min} to ${max}`
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T08:00:00.000Z',
  email: 'someone@example.com',
  uri: 'https://shop.example.com/hook',
  uuid: '7d3f0f5e-6b0f-4a53-9a4d-2f0a3c1b5e77',
}

/** Returns an example value: the schema's own where it has one, otherwise the simplest of its type. */
export function exampleOf(schema: JsonSchema, schemas: Schemas, depth = 0): unknown {
  const resolved = resolve(schema, schemas)
  const [given] = resolved.examples ?? resolved.enum ?? []
  if (given !== undefined) return given
  if (resolved.const !== undefined) return resolved.const
  if (resolved.default !== undefined) return resolved.default
  if (depth > DEPTH_MAX) return null
  const inside = (each: JsonSchema) => exampleOf(each, schemas, depth + 1)
  if (resolved.allOf !== undefined) return Object.assign({}, ...resolved.allOf.map(inside))
  const [variant] = variantsOf(resolved)
  if (variant !== undefined) return inside(variant)
  return exampleOfType(resolved, inside)
}

function exampleOfType(schema: JsonSchema, inside: (schema: JsonSchema) => unknown): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'object':
      return exampleOfObject(schema, inside)
    case 'array':
      if (schema.prefixItems !== undefined) return schema.prefixItems.map(inside)
      return typeof schema.items === 'object' ? [inside(schema.items)] : []
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? 'string'
    case 'number':
    case 'integer':
      return schema.minimum ?? 0
    case 'boolean':
      return true
    default:
      return null
  }
}

function exampleOfObject(schema: JsonSchema, inside: (schema: JsonSchema) => unknown): object {
  const entries = Object.entries(schema.properties ?? {}).map(([name, each]) => [name, inside(each)])
  if (typeof schema.additionalProperties === 'object') {
    entries.push(['name', inside(schema.additionalProperties)])
  }
  return Object.fromEntries(entries)
}
