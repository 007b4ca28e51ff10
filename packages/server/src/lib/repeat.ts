/** Repeats `work` with a pause between runs; one run at a time, failures told and survived. */
export type Schedule = { stop(): Promise<void> }

export function repeat(
  pauseMs: number,
  work: () => Promise<unknown>,
  onProblem: (error: unknown) => void,
): Schedule {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  function plan(): void {
    if (stopped) return
    timer = setTimeout(() => {
      running = work()
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
