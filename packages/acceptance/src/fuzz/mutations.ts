import type { Random } from '../faults/random.ts'
import type { Api } from '../recording.ts'
import type { Schema } from './documents.ts'
import { resolveSchema } from './documents.ts'
import { anyValue, HOSTILE_NAMES, hostileNumber, hostileText, nested } from './hostile.ts'
import { copyJson, isObject, RawJson, RepeatedName, writeJson } from './raw-json.ts'

// Changes of a valid JSON value, one at a time, so that the rest of a request stays good enough to be looked at.

/** Place in a value, with the schema that it has there. */
type Place = { readonly path: readonly (string | number)[]; readonly schema: Schema | undefined }

export type Mutated = { readonly value: unknown; readonly note: string }

type Mutation = (random: Random, whole: unknown, place: Place) => unknown

/** Changes one place of a value. Without a schema the places are those of the value itself. */
export function mutateJson(random: Random, api: Api, whole: unknown, schema?: Schema): Mutated {
  const places = placesIn(api, whole, schema)
  const place = random.pick(places)
  const [name, mutation] = random.weighted(MUTATIONS.map((each) => [each[0], [each[1], each[2]] as const]))
  const value = mutation(random, copyJson(whole), place)
  return { value, note: `${name} at ${place.path.join('.') || 'the top'}` }
}

const MUTATIONS: readonly (readonly [weight: number, name: string, mutation: Mutation])[] = [
  [4, 'another type', (random, whole, { path }) => put(whole, path, anyValue(random))],
  [4, 'hostile text', (random, whole, { path }) => put(whole, path, hostileText(random))],
  [3, 'beyond a bound', (random, whole, { path, schema }) => put(whole, path, beyond(random, schema))],
  [3, 'left out', (_, whole, { path }) => remove(whole, path)],
  [2, 'number', (random, whole, { path }) => put(whole, path, hostileNumber(random))],
  [2, 'null', (_, whole, { path }) => put(whole, path, null)],
  [2, 'a member more', (random, whole, { path }) => addMember(random, whole, path)],
  [2, 'a name twice', (_, whole, { path }) => repeatName(whole, path)],
  [1, 'nested', (random, whole, { path }) => put(whole, path, nested(random))],
  [1, 'in a list', (_, whole, { path }) => put(whole, path, [get(whole, path)])],
  [1, 'the list twice as long', (_, whole, { path }) => lengthen(whole, path)],
]

function placesIn(api: Api, value: unknown, given: Schema | undefined, path: Place['path'] = []): Place[] {
  const schema = given === undefined ? undefined : pickVariant(api, resolveSchema(api, given), value)
  const here: Place = { path, schema }
  if (Array.isArray(value)) {
    const children = value
      .slice(0, 20)
      .flatMap((each, index) => placesIn(api, each, schema?.items, [...path, index]))
    return [here, ...children]
  }
  if (!isObject(value)) return [here]
  const names = new Set([...Object.keys(value).slice(0, 60), ...Object.keys(schema?.properties ?? {})])
  const children = [...names].flatMap((name) => {
    const own = schema?.properties?.[name]
    const rest = schema?.additionalProperties
    return placesIn(api, value[name], own ?? (typeof rest === 'object' ? rest : undefined), [...path, name])
  })
  return [here, ...children]
}

/** Chooses the variant of a union that has the value's kind. */
function pickVariant(api: Api, schema: Schema, value: unknown): Schema {
  const variants = (schema.anyOf ?? schema.oneOf)?.map((each) => resolveSchema(api, each))
  if (variants === undefined) return schema
  const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  return variants.find(({ type }) => type === kind) ?? variants[0] ?? schema
}

function get(whole: unknown, path: Place['path']): unknown {
  let value = whole
  for (const step of path) value = isObject(value) || Array.isArray(value) ? value[step as never] : undefined
  return value
}

/** Puts a value at a place. Parents that are missing are made. */
function put(whole: unknown, path: Place['path'], value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(whole)) return whole.with(Number(step), put(whole[Number(step)], rest, value))
  const parent = isObject(whole) ? whole : {}
  const entries = Object.entries(parent).filter(([name]) => name !== step)
  return Object.fromEntries([...entries, [String(step), put(parent[step], rest, value)]])
}

function remove(whole: unknown, path: Place['path']): unknown {
  const last = path.at(-1)
  if (last === undefined) return {}
  const parent = get(whole, path.slice(0, -1))
  if (Array.isArray(parent)) return put(whole, path.slice(0, -1), parent.toSpliced(Number(last), 1))
  if (!isObject(parent)) return whole
  const { [last]: _, ...rest } = parent
  return put(whole, path.slice(0, -1), rest)
}

function addMember(random: Random, whole: unknown, path: Place['path']): unknown {
  const found = get(whole, path)
  const members = isObject(found) ? Object.entries(found) : []
  return put(whole, path, new RepeatedName([...members, [random.pick(HOSTILE_NAMES), anyValue(random)]]))
}

function repeatName(whole: unknown, path: Place['path']): unknown {
  const found = get(whole, path)
  const members = isObject(found) ? Object.entries(found) : [['a', found] as const]
  const [first] = members
  return put(whole, path, new RepeatedName(first === undefined ? [] : [...members, [first[0], 'another']]))
}

function lengthen(whole: unknown, path: Place['path']): unknown {
  const found = get(whole, path)
  const list = Array.isArray(found) ? found : [found]
  return put(whole, path, [...list, ...list])
}

/** Returns a value right at or right beyond a limit of the schema. */
function beyond(random: Random, schema: Schema | undefined): unknown {
  if (schema === undefined) return anyValue(random)
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const made: (() => unknown)[] = []
  if (minimum !== undefined)
    made.push(
      () => minimum - 1,
      () => minimum,
      () => minimum + 0.5,
    )
  if (maximum !== undefined)
    made.push(
      () => maximum + 1,
      () => maximum,
    )
  if (minLength !== undefined && minLength > 0) made.push(() => 'a'.repeat(minLength - 1))
  if (maxLength !== undefined && maxLength < 200_000) {
    made.push(
      () => 'a'.repeat(maxLength + 1),
      () => 'é'.repeat(maxLength),
      () => '🍜'.repeat(maxLength),
    )
  }
  if (minItems !== undefined && minItems > 0) made.push(() => [])
  if (maxItems !== undefined && maxItems < 20_000) {
    made.push(() => Array.from({ length: maxItems + 1 }, () => 'a'))
  }
  if (schema.enum !== undefined)
    made.push(
      () => `${schema.enum?.[0]} `,
      () => String(schema.enum?.[0]).toUpperCase(),
    )
  return made.length === 0 ? anyValue(random) : random.pick(made)()
}

// ── Text and bytes ──

export type MutatedBytes = { readonly bytes: Buffer; readonly note: string }

/** Changes the bytes of JSON, or of any other text. */
export function mutateBytes(random: Random, bytes: Buffer): MutatedBytes {
  const [name, change] = random.pick(BYTE_CHANGES)
  return { bytes: change(random, bytes), note: name }
}

const at = (random: Random, bytes: Buffer) => random.between(0, Math.max(0, bytes.length - 1))
const insert = (bytes: Buffer, position: number, more: Buffer) =>
  Buffer.concat([bytes.subarray(0, position), more, bytes.subarray(position)])

const BYTE_CHANGES: readonly (readonly [string, (random: Random, bytes: Buffer) => Buffer])[] = [
  ['empty', () => Buffer.alloc(0)],
  ['cut off', (random, bytes) => bytes.subarray(0, at(random, bytes))],
  ['a byte flipped', (random, bytes) => flip(random, bytes)],
  ['a NUL', (random, bytes) => insert(bytes, at(random, bytes), Buffer.from([0]))],
  ['half a character', (random, bytes) => insert(bytes, at(random, bytes), Buffer.from([0xe2, 0x82]))],
  [
    'a surrogate in UTF-8',
    (random, bytes) => insert(bytes, at(random, bytes), Buffer.from([0xed, 0xa0, 0x80])),
  ],
  ['a byte order mark', (_, bytes) => insert(bytes, 0, Buffer.from([0xef, 0xbb, 0xbf]))],
  ['UTF-16', (_, bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le')],
  ['Latin-1', (random, bytes) => insert(bytes, at(random, bytes), Buffer.from([0xe9]))],
  ['twice', (_, bytes) => Buffer.concat([bytes, bytes])],
  ['behind white space', (_, bytes) => insert(bytes, 0, Buffer.alloc(5_000, ' '))],
  ['noise', (random) => Buffer.from(Array.from({ length: 64 }, () => random.between(0, 255)))],
  ['a quote', (random, bytes) => insert(bytes, at(random, bytes), Buffer.from('"'))],
  [
    'another JSON value',
    (random) => Buffer.from(random.pick(['null', '1', '"text"', '[]', '[{}]', 'true', '{', '{}{}'])),
  ],
  ['deep', (random) => Buffer.from(nested(random).text)],
]

function flip(random: Random, bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  const position = at(random, changed)
  if (changed.length > 0)
    changed.writeUInt8(changed.readUInt8(position) ^ (1 << random.between(0, 7)), position)
  return changed
}

export function bytesOf(value: unknown): Buffer {
  return Buffer.from(value instanceof RawJson ? value.text : writeJson(value), 'utf8')
}
