import type { Queryable } from '../../../db/database.ts'
import { collecting } from '../../../lib/observing/collecting.ts'
import type { UnmappedAnswer } from '../port/types.ts'
import { countUnknown } from './sql.ts'

export type UnknownAnswers = {
  /** Notes a word that no table knows; in memory, without waiting. */
  note(provider: string, unmapped: UnmappedAnswer): void
  /** Writes what was noted. */
  write(): Promise<void>
  close(): Promise<void>
}

export type UnknownSettings = {
  readonly database: Queryable
  readonly onProblem: (text: string, error: unknown) => void
  readonly everyMs?: number
}

const PATH_MAX = 300
const VALUE_MAX = 200
const SAMPLE_MAX = 2_000

/** Collects the words of suppliers that no table knows. */
export function collectUnknown({ database, ...settings }: UnknownSettings): UnknownAnswers {
  const { note, ...collected } = collecting<UnmappedAnswer & { readonly provider: string }>({
    ...settings,
    keyOf: ({ provider, operation, path, value }) => JSON.stringify([provider, operation, path, value]),
    save: (seen) => countUnknown(database, seen),
    trouble: "suppliers' unknown answers cannot be written",
  })
  return {
    ...collected,
    note: (provider, { operation, path, value, sample }) =>
      note({
        provider,
        operation,
        path: path.slice(0, PATH_MAX),
        value: value.slice(0, VALUE_MAX),
        sample: sample.slice(0, SAMPLE_MAX),
      }),
  }
}
