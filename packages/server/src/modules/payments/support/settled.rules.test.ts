import { expect, it } from 'vitest'
import type { PaymentCode } from '../payment/types.ts'
import { attemptStateOf } from './settled.rules.ts'
import type { AttemptState } from './settled.types.ts'

it.each<[PaymentCode, number, number | null, number | null, AttemptState]>([
  [0, 1, 1, null, 'pending'],
  [1, 2, 2, null, 'pending'],
  [1, 1, null, null, 'pending'],
  // The next attempt was begun because this one certainly did nothing.
  [1, 1, 2, null, 'failed'],
  [20, 1, null, 1, 'succeeded'],
  [20, 2, null, null, 'succeeded'],
  [20, 1, null, 2, 'failed'],
  [53, 1, null, 1, 'voided'],
  [53, 2, null, 1, 'failed'],
  [48, 1, null, null, 'failed'],
  [47, 3, null, null, 'failed'],
])(
  'attempt state by payment code: %s, attempt %s (present %s, succeeded %s) is %s',
  (code, attempt, present, succeeded, state) => {
    expect(attemptStateOf(code, attempt, present, succeeded)).toBe(state)
  },
)
