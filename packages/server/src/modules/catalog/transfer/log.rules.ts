import type { Difference } from './types.ts'

// Rows of the audit log for an import: they hold the differences themselves, and each row fits into the log.

/** Bytes of differences in a row. A row of the log takes 64 kB, and its other fields need a part of that. */
const PIECE_BYTES_MAX = 56 * 1024
/** Limit of rows: as much as the body of an import can hold. More would delay everybody else who writes to the log. */
export const PIECES_MAX = 200
/** Length of the part that is kept of a value which is too long for a row. */
const BEGINNING_LENGTH = 4_000

export type LoggedDifferences = {
  /** Groups of differences that each fit into a row. */
  readonly pieces: readonly (readonly Difference[])[]
  /** Number of differences that did not fit into the rows. */
  readonly leftOut: number
}

/** Groups the differences into rows. Prices come first, because they are what people ask about later. */
export function piecesOf(differences: readonly Difference[]): LoggedDifferences {
  const pieces: Difference[][] = []
  let bytes = Number.POSITIVE_INFINITY
  let counted = 0
  for (const difference of pricesFirst(differences)) {
    for (const part of partsOf(difference)) {
      const size = sizeOf(part)
      if (bytes + size > PIECE_BYTES_MAX) {
        if (pieces.length === PIECES_MAX) return { pieces, leftOut: differences.length - counted }
        pieces.push([])
        bytes = 0
      }
      pieces.at(-1)?.push(part)
      bytes += size + 1
    }
    counted += 1
  }
  return { pieces, leftOut: 0 }
}

function pricesFirst(differences: readonly Difference[]): Difference[] {
  const of = (isWanted: (kind: Difference['kind']) => boolean) =>
    differences.filter(({ kind }) => isWanted(kind))
  return [
    ...of((kind) => kind === 'prices'),
    ...of((kind) => kind === 'levels'),
    ...of((kind) => kind !== 'prices' && kind !== 'levels'),
  ]
}

/** Splits a difference that is too long for a row into one part per member. */
function partsOf(difference: Difference): Difference[] {
  if (sizeOf(difference) <= PIECE_BYTES_MAX) return [difference]
  return difference.changes.map((change) => {
    const part = { ...difference, changes: [change] }
    if (sizeOf(part) <= PIECE_BYTES_MAX) return part
    const { name, before, after } = change
    return { ...difference, changes: [{ name, before: beginningOf(before), after: beginningOf(after) }] }
  })
}

function beginningOf(value: unknown): unknown {
  const json = JSON.stringify(value ?? null)
  return json.length <= BEGINNING_LENGTH ? value : `${json.slice(0, BEGINNING_LENGTH)}…`
}

function sizeOf(difference: Difference): number {
  return Buffer.byteLength(JSON.stringify(difference))
}
