import type { FieldErrors } from '../../../lib/errors.ts'
import { fieldErrorsOf } from '../../../lib/errors.ts'
import { wholeNumber } from '../../../lib/input/fields.ts'
import { readPaymentRequest } from '../../payments/core/request.rules.ts'
import type { PaymentRequest, Rejection } from '../../payments/core/types.ts'
import { orderProblem } from './problems.rules.ts'
import type { BasketItem, Order } from './types.ts'

export const LINES_MAX = 20
export const UNITS_MAX = 50
export const QUANTITY = wholeNumber(1, 20)

/** Item as the wire has it. The schema has checked its members' types. */
export type WireItem = {
  readonly product_code: string
  readonly account?: string | null
  readonly amount: string
  readonly extras?: Readonly<Record<string, unknown>> | null
  readonly quantity?: number
}

/** A refid is needed to read and to judge an item, and stands for no payment. */
const NO_REFID = 'order'

/** Reads the items of a basket, or throws the problems of all of them. An account that is left out is typed later. */
export function readItems(wire: readonly WireItem[], path = 'items'): BasketItem[] {
  const problems: [string, string][] = []
  const items = wire.map((each, index) => readItem(each, `${path}.${index}`, problems))
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0)
  if (items.length > LINES_MAX) problems.push([path, `must be at most ${LINES_MAX} items`])
  if (units > UNITS_MAX) problems.push([path, `must be at most ${UNITS_MAX} units together`])
  if (problems.length > 0) throw invalidItems(fieldErrorsOf(problems))
  return items
}

function readItem(wire: WireItem, path: string, problems: [string, string][]): BasketItem {
  const { product_code: product, amount, extras, quantity: given = 1 } = wire
  const isTyped = wire.account !== undefined && wire.account !== null && wire.account !== ''
  const account = isTyped ? wire.account : '-'
  const read = readPaymentRequest({ refid: NO_REFID, product, account, amount, extras })
  const quantity = QUANTITY.read(given)
  if (quantity === undefined) problems.push([`${path}.quantity`, QUANTITY.message])
  if (read.kind === 'unreadable') throw new Error('an item has a refid')
  const { request } = read
  for (const [name, texts] of Object.entries(request.problems)) {
    for (const text of texts) problems.push([`${path}.${itemName(name)}`, text])
  }
  return {
    productCode: request.product,
    account: isTyped ? request.account : null,
    amount: request.amount ?? 1n,
    extras: request.extras,
    quantity: quantity ?? 1,
  }
}

/** Names a field of a payment as an item names it. */
function itemName(name: string): string {
  return name === 'product' ? 'product_code' : name
}

const NO_ACCOUNT = { account: ['The account is required.'] }

/** Makes the request by which an item is judged and, with its own refid, paid. Without an account it is rejected. */
export function requestOf(item: BasketItem, refid = NO_REFID): PaymentRequest {
  return {
    refid,
    product: item.productCode,
    account: item.account ?? '',
    amount: item.amount,
    remarks: '',
    extras: item.extras,
    problems: item.account === null ? NO_ACCOUNT : {},
  }
}

/** Lists the problems that a rejection names, with the path of the item before them. */
export function problemsOf(rejection: Rejection, path: string): [field: string, text: string][] {
  const named = Object.entries(rejection.errors)
  if (named.length === 0) return [[path, rejection.message]]
  return named.flatMap(([name, texts]) =>
    texts.map((text): [string, string] => [`${path}.${itemName(name)}`, text]),
  )
}

export function invalidItems(fields: FieldErrors) {
  return orderProblem('invalid_items', { fields })
}

/** Tells whether a line is what it was. */
export function isSameItem(a: BasketItem, b: BasketItem): boolean {
  return a.quantity === b.quantity && buysSame(a, b)
}

/** Tells whether each unit of two lines buys the same thing. Another quantity does not change a locked price. */
export function buysSame(a: BasketItem, b: BasketItem): boolean {
  return (
    a.productCode === b.productCode &&
    a.account === b.account &&
    a.amount === b.amount &&
    a.extras.subproductCode === b.extras.subproductCode &&
    a.extras.billerCode === b.extras.billerCode &&
    a.extras.ref2 === b.extras.ref2 &&
    a.extras.icNumber === b.extras.icNumber
  )
}

/** Codes that a customer may choose from; null: all that the reseller sells and does not hide. */
export function choiceOf({
  isFixed,
  lines,
  products,
}: Pick<Order, 'isFixed' | 'products'> & {
  readonly lines: readonly Pick<BasketItem, 'productCode'>[]
}): ReadonlySet<string> | null {
  if (isFixed) return new Set(lines.map(({ productCode }) => productCode))
  return products === null ? null : new Set(products)
}
