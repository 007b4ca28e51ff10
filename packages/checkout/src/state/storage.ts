/** Things that one tab keeps about one order. */
export type Kept = {
  get(name: string): unknown
  set(name: string, value: unknown): void
}

/** Keeps things in the tab. Where the browser stores nothing, they are kept until the page goes. */
export function tabStorage(orderId: string): Kept {
  const memory = new Map<string, unknown>()
  const keyOf = (name: string) => `warung.checkout.${orderId}.${name}`
  return {
    get(name) {
      if (memory.has(name)) return memory.get(name)
      try {
        return JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null') as unknown
      } catch {
        return null
      }
    },
    set(name, value) {
      memory.set(name, value)
      try {
        sessionStorage.setItem(keyOf(name), JSON.stringify(value))
      } catch {
        // A frame of another site, or a full storage: memory does until the page goes.
      }
    },
  }
}
