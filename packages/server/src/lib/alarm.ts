import { setTimeout as delay } from 'node:timers/promises'

/** The sleep of a job that works when there is something to do, and looks now and then whether there is. */
export type Alarm = {
  /** Ends the sleep. */
  ring(): void
  /** A short rest that nothing but the end cuts. */
  pause(ms: number): Promise<void>
  /** Until it rings, or so long: false when nobody rang. */
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
