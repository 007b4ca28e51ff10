import type { FormRequest, Values } from '@warung/forms/form'
import { accountOf } from '@warung/forms/form'
import { Problem } from '../api/client.ts'
import type { AskedItem, Catalog, Order, OrderItem, OrderStatus, Product } from '../api/wire.ts'

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

// ── Baskets that the shop has chosen: the customer gives the missing values of a line, and nothing else ──

/** Values of the form of a fixed line: what the shop has given, and what was typed before. */
export function filledPart(product: Product, item: OrderItem, typed: Values): Values {
  const account = accountOf(product)
  const isKnown = item.account !== null && account !== undefined && account.path === undefined
  return isKnown ? { ...typed, [account.from_field]: item.account ?? '' } : typed
}

type Filled = { readonly account: string; readonly extras?: Readonly<Record<string, string>> }

/** Basket in which the missing values of one line are given. */
export function withFilled(
  { items }: Order,
  filled: OrderItem,
  { account, extras = {} }: Filled,
): AskedItem[] {
  return items.map(({ line, quantity }) => {
    if (line !== filled.line) return { line, quantity }
    const given = filled.missing.flatMap((name) => {
      const value = extras[name]
      return value === undefined ? [] : [[name, value] as const]
    })
    return {
      line,
      quantity,
      ...(filled.missing.includes('account') ? { account } : {}),
      ...(given.length === 0 ? {} : { extras: Object.fromEntries(given) }),
    }
  })
}

// ── Reading the order again ──

const STEPS_MS = [1_500, 2_000, 3_000, 5_000, 8_000, 12_000]
const LONGEST_MS = 15_000

/** Pause before the order is read again; undefined when nothing is expected to happen by itself. */
export function pauseMs(status: OrderStatus, readsSoFar: number): number | undefined {
  if (status !== 'awaiting_payment' && status !== 'confirmed') return undefined
  return STEPS_MS[readsSoFar] ?? LONGEST_MS
}

const STEPS: Readonly<Record<OrderStatus, number>> = {
  draft: 0,
  awaiting_payment: 1,
  confirmed: 2,
  completed: 3,
  partially_completed: 3,
  failed: 3,
  cancelled: 3,
  timeout: 3,
}

/**
 * Tells whether an answer is older than the order that is shown. Answers may come in another order than the questions,
 * and an order never goes back.
 */
export function isOlder(answer: Order, shown: Order): boolean {
  const steps = STEPS[answer.status] - STEPS[shown.status]
  if (steps !== 0) return steps < 0
  if (answer.version !== shown.version) return answer.version < shown.version
  return Date.parse(answer.server_time) < Date.parse(shown.server_time)
}

export function isFinal(status: OrderStatus): boolean {
  return status !== 'draft' && status !== 'awaiting_payment' && status !== 'confirmed'
}

/** Tells whether the order or one of its items has another status, so that there may be new results. */
export function hasMoved(before: Order, after: Order): boolean {
  const statuses = ({ status, items }: Order) => [status, ...items.map((item) => item.status)].join()
  return statuses(before) !== statuses(after)
}
