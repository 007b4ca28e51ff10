const SAMPLE_MS = 20
const SAMPLE_WEIGHT = 0.1

/** True while a condition held more than half of the time, in the last few tenths of a second. */
export type SmoothedCondition = { isTrue(): boolean; stop(): Promise<void> }

/** Smooths a condition that flickers, such as a queue that is long between two batches and empty after each. */
export function smoothCondition(isTrue: () => boolean): SmoothedCondition {
  let part = 0
  const timer = setInterval(() => {
    part += SAMPLE_WEIGHT * ((isTrue() ? 1 : 0) - part)
  }, SAMPLE_MS)
  timer.unref()
  return { isTrue: () => part > 0.5, stop: async () => clearInterval(timer) }
}
