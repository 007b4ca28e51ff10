import { ApiProblem } from '../../../api/errors.ts'
import { sumText } from '../../../text/numbers.ts'
import type { Sale, TabStorage } from '../sale.ts'
import { BASKET_STORED_AS } from './forget-basket.ts'

// A basket of one customer. Each line is a payment of its own, with a refid of its own that is kept in the tab before
// anything is sent: after a reload, or a crash of the tab, the same lines are sent again, and none is paid twice.

export type BasketLine = {
  /** Name of the product. */
  readonly name: string
  readonly account: string
  /** Sale that pays it. Until the basket is paid it has no price, and its body no quote. */
  readonly sale: Sale
  /** Why it is no payment; null: it is one, or may be. */
  readonly refused: Refusal | null
}

/** `null` of the problem: the service has no payment with the refid, and nobody sends it any more. */
export type Refusal = { readonly problem: StoredProblem | null }

type StoredProblem = Pick<ApiProblem, 'message' | 'status' | 'code' | 'fields' | 'requestId'>

export type Basket = {
  readonly reseller: string
  readonly isPaid: boolean
  /** Cash that the customer has given; empty: not said. */
  readonly cash: string
  readonly lines: readonly BasketLine[]
}

export const LINES_MAX = 20

/** Returns the basket of a shop. That of another shop is removed: others use the tab now. */
export function storedBasket(storage: TabStorage, reseller: string): Basket | undefined {
  try {
    const basket: Basket | null = JSON.parse(storage.getItem(BASKET_STORED_AS) ?? 'null')
    if (basket === null || basket.lines.length === 0) return undefined
    if (basket.reseller === reseller) return basket
  } catch {
    // Text that this page did not write counts as no basket.
  }
  storage.removeItem(BASKET_STORED_AS)
  return undefined
}

export function keepBasket(storage: TabStorage, basket: Basket | undefined): void {
  if (basket === undefined || basket.lines.length === 0) storage.removeItem(BASKET_STORED_AS)
  else storage.setItem(BASKET_STORED_AS, JSON.stringify(basket))
}

/** Tells whether the same product is sold to the same account for the same amount twice. */
export function holdsSame({ lines }: Pick<Basket, 'lines'>, sale: Sale): boolean {
  const sold = soldOf(sale)
  return lines.some((line) => soldOf(line.sale) === sold)
}

function soldOf({ body }: Sale): string {
  return JSON.stringify([body?.product, body?.account, Number(body?.amount), body?.extras ?? {}])
}

export type Told = { readonly quoteId: string; readonly price: string }

/** Basket as it is kept before its first line is sent: with the quotes, prices and the time. */
export function paidBasket(
  basket: Basket,
  {
    told,
    cash,
    atMs,
  }: { readonly told: ReadonlyMap<string, Told>; readonly cash: string; readonly atMs: number },
): Basket {
  const lines = basket.lines.map((line) => {
    const { sale } = line
    const quote = told.get(sale.refid)
    if (quote === undefined || sale.body === null) throw new Error('a line of a basket has no quote')
    const body = { ...sale.body, quote_id: quote.quoteId }
    return { ...line, sale: { ...sale, body, price: quote.price, sentAtMs: atMs } }
  })
  return { ...basket, isPaid: true, cash, lines }
}

/** Replaces what is known of one line. Its body is gone once it has its end. */
export function withLine(basket: Basket, refid: string, change: Partial<BasketLine>): Basket {
  const lines = basket.lines.map((line) => (line.sale.refid === refid ? { ...line, ...change } : line))
  return { ...basket, lines }
}

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiProblem)) return { problem: null }
  const { message, status, code, fields, requestId } = error
  return { problem: { message, status, code, fields, requestId } }
}

export function problemOf({ problem }: Refusal): ApiProblem | null {
  return problem === null ? null : new ApiProblem(problem.message, problem)
}

/** Sale of which it is not known whether it is a payment. */
export function isOpen({ sale, refused }: BasketLine): boolean {
  return refused === null && sale.paymentId === null
}

const CASH = /^\d{1,7}(?:\.\d{1,2})?$/

export type Change =
  | { readonly kind: 'none' | 'unreadable' }
  | { readonly kind: 'change' | 'missing'; readonly amount: string }

/** Cash that the customer gets back, or has still to give. */
export function changeOf(cash: string, total: string): Change {
  const given = cash.trim()
  if (given === '') return { kind: 'none' }
  if (!CASH.test(given)) return { kind: 'unreadable' }
  const amount = sumText([given, `-${total}`])
  return amount.startsWith('-') ? { kind: 'missing', amount: amount.slice(1) } : { kind: 'change', amount }
}
