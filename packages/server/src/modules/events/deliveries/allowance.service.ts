/**
 * How many deliveries may begin. While payments wait for the processors they come first, and deliveries begin a few at
 * a time: a burst of payments is through before most of what it tells is sent. What goes on for longer is no burst, and
 * nobody's callbacks wait for the end of a busy day: the few become more and more.
 */
export type Allowance = {
  /** Whether one more may begin now. */
  take(): boolean
  /** How many begin in one step; infinite while nothing else is short of the processors. */
  readonly perStep: number
}

export type AllowanceSettings = {
  readonly isBusy: () => boolean
  /** There are some to take again. */
  readonly onMore: () => void
  readonly stepMs?: number
  /** After so long a time of being busy twice as many begin, and so on. */
  readonly doubleMs?: number
}

/** Long enough that each step's deliveries are read, sent and written down together. */
const STEP_MS = 200
const PER_STEP = 16
const DOUBLE_MS = 15_000

export function createAllowance(settings: AllowanceSettings): Allowance {
  const { isBusy, onMore, stepMs = STEP_MS, doubleMs = DOUBLE_MS } = settings
  let busySinceMs: number | undefined
  let taken = 0
  let isRefilling = false

  function perStep(): number {
    if (!isBusy()) {
      busySinceMs = undefined
      return Number.POSITIVE_INFINITY
    }
    const nowMs = performance.now()
    busySinceMs ??= nowMs
    return PER_STEP * 2 ** Math.floor((nowMs - busySinceMs) / doubleMs)
  }

  function refill(): void {
    isRefilling = false
    taken = 0
    onMore()
  }

  function refillLater(): void {
    if (isRefilling) return
    isRefilling = true
    setTimeout(refill, stepMs).unref()
  }

  return {
    get perStep() {
      return perStep()
    },
    take() {
      const most = perStep()
      if (most === Number.POSITIVE_INFINITY) return true
      refillLater()
      if (taken >= most) return false
      taken += 1
      return true
    },
  }
}
