export type FairQueue<Item> = {
  readonly size: number
  add(key: unknown, item: Item): void
  take(max: number): Item[]
}

/** Items of one key. Those before `head` were taken. */
type Line<Item> = {
  readonly items: (Item | undefined)[]
  head: number
  /** The line behind this one; undefined for the last one, and for a line without items. */
  next: Line<Item> | undefined
}

/** Limit of lines that are kept although they are empty. */
const EMPTY_LINES_MAX = 4_096
const COMPACT_AT = 1_024

/**
 * Keeps one line per key; a batch takes an equal share of every line, and a served line goes to the back. Empty lines
 * stay in the Map, and taken items leave their places empty: a Map that lines come to and leave with every batch would
 * keep taken items from garbage collection for long (see `createRegister`).
 */
export function createFairQueue<Item>(): FairQueue<Item> {
  const lines = new Map<unknown, Line<Item>>()
  let first: Line<Item> | undefined
  let last: Line<Item> | undefined
  /** Number of lines with items. */
  let waiting = 0
  let size = 0

  function lineOf(key: unknown): Line<Item> {
    let line = lines.get(key)
    if (line === undefined) {
      if (lines.size - waiting >= EMPTY_LINES_MAX) forgetEmpty()
      line = { items: [], head: 0, next: undefined }
      lines.set(key, line)
    }
    return line
  }

  function forgetEmpty(): void {
    for (const [key, line] of lines) if (line.items.length === 0) lines.delete(key)
  }

  function append(line: Line<Item>): void {
    if (last === undefined) first = line
    else last.next = line
    last = line
    waiting += 1
  }

  function shift(): Line<Item> {
    const line = first as Line<Item>
    first = line.next
    if (first === undefined) last = undefined
    line.next = undefined
    waiting -= 1
    return line
  }

  return {
    get size() {
      return size
    },
    add(key, item) {
      const line = lineOf(key)
      if (line.items.length === 0) append(line)
      line.items.push(item)
      size += 1
    },
    take(max) {
      const taken: Item[] = []
      while (taken.length < max && waiting > 0) {
        const share = Math.max(1, Math.floor((max - taken.length) / waiting))
        // A served line goes to the back, so this ends after the lines that there were.
        for (let unserved = waiting; unserved > 0 && taken.length < max; unserved -= 1) {
          const line = shift()
          moveItems(line, Math.min(share, max - taken.length), taken)
          if (line.items.length > 0) append(line)
        }
      }
      size -= taken.length
      return taken
    },
  }
}

/** Moves the oldest items of a line. */
function moveItems<Item>(line: Line<Item>, max: number, target: Item[]): void {
  const { items } = line
  const end = Math.min(items.length, line.head + max)
  for (let at = line.head; at < end; at += 1) {
    target.push(items[at] as Item)
    items[at] = undefined
  }
  line.head = end
  if (end === items.length) {
    items.length = 0
    line.head = 0
  } else if (end >= COMPACT_AT) {
    items.splice(0, end)
    line.head = 0
  }
}
