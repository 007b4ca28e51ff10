type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const items = new Map<string, string>()

/** Takes the place of the browser's storage where that is switched off: what is kept lasts until the reload. */
const memory: TabStorage = {
  getItem: (name) => items.get(name) ?? null,
  setItem: (name, value) => void items.set(name, value),
  removeItem: (name) => void items.delete(name),
}

/** Storage of this tab. */
export function tabStorage(): TabStorage {
  try {
    return window.sessionStorage
  } catch {
    return memory
  }
}
