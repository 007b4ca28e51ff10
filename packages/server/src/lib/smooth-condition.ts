const SAMPLE_MS = 20
const SAMPLE_WEIGHT = 0.1
/** Pause between samples while the condition has not held for a while: an idle process should hardly wake up. */
const QUIET_SAMPLE_MS = 200
const QUIET_BELOW = 0.01

/** True while a condition held more than half of the time, in the last few tenths of a second. */
export type SmoothedCondition = { isTrue(): boolean; stop(): Promise<void> }

/** Smooths a condition that flickers, such as a queue that is long between two batches and empty after each. */
export function smoothCondition(isTrue: () => boolean): SmoothedCondition {
  let part = 0
  let timer: NodeJS.Timeout

  function plan(): void {
    timer = setTimeout(sample, part < QUIET_BELOW ? QUIET_SAMPLE_MS : SAMPLE_MS)
    timer.unref()
  }

  function sample(): void {
    part += SAMPLE_WEIGHT * ((isTrue() ? 1 : 0) - part)
    plan()
  }

  plan()
  return { isTrue: () => part > 0.5, stop: async () => clearTimeout(timer) }
}
