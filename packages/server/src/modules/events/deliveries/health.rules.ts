import type { Bearing } from './attempt.rules.ts'

/** Health of a receiver, learnt from its answers: it decides how many requests it gets at a time. */
export type Health = {
  /** Most requests under way at a time. */
  readonly window: number
  /** True when its last meaningful answer was a success. */
  readonly isProven: boolean
}

const WINDOW_FIRST = 2
const WINDOW_MAX = 16

/** Health of a receiver that this node has not sent to yet. One that fails is tried with a single request. */
export function firstHealth(isFailing: boolean): Health {
  return { window: isFailing ? 1 : WINDOW_FIRST, isProven: false }
}

export function healthAfter({ window, isProven }: Health, bearing: Bearing): Health {
  switch (bearing) {
    case 'well':
      return { window: Math.min(WINDOW_MAX, window + 1), isProven: true }
    case 'neutral':
      return { window, isProven }
    case 'strained':
      return { window: Math.max(1, window >> 1), isProven: false }
    case 'silent':
      return { window: 1, isProven: false }
  }
}
