/** Rows that commands need to themselves, such as a wallet; somebody outside the batches may hold one for long. */
export type HeldRows<Command> = {
  /** The row that a command locks; undefined when it locks none. */
  keyOf(command: Command): unknown
  /** The keys whose rows somebody holds at this moment. Does not wait for them. */
  findHeld(keys: readonly unknown[]): Promise<ReadonlySet<unknown>>
}

export type SlowLines<Item> = {
  readonly size: number
  /** True when the key's row was found held and has not been found free since. */
  has(key: unknown): boolean
  add(key: unknown, items: readonly Item[]): void
  /** From now on what is still held is refused at the next look, instead of being waited for. */
  close(): void
}

export type SlowLinesSettings<Item> = {
  findHeld(keys: readonly unknown[]): Promise<ReadonlySet<unknown>>
  /** Drops the items that nobody waits for any more, and answers them. */
  keepAwaited(items: Item[]): Item[]
  /** The row is free: the items go back to where they came from, in their order. */
  release(key: unknown, items: readonly Item[]): void
  /** The line is full, or the row is still held and nobody waits any longer. */
  refuse(items: readonly Item[], reason: string): void
}

/** Enough for several batches; a longer line would hold requests that have no chance. */
const LINE_MAX = 1_024
const FIRST_LOOK_MS = 25
const LOOK_EVERY_MAX_MS = 500

type Line<Item> = { items: Item[]; nextMs: number; pauseMs: number }

/**
 * Commands whose row is held wait here, one line per row, so that nobody else waits behind them. A look with
 * `skip locked` costs no waiting: it is repeated with a growing pause until the row is free. Tried and rejected: running
 * the commands themselves again and again, each time with a wait for the lock.
 */
export function createSlowLines<Item>(settings: SlowLinesSettings<Item>): SlowLines<Item> {
  const lines = new Map<unknown, Line<Item>>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isClosed = false

  function plan(): void {
    if (isLooking || lines.size === 0) return
    clearTimeout(timer)
    let nextMs = Number.POSITIVE_INFINITY
    for (const line of lines.values()) nextMs = Math.min(nextMs, line.nextMs)
    timer = setTimeout(() => void look(), isClosed ? 0 : Math.max(0, nextMs - performance.now()))
  }

  async function look(): Promise<void> {
    isLooking = true
    const dueMs = isClosed ? Number.POSITIVE_INFINITY : performance.now()
    const due = [...lines].filter(([, line]) => line.nextMs <= dueMs).map(([key]) => key)
    // A database out of reach frees nobody: the lines wait on, until their commands' time is over.
    const held = await settings.findHeld(due).catch(() => new Set(due))
    for (const key of due) judge(key, held.has(key))
    isLooking = false
    plan()
  }

  function judge(key: unknown, isHeld: boolean): void {
    const line = lines.get(key)
    if (line === undefined) return
    const items = settings.keepAwaited(line.items)
    if (isHeld && !isClosed && items.length > 0) {
      line.items = items
      line.pauseMs = Math.min(line.pauseMs * 2, LOOK_EVERY_MAX_MS)
      line.nextMs = performance.now() + line.pauseMs
      return
    }
    lines.delete(key)
    if (isHeld) settings.refuse(items, 'the row is held by somebody else')
    else settings.release(key, items)
  }

  return {
    get size() {
      let size = 0
      for (const { items } of lines.values()) size += items.length
      return size
    },
    has: (key) => lines.has(key),
    add(key, items) {
      const line = lines.get(key) ?? {
        items: [],
        nextMs: performance.now() + FIRST_LOOK_MS,
        pauseMs: FIRST_LOOK_MS,
      }
      lines.set(key, line)
      const room = Math.max(0, LINE_MAX - line.items.length)
      line.items.push(...items.slice(0, room))
      if (items.length > room) settings.refuse(items.slice(room), 'many commands wait for a row that is held')
      plan()
    },
    close() {
      isClosed = true
      plan()
    },
  }
}
