/** Calls that are made when a time is over, unless they are removed before. */
export type Deadlines<Item> = {
  /** `startedMs`, on performance.now's clock, is when the item's time began. */
  add(item: Item, startedMs: number): void
  /** Removes an item; an item that was never added is ignored. */
  remove(item: Item): void
}

/**
 * Gives every item the same time. The items therefore expire in the order they came, and one timer for the first of
 * them is enough. A timer for each would be created and thrown away with almost every request.
 */
export function createDeadlines<Item>(timeoutMs: number, onLate: (item: Item) => void): Deadlines<Item> {
  const endsMs = new Map<Item, number>()
  let timer: NodeJS.Timeout | undefined

  function expireDue(): void {
    timer = undefined
    const nowMs = performance.now()
    for (const [item, endMs] of endsMs) {
      if (endMs > nowMs) {
        plan(endMs - nowMs)
        return
      }
      endsMs.delete(item)
      onLate(item)
    }
  }

  function plan(afterMs: number): void {
    timer = setTimeout(expireDue, Math.ceil(afterMs))
    // A caller that waits for an answer keeps the process alive with its socket; this timer need not.
    timer.unref()
  }

  return {
    add(item, startedMs) {
      endsMs.set(item, startedMs + timeoutMs)
      if (timer === undefined) plan(timeoutMs)
    },
    remove: (item) => void endsMs.delete(item),
  }
}
