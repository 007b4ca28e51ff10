import fc from 'fast-check'
import type { Random } from '../faults/random.ts'
import type { Api } from '../recording.ts'
import type { Schema } from './documents.ts'
import { resolveSchema } from './documents.ts'

// Values that a schema allows.

const DEPTH_MAX = 6
const DAY_MS = 86_400_000
/** Longer texts are made by the mutations. */
const LENGTH_MAX = 5_000

/** Makes a value that the schema allows. */
export function validValue(random: Random, api: Api, given: Schema, depth = 0): unknown {
  const schema = resolveSchema(api, given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (schema.examples !== undefined && random.chance(0.5)) return random.pick(schema.examples)
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return validValue(random, api, random.pick(variants), depth)
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((each) => validValue(random, api, each, depth)))
  }
  switch (typeOf(random, schema)) {
    case 'string':
      return validText(random, schema)
    case 'integer':
      return Math.round(validNumber(random, schema))
    case 'number':
      return validNumber(random, schema)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array':
      return validList(random, api, schema, depth)
    default:
      return validObject(random, api, schema, depth)
  }
}

function typeOf(random: Random, { type, properties }: Schema): string {
  if (typeof type === 'string') return type
  if (type !== undefined) return random.pick(type)
  return properties === undefined ? random.pick(['string', 'number', 'boolean', 'null']) : 'object'
}

function validObject(random: Random, api: Api, schema: Schema, depth: number): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const made: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const isLeftOut = !required.includes(name) && (depth >= DEPTH_MAX || random.chance(0.5))
    if (!isLeftOut) made[name] = validValue(random, api, property, depth + 1)
  }
  if (typeof additionalProperties === 'object' && depth < DEPTH_MAX) {
    for (let count = random.between(0, 2); count > 0; count -= 1) {
      made[`name_${count}`] = validValue(random, api, additionalProperties, depth + 1)
    }
  }
  return made
}

function validList(random: Random, api: Api, schema: Schema, depth: number): unknown[] {
  const { items = {}, minItems = 0, maxItems = minItems + 2 } = schema
  const length = random.between(minItems, Math.min(maxItems, minItems + 2))
  return Array.from({ length }, () => validValue(random, api, items, depth + 1))
}

function validNumber(random: Random, schema: Schema): number {
  const least = schema.minimum ?? (schema.exclusiveMinimum ?? -1) + 1
  const most = schema.maximum ?? (schema.exclusiveMaximum ?? least + 1_001) - 1
  return random.weighted<() => number>([
    [1, () => least],
    [1, () => most],
    [3, () => random.between(least, Math.min(most, least + 100))],
  ])()
}

function validText(random: Random, schema: Schema): string {
  const { pattern, format, minLength = 0, maxLength = 60, contentEncoding } = schema
  if (contentEncoding === 'base64') return Buffer.from(letters(random, 12)).toString('base64')
  if (pattern !== undefined) return matching(random, pattern)
  switch (format) {
    case 'date':
      return new Date(Date.now() - random.between(0, 60) * DAY_MS).toISOString().slice(0, 10)
    case 'uuid':
      return `0190a1b2-c3d4-7e5f-8a9b-${letters(random, 12, '0123456789abcdef')}`
    case 'email':
      return `${letters(random, 8)}@example.com`
    case 'uri':
      return `https://shop.example/${letters(random, 8)}`
    default:
      return letters(random, random.pick([minLength, Math.min(maxLength, minLength + 8), maxLength]))
  }
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

export function letters(random: Random, length: number, alphabet = ALPHABET): string {
  const letter = () => alphabet.charAt(random.between(0, alphabet.length - 1))
  return Array.from({ length: Math.min(length, LENGTH_MAX) }, letter).join('')
}

const patterns = new Map<string, fc.Arbitrary<string>>()

function matching(random: Random, pattern: string): string {
  const known = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  patterns.set(pattern, known)
  const [text = ''] = fc.sample(known, { seed: random.between(0, 2 ** 31 - 1), numRuns: 1 })
  return text
}
