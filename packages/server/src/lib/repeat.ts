export type Schedule = { stop(): Promise<void> }

/**
 * Repeats `work` with a pause between runs; one run at a time, failures reported and survived. Long work checks
 * `isStopped` between its steps, so that stopping waits for a step and not for all of it.
 */
export function repeat(
  pauseMs: number,
  work: (isStopped: () => boolean) => Promise<unknown>,
  onProblem: (error: unknown) => void,
): Schedule {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  function plan(): void {
    if (stopped) return
    timer = setTimeout(() => {
      running = work(() => stopped)
        .then(() => {}, onProblem)
        .finally(plan)
    }, pauseMs)
    timer.unref()
  }

  plan()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
