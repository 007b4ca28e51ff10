import { expect, it } from 'vitest'
import { PIECES_MAX, piecesOf } from './log.rules.ts'
import type { Difference, DocumentKind } from './types.ts'

const ROW_BYTES_MAX = 60 * 1024

function differenceOf(kind: DocumentKind, id: string, ...values: string[]): Difference {
  const changes = values.map((after, index) => ({ name: `m${index}`, before: null, after }))
  return { kind, id, action: 'create', changes }
}

function manyOf(kind: DocumentKind, count: number, length: number): Difference[] {
  return Array.from({ length: count }, (_, n) => differenceOf(kind, `${kind}${n}`, 'x'.repeat(length)))
}

const idsOf = (pieces: readonly (readonly Difference[])[]) => pieces.flat().map(({ id }) => id)

it('all differences are told, prices and levels first, in pieces that a row of the log takes', () => {
  const products = manyOf('products', 100, 3_000)
  const levels = manyOf('levels', 2, 10)
  const prices = manyOf('prices', 1_000, 100)
  const { pieces, leftOut } = piecesOf([...products, ...levels, ...prices])
  expect(idsOf(pieces)).toEqual([...prices, ...levels, ...products].map(({ id }) => id))
  expect(leftOut).toBe(0)
  expect(pieces.length).toBeGreaterThan(5)
  for (const piece of pieces) {
    expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThan(ROW_BYTES_MAX)
  }
})

it('one that no row takes is told member by member, and a member that none takes by its beginning', () => {
  const long = differenceOf(
    'products',
    'LONG',
    'a'.repeat(40_000),
    'b'.repeat(40_000),
    '\u0001'.repeat(90_000),
  )
  const { pieces } = piecesOf([long])
  expect(pieces.flat().flatMap(({ changes }) => changes.map(({ name }) => name))).toEqual(['m0', 'm1', 'm2'])
  expect(pieces.flat()[1]?.changes[0]?.after).toBe('b'.repeat(40_000))
  for (const piece of pieces) {
    expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThan(ROW_BYTES_MAX)
  }
})

it('rows beyond the last one are counted', () => {
  const differences = manyOf('options', PIECES_MAX + 7, 50_000)
  const { pieces, leftOut } = piecesOf(differences)
  expect(pieces).toHaveLength(PIECES_MAX)
  expect(leftOut).toBe(7)
})
