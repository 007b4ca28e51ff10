import type { Kept } from './storage.ts'
import type { View } from './types.ts'

/** Remembers where the customer is, so that a reload and the back button lead there. */
export type Navigation = {
  current(): View
  push(view: View): void
  /** Puts a view in place of the current one, so that the back button passes it by. */
  replace(view: View): void
  /** Goes back to the view before, or to `otherwise` where there is none. */
  back(otherwise: View): void
  /** Calls back when the browser's own buttons change the view. */
  watch(listener: (view: View) => void): () => void
}

const SHOP: View = { name: 'shop' }

/** Reads a view that was kept; anything else leads to the shop. */
export function viewOf(kept: unknown): View {
  if (typeof kept !== 'object' || kept === null || !('name' in kept)) return SHOP
  if (kept.name === 'basket') return { name: 'basket' }
  if (kept.name !== 'product' || !('code' in kept) || typeof kept.code !== 'string') return SHOP
  const line = 'line' in kept && typeof kept.line === 'number' ? { line: kept.line } : {}
  return { name: 'product', code: kept.code, ...line }
}

/** Navigation of a component inside somebody's page: its history belongs to that page and is not touched. */
export function keptNavigation(kept: Kept): Navigation {
  let view = viewOf(kept.get('view'))
  const go = (next: View) => {
    view = next
    kept.set('view', next)
  }
  const listeners = new Set<(view: View) => void>()
  return {
    current: () => view,
    push: go,
    replace: go,
    back(otherwise) {
      go(otherwise)
      for (const listener of listeners) listener(otherwise)
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Entry = { readonly warung: View; readonly depth: number }

/** Navigation of the hosted page: entries of the browser's history, at an unchanged address. */
export function historyNavigation(
  history: History,
  target: Pick<Window, 'addEventListener' | 'removeEventListener'>,
): Navigation {
  const entry = (): Entry => {
    const state: unknown = history.state
    const isOurs = typeof state === 'object' && state !== null && 'warung' in state && 'depth' in state
    if (!isOurs) return { warung: SHOP, depth: 0 }
    return { warung: viewOf(state.warung), depth: typeof state.depth === 'number' ? state.depth : 0 }
  }
  const listeners = new Set<(view: View) => void>()
  const replace = (warung: View) => history.replaceState({ warung, depth: entry().depth } satisfies Entry, '')
  return {
    current: () => entry().warung,
    push: (warung) => history.pushState({ warung, depth: entry().depth + 1 } satisfies Entry, ''),
    replace,
    back(otherwise) {
      if (entry().depth > 0) {
        history.back()
        return
      }
      replace(otherwise)
      for (const listener of listeners) listener(otherwise)
    },
    watch(listener) {
      const tell = () => listener(entry().warung)
      listeners.add(listener)
      target.addEventListener('popstate', tell)
      return () => {
        listeners.delete(listener)
        target.removeEventListener('popstate', tell)
      }
    },
  }
}
