import type { Bearing } from './attempt.rules.ts'

/** How much a receiver is sent at a time, learnt from how it bears it. */
export type Health = {
  readonly window: number
  /** The last that it said was an answer that it got something. */
  readonly isProven: boolean
}

const WINDOW_FIRST = 2
const WINDOW_MAX = 16

/** A receiver that failed when it was last sent something is tried with one request. */
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
