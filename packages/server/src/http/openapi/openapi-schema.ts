import type { Documented, DocumentedSchema } from '../parameters.ts'

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it; the keywords our own pages read are spelt out. */
export type JsonSchema = {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: boolean | JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly contentMediaType?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly deprecated?: boolean
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping: Readonly<Record<string, string>>
  }
}

export type OpenApiParameter = {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export type SchemaCollector = {
  /** Converts a schema to plain JSON. Every schema with a title, itself included, becomes a reference. */
  convert(schema: object): JsonSchema
  /** Shares a converted schema that has no title of its own, and returns the reference to it. */
  name(converted: JsonSchema, name: string): JsonSchema
  /** Returns every schema with a title met so far, by name. */
  components(): Record<string, JsonSchema>
}

export const SCHEMA_REFERENCE_PREFIX = '#/components/schemas/'

export function createSchemaCollector(): SchemaCollector {
  const shared = new Map<string, JsonSchema>()
  /** Names given to schemas without a title, by their JSON text: equal schemas have one name. */
  const given = new Map<string, string>()

  function convert(schema: object): JsonSchema {
    const { documented, ...own } = schema as DocumentedSchema & { readonly description?: string }
    const plain = convertKeywords(documented === undefined ? own : rule(documented, own.description), convert)
    const distinct = plain.discriminator === undefined ? plain : withMapping(plain, shared)
    return distinct.title === undefined ? distinct : share(distinct, distinct.title)
  }

  function name({ description, ...definition }: JsonSchema, wanted: string): JsonSchema {
    const said = JSON.stringify(definition)
    const known = given.get(said) ?? wanted
    const earlier = shared.get(known)
    if (earlier !== undefined && JSON.stringify(earlier) !== said) {
      throw new Error(`two different schemas are called "${known}"`)
    }
    given.set(said, known)
    shared.set(known, definition)
    const reference = { $ref: SCHEMA_REFERENCE_PREFIX + known }
    return description === undefined ? reference : { ...reference, description }
  }

  /**
   * Shares a titled schema. The description stays with the reference: one schema may mean different things in different
   * places.
   */
  function share({ description, ...definition }: JsonSchema, title: string): JsonSchema {
    const name = componentName(title)
    const earlier = shared.get(name)
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(definition)) {
      throw new Error(`two different schemas are called "${title}"`)
    }
    shared.set(name, definition)
    const reference = { $ref: SCHEMA_REFERENCE_PREFIX + name }
    return description === undefined ? reference : { ...reference, description }
  }

  return {
    convert,
    name,
    components: () => Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function rule({ schema }: Documented, description: string | undefined): object {
  return description === undefined ? schema : { ...schema, description }
}

/** Adds the mapping to a union with a discriminator: each value of the property leads to its variant. */
function withMapping(
  { anyOf = [], ...rest }: JsonSchema,
  shared: ReadonlyMap<string, JsonSchema>,
): JsonSchema {
  const { propertyName = '' } = rest.discriminator ?? {}
  const mapping: Record<string, string> = {}
  for (const { $ref = '' } of anyOf) {
    const variant = shared.get($ref.slice(SCHEMA_REFERENCE_PREFIX.length))
    const { const: value, enum: values = [value] } = variant?.properties?.[propertyName] ?? {}
    for (const each of values) mapping[String(each)] = $ref
  }
  return { ...rest, oneOf: anyOf, discriminator: { propertyName, mapping } }
}

/** Turns a title into a component name, which has no spaces: `Balance entry` → `BalanceEntry`. */
function componentName(title: string): string {
  const words = title.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

type Convert = (schema: object) => JsonSchema

const HOLDS_SCHEMA = new Set(['items', 'additionalProperties', 'not', 'contains', 'propertyNames'])
const HOLDS_SCHEMA_LIST = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const HOLDS_SCHEMA_MAP = new Set(['properties', 'patternProperties'])

/** Walks by keyword, because a property, a default or an example may itself be called `title` or `items`. */
function convertKeywords(schema: object, convert: Convert): JsonSchema {
  if ('$ref' in schema) throw new Error('share a schema by giving it a title, not by $ref')
  const plain: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(modernize(schema))) {
    if (keyword.startsWith('~') || !isJson(value)) continue
    plain[keyword] = convertValue(keyword, value, convert)
  }
  return plain
}

function convertValue(keyword: string, value: unknown, convert: Convert): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (HOLDS_SCHEMA.has(keyword)) return convert(value)
  if (HOLDS_SCHEMA_LIST.has(keyword)) return (value as object[]).map((each) => convert(each))
  if (HOLDS_SCHEMA_MAP.has(keyword)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, convert(each)]))
  }
  return JSON.parse(JSON.stringify(value))
}

function isJson(value: unknown): boolean {
  return !['function', 'symbol', 'bigint', 'undefined'].includes(typeof value)
}

const ANY_NAME = '^.*$'

/** Replaces the schema library's own forms by those that OpenAPI tools understand best. */
function modernize(schema: object): object {
  const { patternProperties, anyOf, items, additionalItems, ...rest } = schema as Record<string, unknown>
  return {
    ...rest,
    ...(patternProperties !== undefined && mapOf(patternProperties as Record<string, object>)),
    ...(anyOf !== undefined && (literalsOf(anyOf as object[]) ?? { anyOf })),
    ...(Array.isArray(items) ? tupleOf(items, additionalItems) : items !== undefined && { items }),
  }
}

function mapOf(patternProperties: Record<string, object>): object {
  const values = patternProperties[ANY_NAME]
  const isPlainMap = values !== undefined && Object.keys(patternProperties).length === 1
  return isPlainMap ? { additionalProperties: values } : { patternProperties }
}

function tupleOf(items: object[], additionalItems: unknown): object {
  return { prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
}

/** Turns a union of bare literals of one type into an enumeration; returns undefined for other unions. */
function literalsOf(variants: object[]): object | undefined {
  const types = new Set<unknown>()
  const values: unknown[] = []
  for (const variant of variants) {
    const { type, const: value, ...more } = variant as Record<string, unknown>
    if (value === undefined || Object.keys(more).length > 0) return undefined
    types.add(type)
    values.push(value)
  }
  return types.size === 1 ? { type: [...types][0], enum: values } : undefined
}
