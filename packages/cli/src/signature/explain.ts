import type { Difference } from './canonical-comparison.generated.ts'
import { compareCanonical, MISTAKES, partsOf } from './canonical-comparison.generated.ts'

export type Explanation = {
  readonly equal: boolean
  readonly difference: Difference | null
  /** Name of the usual mistake; null: it is none of the known ones. */
  readonly mistake: string | null
  readonly advice: string
}

/** Explains how a client's canonical string differs from the right one. */
export function explainSignature(ours: string, yours: string): Explanation {
  if (partsOf(ours) === undefined) {
    return {
      equal: false,
      difference: null,
      mistake: 'parts_missing',
      advice: 'The right text must have the six parts v1, timestamp, nonce, METHOD, query and body hash.',
    }
  }
  const { difference, mistake } = compareCanonical(ours, yours)
  return {
    equal: difference === null,
    difference,
    mistake: difference === null ? null : mistake,
    advice: mistake === null ? 'Compare the two texts at this place.' : MISTAKES[mistake],
  }
}
