import type { Difference } from '../../catalog/transfer/types.ts'

// What the audit log keeps of an import: the differences themselves, in rows that it takes whole.

/** A row of the log takes 64 kB; what stands around the differences needs its share. */
const PIECE_BYTES_MAX = 56 * 1024
/** As much as a body of an import can hold; more would hold up everybody else who writes to the log. */
export const PIECES_MAX = 200
/** Of a value that fills a row by itself. */
const BEGINNING_LENGTH = 4_000

export type LoggedDifferences = {
  /** Each fits into a row. */
  readonly pieces: readonly (readonly Difference[])[]
  /** How many have no place in them. */
  readonly leftOut: number
}

/** What is paid comes first: it is what is asked about afterwards. */
export function piecesOf(differences: readonly Difference[]): LoggedDifferences {
  const pieces: Difference[][] = []
  let bytes = Number.POSITIVE_INFINITY
  let told = 0
  for (const difference of pricesFirst(differences)) {
    for (const part of partsOf(difference)) {
      const size = sizeOf(part)
      if (bytes + size > PIECE_BYTES_MAX) {
        if (pieces.length === PIECES_MAX) return { pieces, leftOut: differences.length - told }
        pieces.push([])
        bytes = 0
      }
      pieces.at(-1)?.push(part)
      bytes += size + 1
    }
    told += 1
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

/** One that is too long for a row is told member by member. */
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
