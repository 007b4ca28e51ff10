// A tab that crashed or was closed cannot say how its sale ended. What is needed to ask for it lies beside the tab, for
// the next one that is opened: without the request, which may hold an identity number, so that nothing is sent again.

/** Sale with the request that must not be kept here. */
type Shared = { readonly body: unknown }

const PREFIX = 'warung.sales.'
const TAB = 'warung.tab'

/** Keeps the sales of this tab for another one, in the place of what was kept before. */
export function shareSales(sales: readonly Shared[]): void {
  try {
    const name = PREFIX + tabId()
    if (sales.length === 0) window.localStorage.removeItem(name)
    else window.localStorage.setItem(name, JSON.stringify(sales.map((sale) => ({ ...sale, body: null }))))
  } catch {
    // Without a storage that outlives the tab, the sale is found under Payments.
  }
}

/** Takes over the sales of tabs that are no more. A tab holds a lock for as long as it lives. */
export async function adoptSales<Kept extends Shared>(keep: (sale: Kept) => void): Promise<void> {
  try {
    const own = PREFIX + tabId()
    void navigator.locks.request(own, () => new Promise(() => {}))
    const { held = [], pending = [] } = await navigator.locks.query()
    const alive = new Set([own, ...[...held, ...pending].map(({ name }) => name)])
    for (const name of sharedNames()) {
      if (alive.has(name)) continue
      const sales: unknown = JSON.parse(window.localStorage.getItem(name) ?? '[]')
      window.localStorage.removeItem(name)
      if (Array.isArray(sales)) for (const sale of sales) keep({ ...(sale as Kept), body: null })
    }
  } catch {
    // Locks are there under https alone, and text of others is no sale.
  }
}

/** Removes the sales of all tabs, when their person leaves. */
export function forgetSharedSales(): void {
  try {
    for (const name of sharedNames()) window.localStorage.removeItem(name)
  } catch {
    // There is nothing to remove where nothing can be stored.
  }
}

function sharedNames(): string[] {
  return Object.keys(window.localStorage).filter((name) => name.startsWith(PREFIX))
}

function tabId(): string {
  const known = window.sessionStorage.getItem(TAB)
  if (known !== null) return known
  const made = crypto.getRandomValues(new Uint32Array(2)).join('-')
  window.sessionStorage.setItem(TAB, made)
  return made
}
