const SAMPLE_MS = 20
const SAMPLE_WEIGHT = 0.1

/** True while something was so more often than not, in the last few tenths of a second. */
export type Mostly = { isTrue(): boolean; stop(): Promise<void> }

/** For what flickers: a queue that is long between two batches and empty after each. */
export function mostly(isTrue: () => boolean): Mostly {
  let part = 0
  const timer = setInterval(() => {
    part += SAMPLE_WEIGHT * ((isTrue() ? 1 : 0) - part)
  }, SAMPLE_MS)
  timer.unref()
  return { isTrue: () => part > 0.5, stop: async () => clearInterval(timer) }
}
