import { useEffect, useSyncExternalStore } from 'react'
import type { Sale } from '../sale.ts'
import { keepSale, tabStorage } from '../sale.ts'
import { followSale } from '../send-sale.ts'
import { storeState } from '../use-sale.ts'
import type { Basket, BasketLine, Told } from './basket.ts'
import { isOpen, keepBasket, LINES_MAX, paidBasket, refusalOf, storedBasket, withLine } from './basket.ts'
import { BASKET_STORED_AS } from './forget-basket.ts'

// The basket outlives its page: its lines are followed whichever page is shown, and after a reload from what the tab kept.

const listeners = new Set<() => void>()
/** Lines that are being sent or asked about here. */
const followed = new Set<string>()
let shop: string | undefined
let current: Basket | undefined

function write(next: Basket | undefined): void {
  keepBasket(tabStorage(), next)
  current = next?.lines.length === 0 ? undefined : next
  for (const each of listeners) each()
}

function basketOf(reseller: string): Basket | undefined {
  if (shop !== reseller) {
    shop = reseller
    current = storedBasket(tabStorage(), reseller)
  } else if (current?.isPaid === false && tabStorage().getItem(BASKET_STORED_AS) === null) {
    // Its member has signed out.
    current = undefined
  }
  return current
}

/** Basket of the shop in this tab; undefined: it is empty. */
export function useBasket(reseller: string): Basket | undefined {
  const basket = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => basketOf(reseller),
  )
  useEffect(() => {
    if (basket?.isPaid === true) followOpen(basket, true)
  }, [basket])
  return basket
}

/** Puts a line into the basket. False: it is full. */
export function addLine(reseller: string, line: Omit<BasketLine, 'refused'>): boolean {
  const basket = basketOf(reseller) ?? { reseller, isPaid: false, cash: '', lines: [] }
  if (basket.isPaid || basket.lines.length >= LINES_MAX) return false
  write({ ...basket, lines: [...basket.lines, { ...line, refused: null }] })
  return true
}

export function removeLine(basket: Basket, { refid }: Pick<Sale, 'refid'>): void {
  if (!basket.isPaid) write({ ...basket, lines: basket.lines.filter(({ sale }) => sale.refid !== refid) })
}

/** Pays all lines. They are kept first, each with its refid. */
export function payBasket(basket: Basket, told: ReadonlyMap<string, Told>, cash: string): void {
  if (basket.isPaid || basket !== current) return
  const paid = paidBasket(basket, { told, cash, atMs: Date.now() })
  write(paid)
  followOpen(paid, false)
}

/** Makes room for the next customer. Sales whose end is not known are left to the list of those that go on. */
export function leaveBasket(basket: Basket): void {
  if (basket.isPaid) for (const { sale } of basket.lines.filter(isOpen)) keepSale(tabStorage(), sale)
  write(undefined)
}

function followOpen(basket: Basket, isResumed: boolean): void {
  for (const { sale } of basket.lines.filter(isOpen)) {
    const { refid } = sale
    if (followed.has(refid)) continue
    followed.add(refid)
    void followSale(sale, isResumed, {
      isGone: () => !isHeld(refid),
      onState(state) {
        if (current === undefined || !isHeld(refid)) storeState(sale, state)
        else if (state.kind === 'known') write(withLine(current, refid, { sale: state.sale }))
        else if (state.kind === 'none') {
          const refused = refusalOf(state.error)
          write(withLine(current, refid, { sale: { ...sale, body: null }, refused }))
        }
      },
    }).finally(() => followed.delete(refid))
  }
}

function isHeld(refid: string): boolean {
  return current?.lines.some(({ sale }) => sale.refid === refid) === true
}
