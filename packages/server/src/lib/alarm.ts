import { setTimeout as delay } from 'node:timers/promises'

/** Sleep of a job that works on demand and also checks for work now and then. */
export type Alarm = {
  /** Ends the sleep. */
  ring(): void
  /** Rests for a short time; only `end` cuts it. */
  pause(ms: number): Promise<void>
  /** Sleeps until it rings or the time is over; resolves with false when it did not ring. */
  sleep(ms: number): Promise<boolean>
  /** Ends every rest. */
  end(): void
}

export function createAlarm(): Alarm {
  const ending = new AbortController()
  let ring = () => {}
  return {
    ring: () => ring(),
    pause: (ms) => delay(ms, undefined, { ref: false, signal: ending.signal }).catch(() => {}),
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), ms)
        timer.unref()
        ring = () => {
          clearTimeout(timer)
          resolve(true)
        }
      }),
    end() {
      ending.abort()
      ring()
    },
  }
}
