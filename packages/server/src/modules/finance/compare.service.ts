import type { Database } from '../../db/database.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import { reconcile } from './reconcile/reconcile.service.ts'
import type { Mismatch, ReconcileSummary } from './reconcile/reconcile.types.ts'

/** Of differences in an answer; they are counted to the end. */
export const DIFFERENCES_MAX = 1_000

/** Each holds a connection, which payments need. Members leave the operators theirs. */
export const COMPARED_AT_ONCE = { members: 2, operators: 1 } as const
/** Between two of them the request's time is looked at, and the lines so far are stored. */
const SLICE_BYTES = 64 * 1024
/** Before the request's time is over, so that it can still be said. */
const SPARE_MS = 2_000

export type Comparison = {
  readonly summary: ReconcileSummary
  /** The first of them. */
  readonly differences: readonly Mismatch[]
}

export type ComparisonInput = {
  readonly resellerId: bigint
  readonly from: string
  readonly to: string
  readonly file: Buffer
  /** On performance.now's clock: after it nobody waits for the answer. */
  readonly deadlineMs: number
}

export type Comparisons = {
  /** Of a file that was uploaded; one at a time for a reseller. */
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
          mustGoOn() {
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
