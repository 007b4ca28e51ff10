export type Collected<T> = {
  /** Notes something that was seen; in memory, without waiting. */
  note(seen: T): void
  /** Writes what was noted. */
  write(): Promise<void>
  close(): Promise<void>
}

export type Collecting<T> = {
  /** Key by which equal things are counted together. */
  readonly keyOf: (seen: T) => string
  readonly save: (seen: readonly (T & { readonly count: number })[]) => Promise<void>
  /** Text of the problem while they cannot be saved. */
  readonly trouble: string
  readonly onProblem: (text: string, error: unknown) => void
  readonly everyMs?: number
}

/** Limit of different things that wait for the database. Further ones are noted when they come again. */
const WAITING_MAX = 500
const EVERY_MS = 5_000

/** Counts what suppliers' answers say, and saves it beside the payments. A node that ends at once loses the last seconds. */
export function collecting<T>({
  keyOf,
  save,
  trouble,
  onProblem,
  everyMs = EVERY_MS,
}: Collecting<T>): Collected<T> {
  const waiting = new Map<string, T & { readonly count: number }>()
  let isFailing = false

  async function write(): Promise<void> {
    if (waiting.size === 0) return
    const seen = [...waiting.values()]
    waiting.clear()
    try {
      await save(seen)
      isFailing = false
    } catch (error) {
      if (!isFailing) onProblem(trouble, error)
      isFailing = true
    }
  }

  const timer = setInterval(() => void write(), everyMs)
  timer.unref()
  return {
    note(seen) {
      const key = keyOf(seen)
      const count = (waiting.get(key)?.count ?? 0) + 1
      if (count === 1 && waiting.size >= WAITING_MAX) return
      waiting.set(key, { ...seen, count })
    },
    write,
    async close() {
      clearInterval(timer)
      await write()
    },
  }
}
