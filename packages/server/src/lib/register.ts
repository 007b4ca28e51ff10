/** Number by which an item is taken out again. It is valid until then, and used again afterwards. */
export type Ticket = number

/** Items that come and go with every request, in no order. */
export type Register<Item> = {
  readonly size: number
  add(item: Item): Ticket
  /** Takes an item out. To be called once for each `add`. */
  remove(ticket: Ticket): void
  /** Calls `visit` for each item. Items may be added and removed meanwhile. */
  each(visit: (item: Item, ticket: Ticket) => void): void
  some(matches: (item: Item) => boolean): boolean
  list(): Item[]
}

/**
 * A Map or a Set of such items makes garbage collection dear. It makes a new table of itself again and again as items
 * come and go, and a thrown-away table among the old objects of V8 still points to the items of its time: each of them,
 * with its request, its answer and all their promises, is kept until the next full collection. A register forgets an
 * item at once.
 */
export function createRegister<Item extends object>(): Register<Item> {
  const items: (Item | undefined)[] = []
  const free: Ticket[] = []

  return {
    get size() {
      return items.length - free.length
    },
    add(item) {
      const ticket = free.pop() ?? items.length
      items[ticket] = item
      return ticket
    },
    remove(ticket) {
      items[ticket] = undefined
      free.push(ticket)
    },
    each(visit) {
      for (let ticket = 0; ticket < items.length; ticket += 1) {
        const item = items[ticket]
        if (item !== undefined) visit(item, ticket)
      }
    },
    some: (matches) => items.some((item) => item !== undefined && matches(item)),
    list: () => items.filter((item) => item !== undefined),
  }
}
