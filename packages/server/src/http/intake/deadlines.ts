import type { Ticket } from '../../lib/register.ts'
import { createRegister } from '../../lib/register.ts'

/** Calls that are made when a time is over, unless they are removed before. */
export type Deadlines<Item> = {
  /** `startedMs`, on performance.now's clock, is when the item's time began. */
  add(item: Item, startedMs: number): Ticket
  /** Removes an item, once, also after its time was over. */
  remove(ticket: Ticket): void
}

/**
 * Gives every item the same time. One timer for the first of them is enough. A timer for each would be created and
 * thrown away with almost every request.
 */
export function createDeadlines<Item extends object>(
  timeoutMs: number,
  onLate: (item: Item) => void,
): Deadlines<Item> {
  const items = createRegister<Item>()
  /** Times at which the items of the register are late; infinite for those that were reported. */
  const endsMs: number[] = []
  let timer: NodeJS.Timeout | undefined

  function expireDue(): void {
    timer = undefined
    const nowMs = performance.now()
    let firstMs = Number.POSITIVE_INFINITY
    const late: Item[] = []
    items.each((item, ticket) => {
      const endMs = endsMs[ticket] as number
      if (endMs > nowMs) firstMs = Math.min(firstMs, endMs)
      else {
        endsMs[ticket] = Number.POSITIVE_INFINITY
        late.push(item)
      }
    })
    if (firstMs < Number.POSITIVE_INFINITY) plan(firstMs - nowMs)
    for (const item of late) onLate(item)
  }

  function plan(afterMs: number): void {
    timer = setTimeout(expireDue, Math.ceil(afterMs))
    // A caller that waits for an answer keeps the process alive with its socket; this timer need not.
    timer.unref()
  }

  return {
    add(item, startedMs) {
      const ticket = items.add(item)
      endsMs[ticket] = startedMs + timeoutMs
      if (timer === undefined) plan(timeoutMs)
      return ticket
    },
    remove: items.remove,
  }
}
