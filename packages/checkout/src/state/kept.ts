import type { Values } from '@warung/forms/form'
import { neededBy } from '@warung/forms/form'
import type { Product } from '../api/wire.ts'
import type { View } from './types.ts'

/** Things that one tab keeps about one order. */
export type Kept = {
  get(name: string): unknown
  set(name: string, value: unknown): void
}

/** Keeps things in the tab. Where the browser stores nothing, they are kept until the page goes. */
export function tabStorage(orderId: string): Kept {
  return keptIn(() => sessionStorage, `warung.checkout.${orderId}.`)
}

/** Keeps things on the device, for the customer's next order. */
export function deviceStorage(): Kept {
  return keptIn(() => localStorage, 'warung.checkout.')
}

function keptIn(storage: () => Storage, prefix: string): Kept {
  const memory = new Map<string, unknown>()
  return {
    get(name) {
      if (memory.has(name)) return memory.get(name)
      try {
        return JSON.parse(storage().getItem(prefix + name) ?? 'null') as unknown
      } catch {
        return null
      }
    },
    set(name, value) {
      memory.set(name, value)
      try {
        if (value === null) storage().removeItem(prefix + name)
        else storage().setItem(prefix + name, JSON.stringify(value))
      } catch {
        // A frame of another site, or a full storage: memory does until the page goes.
      }
    },
  }
}

// ── Half-filled forms ──

// Half-filled forms are kept in the tab, so that a reload loses nothing. Identity numbers are not kept, nor second
// references, which are identity numbers at some billers.

const SECRET_EXTRAS = ['ic_number', 'ref2']

/** Name under which a form is kept. Lines of a fixed basket may have the same product, and are filled in apart. */
export function draftName(code: string, line: number | undefined): string {
  return line === undefined ? `form.${code}` : `form.${code}.${line}`
}

/** Values of a form that may be kept: without secrets, and without choices that depend on one. */
export function keepable(product: Product, values: Values): Values {
  const { extras = {} } = product.fulfillment
  const secret = new Set(SECRET_EXTRAS.flatMap((name) => extras[name]?.from_field ?? []))
  const dependent = product.fields.filter((field) => neededBy(field).some((id) => secret.has(id)))
  for (const { id } of dependent) secret.add(id)
  return Object.fromEntries(
    Object.entries(values).filter(([id, value]) => value !== undefined && !secret.has(id)),
  )
}

/** Reads kept values again. Anything else than values of this form is left out: other scripts share the storage. */
export function restored(product: Product, kept: unknown): Values {
  if (typeof kept !== 'object' || kept === null) return {}
  const known = new Set([...product.fields.map(({ id }) => id), '$account'])
  return Object.fromEntries(Object.entries(kept).filter(([id, value]) => known.has(id) && isValue(value)))
}

function isValue(value: unknown): boolean {
  if (typeof value === 'string') return true
  if (typeof value !== 'object' || value === null) return false
  return (
    'code' in value && typeof value.code === 'string' && 'label' in value && typeof value.label === 'string'
  )
}

// ── Place of the customer ──

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
