import type { Database } from '../../db/database.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import { reconcile } from './reconcile/reconcile.service.ts'
import type { Mismatch, ReconcileSummary } from './reconcile/reconcile.types.ts'

/** Limit of differences in an answer. All of them are counted. */
export const DIFFERENCES_MAX = 1_000

/**
 * Comparisons at the same time. Each one holds a connection, which payments need too. Operators have their own share.
 */
export const COMPARED_AT_ONCE = { members: 2, operators: 1 } as const
/** Bytes read between two looks at the request's deadline. The lines read so far are stored then. */
const SLICE_BYTES = 64 * 1024
/** Time kept free before the request's deadline, so that the timeout can still be answered. */
const SPARE_MS = 2_000

export type Comparison = {
  readonly summary: ReconcileSummary
  /** First differences, at most DIFFERENCES_MAX. */
  readonly differences: readonly Mismatch[]
}

export type ComparisonInput = {
  readonly resellerId: bigint
  readonly from: string
  readonly to: string
  readonly file: Buffer
  /** Deadline on the clock of performance.now. After it no client waits for the answer. */
  readonly deadlineMs: number
}

export type Comparisons = {
  /** Compares an uploaded file. A reseller has one comparison at a time. */
  compare(input: ComparisonInput): Promise<Comparison>
}

export function createComparisons(
  database: Pick<Database, 'withConnection'>,
  atOnceMax: number,
): Comparisons {
  const underway = new Set<bigint>()
  return {
    async compare({ resellerId, from, to, file, deadlineMs }) {
      if (underway.size >= atOnceMax || underway.has(resellerId)) throw tooMany()
      underway.add(resellerId)
      const differences: Mismatch[] = []
      try {
        const summary = await reconcile(database, {
          resellerId,
          from,
          to,
          open: () => slicesOf(file),
          async onMismatches(page) {
            differences.push(...page.slice(0, DIFFERENCES_MAX - differences.length))
          },
          checkDeadline() {
            if (performance.now() > deadlineMs - SPARE_MS) throw tooLong()
          },
        })
        return { summary, differences }
      } finally {
        underway.delete(resellerId)
      }
    },
  }
}

async function* slicesOf(file: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += SLICE_BYTES) yield file.subarray(at, at + SLICE_BYTES)
}

function tooMany(): RequestError {
  return new RequestError({
    status: 429,
    code: 'too_many_comparisons',
    publicText: 'Another file is being compared. Try again when it is done.',
    headers: { 'Retry-After': '10' },
  })
}

function tooLong(): RequestError {
  const words = 'There is too much to compare at once. Ask about fewer days, with a file of these days.'
  return invalidFields({ to: ['is too far from the first day for so many payments'] }, words)
}
