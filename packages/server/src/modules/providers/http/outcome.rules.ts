import type { OutputReading, Path, Verdict } from '../language/types.ts'
import type { Outcome, Unknown } from '../port/types.ts'
import type { Judged } from './mapping.rules.ts'
import { messageAt, outputOf } from './mapping.rules.ts'

type OutcomeReading = { readonly reason: readonly Path[]; readonly output: OutputReading }

/** Reason given for a provider that failed without a reason of its own. */
const FAILED = 'The provider rejected it'
const REJECTED = 48

/** Combines a verdict about an order with the other data of the answer. */
export function outcomeOf(
  { outcome, code, reason }: Verdict<'succeeded' | 'failed' | 'pending'>,
  reading: OutcomeReading,
  json: unknown,
): Outcome {
  switch (outcome) {
    case 'pending':
      return { kind: 'pending' }
    case 'failed':
      return {
        kind: 'failed',
        code: code ?? REJECTED,
        reason: reason ?? messageAt(json, reading.reason) ?? FAILED,
      }
    case 'succeeded': {
      const found = outputOf(reading.output, json)
      return found.ok
        ? { kind: 'succeeded', output: found.output }
        : { kind: 'unknown', reason: found.reason }
    }
  }
}

export function unknownOf({ reason, isAmbiguous }: Extract<Judged<string>, { kind: 'undecided' }>): Unknown {
  return { kind: 'unknown', reason, ...(isAmbiguous && { isAmbiguous }) }
}
