import type { Values } from '@warung/forms/form'
import { accountOf } from '@warung/forms/form'
import type { AskedItem, Order, OrderItem, Product } from '../api/wire.ts'

// Baskets that the shop has chosen: the customer gives the missing values of a line, and nothing else.

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
