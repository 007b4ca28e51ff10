import { fieldErrorsOf } from '../../lib/errors.ts'
import { formatMoney } from '../../lib/money.ts'
import { invalidItems, readItems } from '../orders/core/items.rules.ts'
import type { BasketItem, Order, OrderLine } from '../orders/core/types.ts'
import { EXTRA_NAMES } from '../payments/core/request.rules.ts'
import type { PaymentExtras } from '../payments/core/types.ts'

/** Item as a customer sends it. With `line`, members that are left out stay as the basket has them. */
export type SentItem = {
  readonly line?: number
  readonly product_code?: string
  readonly account?: string | null
  readonly amount?: string
  readonly extras?: Readonly<Record<string, unknown>> | null
  readonly quantity?: number
}

/**
 * Reads the basket that a customer wants. Values of extras are never shown again, so a page that was loaded anew names a
 * line by its number instead of sending it whole.
 */
export function readBasket(order: Pick<Order, 'lines'>, sent: readonly SentItem[]): BasketItem[] {
  const problems: [string, string][] = []
  const named = sent.map((item, index) => {
    const line = order.lines.find((each) => each.line === item.line)
    if (item.line !== undefined && line === undefined) {
      problems.push([`items.${index}.line`, 'There is no such line.'])
    }
    return { item, line }
  })
  if (problems.length > 0) throw invalidItems(fieldErrorsOf(problems))
  return readItems(
    named.map(({ item, line }) => (line === undefined ? wholeItem(item) : changed(line, item))),
  )
}

function wholeItem({ product_code = '', amount = '', line: _, ...rest }: SentItem) {
  return { product_code, amount, ...rest }
}

function changed(line: OrderLine, { product_code, amount, account, extras, quantity }: SentItem) {
  return {
    product_code: product_code ?? line.productCode,
    amount: amount ?? formatMoney(line.amount),
    account: account ?? line.account,
    extras: { ...wireExtras(line.extras), ...extras },
    quantity: quantity ?? line.quantity,
  }
}

function wireExtras(extras: PaymentExtras): Record<string, string | null> {
  return Object.fromEntries(EXTRA_NAMES.map(([name, wireName]) => [wireName, extras[name]]))
}
