/**
 * Called at a named place of the code. In crash tests the process ends there, or is frozen until a test lets it go on;
 * everywhere else it returns.
 */
export type Failpoint = (name: FailpointName) => void

export const FAILPOINTS = [
  'intake.before',
  'intake.committed',
  'dispatch.confirmed',
  'dispatch.before',
  'dispatch.sent',
  'attempt.before',
  'attempt.committed',
  'resolve.before',
  'resolve.committed',
  'refund.before',
  'refund.committed',
  'outcome.committed',
  'order.confirmed',
  'order.paid',
  'order.noted',
  'schedule.begun',
  'schedule.paid',
  'schedule.noted',
  'void.before',
  'void.approved',
  'void.committed',
  'events.before',
  'events.committed',
  'mail.claimed',
  'mail.sent',
] as const
export type FailpointName = (typeof FAILPOINTS)[number]

export const noFailpoint: Failpoint = () => {}

/** Signals for each action, as `kill -9` or `kill -STOP` would send them. */
export const FAILPOINT_SIGNALS = { kill: 'SIGKILL', stop: 'SIGSTOP' } as const
export type FailpointAction = keyof typeof FAILPOINT_SIGNALS

/** Calls `end` the `times`-th time that the place is reached. */
export function createFailpoint(wanted: FailpointName, times: number, end: () => void): Failpoint {
  let reached = 0
  return (name) => {
    if (name !== wanted) return
    reached += 1
    if (reached === times) end()
  }
}

/** Makes the place at which a test ends or freezes this process. */
export function failpointOf({
  failpoint,
}: {
  readonly failpoint?: { name: FailpointName; times: number; action: FailpointAction } | undefined
}): Failpoint {
  if (failpoint === undefined) return noFailpoint
  const signal = FAILPOINT_SIGNALS[failpoint.action]
  return createFailpoint(failpoint.name, failpoint.times, () => process.kill(process.pid, signal))
}
