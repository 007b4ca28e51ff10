import type { JsonSchema, Schemas } from './document.ts'

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
const REFERENCE_PREFIX = '#/components/schemas/'

/** Follows a schema's reference; keywords beside the reference win. */
function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
  if (schema.$ref === undefined) return schema
  const { $ref, ...beside } = schema
  return { ...schemas[$ref.slice(REFERENCE_PREFIX.length)], ...beside }
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
