import { fieldErrorsOf, unavailable } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import type { Catalog } from '../../catalog/model/store.types.ts'
import { mayChoose } from '../../catalog/serve/customers.service.ts'
import type { Preview, Previews } from '../../payments/take/preview.service.ts'
import { buysSame, choiceOf, invalidItems, isSameItem, problemsOf, requestOf } from './items.rules.ts'
import { missingFields, openFieldsOf } from './open-fields.rules.ts'
import type { BasketItem, Order, OrderLine } from './types.ts'

export type BasketSettings = {
  readonly catalog: Pick<Catalog, 'snapshotFor'>
  readonly previews: Previews
}

/** Item with the values that its customer may type. */
type Draft = BasketItem & Pick<OrderLine, 'openFields'>

const UNKNOWN_PRODUCT = 'There is no such product.'

/** Judges a basket that a reseller fixes, and locks its prices. Values that the customer types may be missing. */
export function priceFixedBasket(
  settings: BasketSettings,
  reseller: DirectoryReseller,
  items: readonly BasketItem[],
): Promise<OrderLine[]> {
  const { products } = settings.catalog.snapshotFor(reseller)
  const drafts = items.map((item): Draft => {
    const product = products.get(item.productCode)
    // A product that the account cannot buy is refused as such, and not for the account that is left out.
    return {
      ...item,
      openFields: product?.isPurchasable === true ? openFieldsOf(product, item) : ['account'],
    }
  })
  return priceBasket(settings, reseller, drafts, [])
}

/** Judges a basket that a customer chose from the products of the order. Lines that were there keep their price. */
export function priceChosenBasket(
  settings: BasketSettings,
  reseller: DirectoryReseller,
  order: Pick<Order, 'isFixed' | 'products' | 'lines'>,
  items: readonly BasketItem[],
): Promise<OrderLine[]> {
  const { products } = settings.catalog.snapshotFor(reseller)
  const choice = choiceOf(order)
  const problems = items.flatMap(({ productCode }, index) => {
    const product = products.get(productCode)
    const isTheirs = product !== undefined && mayChoose(product, choice)
    return isTheirs ? [] : [[`items.${index}.product_code`, UNKNOWN_PRODUCT] as const]
  })
  if (problems.length > 0) throw invalidItems(fieldErrorsOf(problems))
  return priceBasket(
    settings,
    reseller,
    items.map((item) => ({ ...item, openFields: [] })),
    order.lines,
  )
}

/** Judges each line, and throws the problems of all of them. `kept` are lines whose prices are locked. */
async function priceBasket(
  settings: BasketSettings,
  reseller: DirectoryReseller,
  items: readonly Draft[],
  kept: readonly OrderLine[],
): Promise<OrderLine[]> {
  const previews = await previewItems(settings, reseller, items)
  if (previews.some(({ isChecked }) => !isChecked)) {
    throw unavailable('supplier_unavailable', 'the options of an item could not be read')
  }
  const problems = previews.flatMap(({ judgement }, index) =>
    judgement.kind === 'rejected' ? problemsOf(judgement.rejection, `items.${index}`) : [],
  )
  if (problems.length > 0) throw invalidItems(fieldErrorsOf(problems))
  const prices = lockPrices(items, previews, kept)
  return items.map((item, index) => ({
    ...item,
    line: index + 1,
    productName: previews[index]?.product?.name ?? '',
    unitPrice: prices[index] as Amount,
  }))
}

const NO_PRICE = 'This amount has no price.'

/** Returns the price of each item. A line of before gives its price to one item: a second equal one has today's. */
function lockPrices(
  items: readonly BasketItem[],
  previews: readonly Preview[],
  kept: readonly OrderLine[],
): Amount[] {
  const left = [...kept]
  // An unchanged line takes its own price before a line with another quantity can take it.
  const unchanged = items.map((item) => takeLine(left, (line) => isSameItem(line, item)))
  const prices = items.map((item, index) => {
    const before = unchanged[index] ?? takeLine(left, (line) => buysSame(line, item))
    return before?.unitPrice ?? previews[index]?.price ?? 0n
  })
  // An adjustment of the account may leave nothing of a small amount, and nothing is given away.
  const problems = prices.flatMap((price, index) =>
    price > 0n ? [] : [[`items.${index}.amount`, NO_PRICE] as const],
  )
  if (problems.length > 0) throw invalidItems(fieldErrorsOf(problems))
  return prices
}

/** Removes and returns the first line that fits. */
function takeLine(lines: OrderLine[], fits: (line: OrderLine) => boolean): OrderLine | undefined {
  const place = lines.findIndex(fits)
  return place < 0 ? undefined : lines.splice(place, 1)[0]
}

/** Judges lines as the payments that they become: a line that lacks a value is rejected. */
export function previewPayments(
  { previews }: BasketSettings,
  reseller: DirectoryReseller,
  lines: readonly BasketItem[],
): Promise<Preview[]> {
  return previews.preview(
    reseller,
    lines.map((line) => requestOf(line)),
  )
}

/** Judges items as payments would be. Those with missing values are judged as far as they go. */
export async function previewItems(
  { catalog, previews }: BasketSettings,
  reseller: DirectoryReseller,
  items: readonly Draft[],
): Promise<Preview[]> {
  const { products } = catalog.snapshotFor(reseller)
  const isComplete = items.map((item) => missingFields(products.get(item.productCode), item).length === 0)
  const whole = await previews.preview(
    reseller,
    items.filter((_, index) => isComplete[index]).map((item) => requestOf(item)),
  )
  return items.map((item, index) =>
    isComplete[index] === true
      ? (whole.shift() as Preview)
      : previews.previewOffer(reseller, requestOf(item)),
  )
}
