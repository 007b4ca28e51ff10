/** Rows that commands lock, such as a wallet; a transaction outside the batches may hold one for long. */
export type HeldRows<Command> = {
  /** Returns the row that a command locks; undefined when it locks none. */
  keyOf(command: Command): unknown
  /** Returns the keys whose rows are held at this moment, without waiting for them. */
  findHeld(keys: readonly unknown[]): Promise<ReadonlySet<unknown>>
}

export type SlowLines<Item> = {
  readonly size: number
  /** Returns true when the key's row was found held and has not been found free since. */
  has(key: unknown): boolean
  add(key: unknown, items: readonly Item[]): void
  /** Refuses commands whose row is still held at the next check, from now on, instead of waiting for it. */
  close(): void
}

export type SlowLinesSettings<Item> = {
  findHeld(keys: readonly unknown[]): Promise<ReadonlySet<unknown>>
  /** Drops the items that are no longer awaited, and answers them. */
  keepAwaited(items: Item[]): Item[]
  /** Returns the items of a free row to their queue, in their order. */
  release(key: unknown, items: readonly Item[]): void
  /** Refuses items when the line is full, or when the row is still held at the close. */
  refuse(items: readonly Item[], reason: string): void
}

/** Limit of a line: enough for several batches. A longer line would hold requests that have no chance. */
const LINE_MAX = 1_024
const FIRST_CHECK_MS = 25
const CHECK_EVERY_MAX_MS = 500

type Line<Item> = { items: Item[]; nextMs: number; pauseMs: number }

/**
 * Keeps commands whose row is held, one line per row, so that no other command waits behind them. A check with `skip
 * locked` does not wait: it is repeated with a growing pause until the row is free. Tried and rejected: running the
 * commands themselves again and again, each time with a wait for the lock.
 */
export function createSlowLines<Item>(settings: SlowLinesSettings<Item>): SlowLines<Item> {
  const lines = new Map<unknown, Line<Item>>()
  let timer: NodeJS.Timeout | undefined
  let isChecking = false
  let isClosed = false

  function plan(): void {
    if (isChecking || lines.size === 0) return
    clearTimeout(timer)
    let nextMs = Number.POSITIVE_INFINITY
    for (const line of lines.values()) nextMs = Math.min(nextMs, line.nextMs)
    timer = setTimeout(() => void checkDue(), isClosed ? 0 : Math.max(0, nextMs - performance.now()))
  }

  async function checkDue(): Promise<void> {
    isChecking = true
    const dueMs = isClosed ? Number.POSITIVE_INFINITY : performance.now()
    const due = [...lines].filter(([, line]) => line.nextMs <= dueMs).map(([key]) => key)
    // A database out of reach frees no line: the lines wait on, until the time of their commands is over.
    const held = await settings.findHeld(due).catch(() => new Set(due))
    for (const key of due) judge(key, held.has(key))
    isChecking = false
    plan()
  }

  function judge(key: unknown, isHeld: boolean): void {
    const line = lines.get(key)
    if (line === undefined) return
    const items = settings.keepAwaited(line.items)
    if (isHeld && !isClosed && items.length > 0) {
      prolong(line, items)
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
      const line = lines.get(key) ?? newLine()
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

function newLine<Item>(): Line<Item> {
  return { items: [], nextMs: performance.now() + FIRST_CHECK_MS, pauseMs: FIRST_CHECK_MS }
}

/** Lets a line wait on, and doubles the pause before its next check. */
function prolong<Item>(line: Line<Item>, items: Item[]): void {
  line.items = items
  line.pauseMs = Math.min(line.pauseMs * 2, CHECK_EVERY_MAX_MS)
  line.nextMs = performance.now() + line.pauseMs
}
