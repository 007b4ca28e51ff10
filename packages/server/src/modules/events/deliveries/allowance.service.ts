/**
 * Limits how many deliveries may begin while payments need the processors. Payments come first: a burst of them is over
 * before most of its callbacks are sent. A load that lasts is not a burst, and callbacks must not wait for the end of a
 * busy day: so the limit doubles again and again while the load lasts.
 */
export type Allowance = {
  /** Takes one delivery out of the present step; false: none is left. */
  take(): boolean
  /** Most deliveries in one step; infinite while payments do not need the processors. */
  readonly perStep: number
}

export type AllowanceSettings = {
  readonly isBusy: () => boolean
  /** Called when a new step begins. */
  readonly onMore: () => void
  readonly stepMs?: number
  /** Time of being busy after which the limit doubles, again and again. */
  readonly doubleMs?: number
}

/** Length of a step: long enough that its deliveries are read, sent and recorded together. */
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
