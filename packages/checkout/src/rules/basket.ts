import type { FormRequest } from '@warung/forms/form'
import { Problem } from '../api/problem.ts'
import type { AskedItem, Catalog, Order, OrderItem } from '../api/wire.ts'

export const QUANTITY_MAX = 20
export const LINES_MAX = 20
export const UNITS_MAX = 50

export function unitsOf({ items }: Pick<Order, 'items'>): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0)
}

/** Largest quantity that a line may have, beside the other lines. */
export function quantityLimit(order: Pick<Order, 'items'>, line: number | undefined): number {
  const others = order.items.filter((item) => item.line !== line)
  return Math.max(0, Math.min(QUANTITY_MAX, UNITS_MAX - unitsOf({ items: others })))
}

/** Tells whether a product does not work now. */
export function isInterrupted(catalog: Pick<Catalog, 'interrupted'> | undefined, code: string): boolean {
  return catalog?.interrupted?.includes(code) === true
}

export function isFull(order: Pick<Order, 'items'>): boolean {
  return order.items.length >= LINES_MAX || unitsOf(order) >= UNITS_MAX
}

export function isComplete({ items }: Pick<Order, 'items'>): boolean {
  return items.length > 0 && items.every(({ missing }) => missing.length === 0)
}

/** Item of a filled form. */
export function askedItem({ product, account, amount, extras }: FormRequest, quantity: number) {
  return {
    product_code: product,
    account,
    amount: String(amount),
    ...(extras === undefined ? {} : { extras }),
    quantity,
  }
}

/** Line of the basket that stays as it is. The service knows its secrets; the page does not. */
function kept({ line, quantity }: OrderItem): AskedItem {
  return { line, quantity }
}

export function withItem({ items }: Order, item: AskedItem): AskedItem[] {
  return [...items.map(kept), item]
}

export function withoutLine({ items }: Order, line: number): AskedItem[] {
  return items.filter((item) => item.line !== line).map(kept)
}

export function withQuantity({ items }: Order, line: number, quantity: number): AskedItem[] {
  return items.map((item) => (item.line === line ? { line, quantity } : kept(item)))
}

/**
 * Tells whether the basket is the one that was asked for. After an answer that got lost, this says whether the change
 * was made.
 */
export function isBasket(order: Order, before: Order, asked: readonly AskedItem[]): boolean {
  if (order.items.length !== asked.length) return false
  return order.items.every((item, at) => {
    const wanted = asked[at]
    if (wanted === undefined || wanted.quantity !== item.quantity) return false
    if ('product_code' in wanted) {
      return wanted.product_code === item.product_code && Number(wanted.amount) === Number(item.amount)
    }
    const former = before.items.find(({ line }) => line === wanted.line)
    const isFilled =
      (wanted.account === undefined && wanted.extras === undefined) || item.missing.length === 0
    return isFilled && former?.product_code === item.product_code && former.unit_price === item.unit_price
  })
}

/** Line of the basket that an asked item keeps; undefined for a new one, and for the line `own` of the form. */
export function keptItem(order: Order, asked: AskedItem, own: number | undefined): OrderItem | undefined {
  if (!('line' in asked) || asked.line === own) return undefined
  return order.items.find(({ line }) => line === asked.line)
}

/**
 * Names the products of the basket that a refusal is about, by the places in names such as `items.0.account`. `items`
 * has undefined at the place of an item that the form on the screen is about.
 */
export function aboutLines(problem: Problem, items: readonly (OrderItem | undefined)[]): Problem {
  const names = Object.keys(problem.fields).flatMap((field) => {
    const [, place] = /^items\.(\d+)/.exec(field) ?? []
    return items[Number(place)]?.product_name ?? []
  })
  return names.length === 0
    ? problem
    : new Problem(problem.message, { ...problem, lines: [...new Set(names)] })
}
