export type Remembered<T> = {
  /** Returns the last value while it is fresh, and otherwise reads a new one. Callers at the same time share one read. */
  get(): Promise<{ readonly value: T; readonly atMs: number }>
}

export type RememberSettings = {
  readonly nowMs: () => number
  readonly freshMs?: number
  readonly restFactor?: number
}

const FRESH_MS = 1_000
/** A read that took long is repeated seldom: it uses two percent of one connection at most, however many ask. */
const REST_FACTOR = 50

/** Remembers the value of a read whose cost grows with the data. A failure is not remembered. */
export function remember<T>(read: () => Promise<T>, settings: RememberSettings): Remembered<T> {
  const { nowMs, freshMs = FRESH_MS, restFactor = REST_FACTOR } = settings
  let last: { readonly value: T; readonly atMs: number; readonly untilMs: number } | undefined
  let underway: Promise<{ readonly value: T; readonly atMs: number }> | undefined

  async function readNow() {
    const begunMs = performance.now()
    const atMs = nowMs()
    try {
      const value = await read()
      const endedMs = performance.now()
      last = { value, atMs, untilMs: endedMs + Math.max(freshMs, (endedMs - begunMs) * restFactor) }
      return last
    } finally {
      underway = undefined
    }
  }

  return {
    async get() {
      if (last !== undefined && performance.now() < last.untilMs) return last
      underway ??= readNow()
      return underway
    },
  }
}
