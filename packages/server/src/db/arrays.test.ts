import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { CHARACTER } from '../testing/texts.ts'
import { byteaArray, plainArray, textArray } from './arrays.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

async function roundTrip<T>(type: string, literal: string): Promise<T[]> {
  const { rows } = await test.database.query<{ value: T }>(
    `select value from unnest($1::${type}[]) with ordinality as v (value, place) order by place`,
    [literal],
  )
  return rows.map(({ value }) => value)
}

const AWKWARD = [
  ...['', ' ', '  a  ', 'NULL', 'null', '"', '""', '\\', '\\\\', '\\"', '"\\', ',', '{', '}', '{}', '{a,b}'],
  ...["'", '$1', '\n', '\r\n', '\t', '\u0001', '\u007f', '\u00a0', '\u2028', '\ufeff', 'é', 'e\u0301', '👍'],
  ...['\u{10ffff}', '\\x00', '\\N', '\\000', 'a"b\\c,d{e}f'],
]

it('every awkward text comes out of an array as it went in, alone and among the others', async () => {
  expect(await roundTrip('text', textArray(AWKWARD))).toEqual(AWKWARD)
  for (const text of AWKWARD) expect(await roundTrip('text', textArray([text]))).toEqual([text])
})

it('nothing is told apart from the empty text and from the word NULL', async () => {
  expect(await roundTrip('text', textArray([null, '', 'NULL', null]))).toEqual([null, '', 'NULL', null])
})

it('any texts come out of an array as they went in', async () => {
  // NUL is left out because PostgreSQL stores it in no text; the unit `binary` has no halves of surrogate pairs.
  const anything = fc.string({ unit: CHARACTER, maxLength: 20 }).map((text) => text.replaceAll('\0', ''))
  const syntax = fc.string({
    unit: fc.constantFrom('"', '\\', ',', '{', '}', ' ', 'N', 'a', "'"),
    maxLength: 8,
  })
  const texts = fc.array(fc.option(fc.oneof(anything, syntax), { nil: null }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(texts, async (values) => {
      expect(await roundTrip('text', textArray(values))).toEqual(values)
    }),
    { numRuns: 60 },
  )
})

it('numbers and bytes come out of an array as they went in', async () => {
  const numbers = [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), null]
  expect(await roundTrip('bigint', plainArray(numbers))).toEqual(numbers)
  const bytes = [Buffer.from([]), Buffer.from([0, 1, 34, 92, 255]), null]
  expect(await roundTrip('bytea', byteaArray(bytes))).toEqual(bytes)
})

it('an empty list is an empty array', async () => {
  for (const literal of [textArray([]), plainArray([]), byteaArray([])]) {
    expect(await roundTrip('text', literal)).toEqual([])
  }
})
