import { expect, it } from 'vitest'
import type { PaymentCode } from '../core/types.ts'
import { attemptStateOf } from './settled.rules.ts'
import type { AttemptState } from './settled.types.ts'

it.each<[PaymentCode, number, number | null, number | null, boolean, AttemptState]>([
  [0, 1, 1, null, false, 'pending'],
  [1, 2, 2, null, false, 'pending'],
  [1, 1, null, null, false, 'pending'],
  // The next attempt was begun because this one certainly did nothing.
  [1, 1, 2, null, false, 'failed'],
  // The next attempt was begun, and this one may have been acted on.
  [1, 1, 2, null, true, 'pending'],
  [20, 1, null, 1, false, 'succeeded'],
  [20, 2, null, null, false, 'succeeded'],
  [20, 1, null, 2, false, 'failed'],
  [53, 1, null, 1, false, 'voided'],
  [53, 2, null, 1, false, 'failed'],
  [48, 1, null, null, false, 'failed'],
  [47, 3, null, null, false, 'failed'],
])(
  'attempt state by payment code: %s, attempt %s (present %s, succeeded %s, undecided %s) is %s',
  (code, attempt, present, succeeded, isUndecided, state) => {
    expect(attemptStateOf(code, attempt, present, succeeded, isUndecided)).toBe(state)
  },
)
