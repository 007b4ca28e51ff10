import type { Values } from './form.ts'
import { accountOf, adaptField, billerFieldOf, problemOf, requestOf } from './form.ts'
import type { BillAnswer, Field, FormProduct as Product } from './types.ts'

export type BillQuery = { account: string; product: string; biller_code?: string; ref2?: string }

/** Question for what is owed; undefined while the form cannot ask, and for products whose amount is not free. */
export function billQueryOf(
  product: Product,
  fields: readonly Field[],
  values: Values,
): BillQuery | undefined {
  const { amount, extras } = product.fulfillment
  const account = accountOf(product)
  const pricing = fields.find(({ id }) => id === amount.from_field)
  if (pricing?.type !== 'money' || account === undefined) return undefined
  const needed = [account.from_field, billerFieldOf(product), extras?.ref2?.from_field]
  const isReady = fields
    .filter(({ id }) => needed.includes(id))
    .every((field) => problemOf(product, adaptField(product, field, values), values) === undefined)
  if (!isReady) return undefined
  const body = requestOf(product, values)
  const { biller_code: biller, ref2 } = body.extras ?? {}
  return {
    account: body.account,
    product: product.code,
    ...(biller === undefined ? {} : { biller_code: biller }),
    ...(ref2 === undefined || ref2 === '' ? {} : { ref2 }),
  }
}

export type ShownBill = {
  readonly name: string | undefined
  readonly address: string | undefined
  readonly owed: string | undefined
  readonly due: string | undefined
  readonly more: string | undefined
}

/** Parts of the bill that the biller returned; undefined when there is nothing to show. */
export function shownBill({ data }: BillAnswer): ShownBill | undefined {
  const bill: ShownBill = {
    name: filled(data.CustomerName),
    address: filled(data.Address),
    owed: data.Outstanding === null ? undefined : senText(data.Outstanding),
    due: filled(data.DueDate),
    more: filled(data.Data),
  }
  return Object.values(bill).some((part) => part !== undefined) ? bill : undefined
}

/** Writes 84.5 as 84.50, as amounts are typed. */
function senText(amount: number): string {
  const [whole = '0', sen = ''] = String(amount).split('.')
  return `${whole}.${sen.padEnd(2, '0')}`
}

function filled(text: string | null): string | undefined {
  return text === null || text === '' ? undefined : text
}

/** Message of a biller that does not know the account. Other errors of the question do not keep from paying. */
export function accountRefusal(status: number, message: string): string | undefined {
  return status === 400 && /account/i.test(message) ? message : undefined
}
