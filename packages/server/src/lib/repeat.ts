export type Schedule = { stop(): Promise<void> }

/** Pause from which on the first one is shortened. */
const LONG_PAUSE_MS = 5_000

/**
 * Repeats `work` with a pause between runs; one run at a time, failures reported and survived. Long work checks
 * `isStopped` between its steps, so that stopping waits for a step and not for all of it. The first of long pauses is
 * between a half and the whole of it, at random: the jobs of all processes that start together would otherwise run
 * together ever after, and payments would wait for all of them once a minute.
 */
export function repeat(
  pauseMs: number,
  work: (isStopped: () => boolean) => Promise<unknown>,
  onProblem: (error: unknown) => void,
): Schedule {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  function plan(nextMs: number): void {
    if (stopped) return
    timer = setTimeout(() => {
      running = work(() => stopped)
        .then(() => {}, onProblem)
        .finally(() => plan(pauseMs))
    }, nextMs)
    timer.unref()
  }

  plan(pauseMs < LONG_PAUSE_MS ? pauseMs : pauseMs * (0.5 + Math.random() / 2))
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
