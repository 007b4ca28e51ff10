import { BACK_OFFICE_MEANINGS } from './back-office-meanings.ts'
import { FIELD_MEANINGS } from './field-meanings.ts'
import type { JsonSchema } from './openapi-schema.ts'

const MEANINGS = { ...FIELD_MEANINGS, ...BACK_OFFICE_MEANINGS }

/** Returns the meaning of a field by its name and by the names around it, nearest first. */
export function meaningOf(name: string, ...around: readonly string[]): string | undefined {
  const precise = around.map((each) => MEANINGS[`${each}.${name}`]).find((each) => each !== undefined)
  return precise ?? MEANINGS[name]
}

/** Describes the fields of shared schemas that do not describe themselves. */
export function describeFields(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return mapValues(schemas, (schema, name) => describeWithin(schema, [name]))
}

function describeWithin(schema: JsonSchema, around: readonly string[]): JsonSchema {
  const { properties, items, additionalProperties, anyOf, oneOf } = schema
  const within = (inner: JsonSchema) => describeWithin(inner, around)
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: mapValues(properties, (field, name) =>
        described(describeWithin(field, [name, ...around]), meaningOf(name, ...around)),
      ),
    }),
    ...(typeof items === 'object' && { items: within(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: within(additionalProperties) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(within) }),
    ...(oneOf !== undefined && { oneOf: oneOf.map(within) }),
  }
}

function described(field: JsonSchema, meaning: string | undefined): JsonSchema {
  if (field.description !== undefined || meaning === undefined) return field
  const mayBeNull = field.type === 'null' || field.anyOf?.some(({ type }) => type === 'null') === true
  return { ...field, description: mayBeNull ? meaning : meaning.replace(/; null: .*/, '') }
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T, name: string) => T) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))
}
