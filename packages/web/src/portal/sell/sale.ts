import { ApiProblem } from '../../api/errors.ts'
import type { PaymentRequest } from '../../api/portal.generated.ts'
import { shareSales } from './shared-sales.ts'

// A sale that was sent. It is kept in the tab before it leaves, so that after a reload the same body is sent again:
// the service answers with the payment of that refid and never makes a second one.

export type Sale = {
  /** Account of the reseller whose member sold. */
  readonly reseller: string
  readonly product: string
  readonly refid: string
  readonly sentAtMs: number
  /**
   * Body of the request; gone once the payment is known, because it may hold an identity number, and in a tab that took
   * the sale over from another one.
   */
  readonly body: PaymentRequest | null
  /** Id of the payment; null until the service has said it. */
  readonly paymentId: string | null
  /** Price that the till showed to the customer; null: it showed none. */
  readonly price: string | null
}

const STORED_AS = 'warung.sales'
const SALES_MAX = 20

/** Keeps a sale, in the place of what was kept of it before. */
export function keepSale(storage: TabStorage, sale: Sale): void {
  const others = allOf(storage).filter(({ refid }) => refid !== sale.refid)
  write(storage, [...others, sale].slice(-SALES_MAX))
}

export function forgetSale(storage: TabStorage, { refid }: Pick<Sale, 'refid'>): void {
  write(
    storage,
    allOf(storage).filter((each) => each.refid !== refid),
  )
}

/** Forgets every sale, when the person of this tab leaves. */
export function forgetSales(storage: TabStorage): void {
  write(storage, [])
}

/** Returns the sales that go on, oldest first. Those of other resellers are removed: others use the tab now. */
export function storedSales(storage: TabStorage, reseller: string): Sale[] {
  const all = allOf(storage)
  const own = all.filter((sale) => sale.reseller === reseller)
  if (own.length < all.length) write(storage, own)
  return own
}

function allOf(storage: TabStorage): Sale[] {
  try {
    const sales: unknown = JSON.parse(storage.getItem(STORED_AS) ?? '[]')
    // A sale that an earlier version of this page has kept has no price.
    return Array.isArray(sales) ? sales.map((sale: Sale) => ({ ...sale, price: sale.price ?? null })) : []
  } catch {
    // Text that this page did not write counts as an empty list.
    return []
  }
}

function write(storage: TabStorage, sales: readonly Sale[]): void {
  if (sales.length === 0) storage.removeItem(STORED_AS)
  else storage.setItem(STORED_AS, JSON.stringify(sales))
  shareSales(sales)
}

/** Longest time that the service works on a request; after that an older request makes no payment any more. */
const REQUEST_MS_MAX = 30_000

export type Answer = {
  readonly error: unknown
  /** True when the body had been sent before, and that answer was lost. */
  readonly isRepeated: boolean
  readonly sinceFirstMs: number
}

/**
 * Judges an error answer to a payment that the service does not list. `rejected`: nothing was taken, and the form can
 * be mended. `unknown`: the payment may exist, so that the same body is sent again.
 */
export function judge({ error, isRepeated, sinceFirstMs }: Answer): 'rejected' | 'unknown' {
  if (!(error instanceof ApiProblem)) return 'unknown'
  if (error.isUncertain || error.status >= 500 || error.status < 400) return 'unknown'
  if (!isRepeated) return 'rejected'
  // A session that ended or a turn that is refused says nothing about the first request.
  if (error.status !== 400 && error.status !== 404 && error.status !== 422) return 'unknown'
  return sinceFirstMs >= REQUEST_MS_MAX ? 'rejected' : 'unknown'
}

const FIRST_PAUSE_MS = 2_000
const PAUSE_MS_MAX = 10_000

/** Pause before the same body is sent again: 2 s at first, then towards 10 s. */
export function pauseMs(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** attempt, PAUSE_MS_MAX)
}

const RESENT_MS_MAX = 10 * 60_000

/** True for a sale so old that its body is not sent again: nobody stands at the counter for it any more. */
export function isStale({ sentAtMs }: Sale, nowMs: number): boolean {
  return nowMs - sentAtMs > RESENT_MS_MAX
}

/** True once no request for the sale can be under way any more: a look-up then says how it ended. */
export function isOver({ sentAtMs }: Sale, nowMs: number): boolean {
  return nowMs - sentAtMs >= REQUEST_MS_MAX
}

/** Makes a refid that nobody has used. `getRandomValues` works without TLS too, unlike `randomUUID`. */
export function newRefid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `portal-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

// ── Storage of the tab ──

export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

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
