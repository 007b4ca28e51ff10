import type { Outcome } from '../port/types.ts'
import { messageAt, outputOf } from './mapping.rules.ts'
import type { OutputReading, Path, Verdict } from './types.ts'

type OutcomeReading = { readonly reason: Path | null; readonly output: OutputReading }

/** What a provider that failed without a reason of its own is said to have said. */
const FAILED = 'The provider rejected it'
const REJECTED = 48

/** A verdict about an order, with what the answer holds beside it. */
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
