import { readAfterCommit } from '../../../db/after-commit.ts'
import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { assert, fieldErrorsOf, unavailable } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import type { Directory, DirectoryReseller } from '../../accounts/types.ts'
import { readPaymentsAt } from '../../payments/core/snapshots.service.ts'
import { SUCCEEDED } from '../../payments/core/states.rules.ts'
import { findRepeated } from '../../payments/quotes/repeats.service.ts'
import type { Preview } from '../../payments/take/preview.service.ts'
import type { BasketSettings } from './basket.service.ts'
import { previewItems, previewPayments, priceChosenBasket } from './basket.service.ts'
import { invalidItems, isSameItem, problemsOf } from './items.rules.ts'
import { fillOpenFields, missingFields } from './open-fields.rules.ts'
import { orderProblem } from './problems.rules.ts'
import type { ReadOrder } from './records.service.ts'
import { readOrder } from './records.service.ts'
import { isTokenOf, sealInput } from './secrets.service.ts'
import type { ReplaceVerdict, SealedLine, SubmitVerdict } from './sql.ts'
import { allowRepeats, cancelOrder, findTokenRow, replaceBasket, submitOrder } from './sql.ts'
import type { BasketItem, CustomerOrder, Order, OrderKey, OrderLine, UnitResult } from './types.ts'

/** Basket that a customer wants; `version` is that of the basket which it replaces. */
export type BasketChange = { readonly version: number; readonly items: readonly BasketItem[] }

/**
 * Acts of the customer of one order. Every function but the first is about the order of a key that `findByToken`
 * returned, and about nothing else.
 */
export type CustomerOrders = {
  /**
   * Finds an order by its id on the wire and the token of its customer, compared in constant time; undefined when
   * either is wrong, and 24 hours after the order's final state.
   */
  findByToken(code: string, token: string): Promise<OrderKey | undefined>
  readForCustomer(key: OrderKey): Promise<CustomerOrder>
  /** Judges an item as a payment would be, and prices it; throws `invalid_items` with problems by field. */
  quote(key: OrderKey, item: BasketItem): Promise<{ readonly unitPrice: Amount; readonly price: Amount }>
  /** Replaces the basket of a draft. An unchanged line keeps its price. */
  replaceItems(key: OrderKey, change: BasketChange): Promise<CustomerOrder>
  /**
   * Submits the basket; an order that was submitted before is answered as it is. Throws `possible_duplicate` where a
   * line repeats an earlier payment, unless the customer wants that.
   */
  submit(key: OrderKey, version: number, allowsRepeats?: boolean): Promise<CustomerOrder>
  cancelByCustomer(key: OrderKey): Promise<CustomerOrder>
  /** Lists results of units that succeeded; empty unless the order was made to show them. */
  listResults(key: OrderKey): Promise<readonly UnitResult[]>
}

export type OrdersSettings = BasketSettings & {
  readonly database: Database
  readonly vault: Vault
  readonly directory: Pick<Directory, 'findReseller'>
  /** Called after a commit that wrote an event. */
  readonly onCommitted: () => void
}

/** Time for which a token still reads its order after the final state. */
const READABLE_SECONDS = 86_400
/** Changes of one basket: more are no customer's. */
export const CHANGES_MAX = 200

export function createCustomerOrders(settings: OrdersSettings): CustomerOrders {
  const { database, vault } = settings
  const read = (key: OrderKey) => getOrder(settings, key)
  return {
    async findByToken(code, token) {
      const row = await findTokenRow(database, code, READABLE_SECONDS)
      const isRight = isTokenOf(token, row?.token_digest)
      return row !== undefined && isRight && row.is_readable
        ? { resellerId: row.reseller_id, id: row.id }
        : undefined
    },
    readForCustomer: async (key) => customerOrder(settings, await read(key)),
    async quote(key, item) {
      const { order } = await read(key)
      const [line] = await priceChosenBasket(settings, resellerOf(settings, key), order, [item])
      assert(line !== undefined, 'one item has one line')
      return { unitPrice: line.unitPrice, price: line.unitPrice * BigInt(item.quantity) }
    },
    replaceItems: (key, change) => replaceItems(settings, key, change),
    submit: (key, version, allowsRepeats = false) => submit(settings, key, { version, allowsRepeats }),
    async cancelByCustomer(key) {
      const state = await database.transaction((tx) => cancelOrder(tx, key, 'cancelled by the customer'))
      if (state === 'cancelled') settings.onCommitted()
      const found = await readAfterCommit(() => read(key))
      if (found.order.confirmedAt !== null) throw orderProblem('already_confirmed')
      if (state === 'timeout') throw orderProblem('order_timeout')
      return customerOrder(settings, found)
    },
    async listResults(key) {
      const { order } = await read(key)
      if (!order.showsResults) return []
      const paid = order.units.flatMap((unit) =>
        unit.state === 'succeeded' && unit.paymentId !== null ? [{ unit, paymentId: unit.paymentId }] : [],
      )
      const at = order.createdAt
      const moments = paid.map(({ paymentId: id }) => ({ ...key, id, code: null, balance: null, at }))
      const payments = await readPaymentsAt(database, vault, moments)
      return paid.flatMap(({ unit: { line, number } }, index) => {
        const payment = payments[index]?.payment
        if (payment?.code !== SUCCEEDED) return []
        const { serialNumber, pin, expiry, voucherLink } = payment.output
        const { productCode } = payment
        return [{ line, number, productCode, serialNumber, pin, expiry, voucherLink }]
      })
    },
  }
}

/** Reads an order that is known to exist. */
export async function getOrder(
  { database, vault, onCommitted }: Pick<OrdersSettings, 'database' | 'vault' | 'onCommitted'>,
  key: OrderKey,
): Promise<ReadOrder> {
  const found = await readOrder(database, vault, key)
  if (found === undefined) throw orderProblem('order_not_found')
  if (found.order.state === 'timeout') onCommitted()
  return found
}

/** Finds the account of an order in this node's directory. */
export function resellerOf(
  { directory }: Pick<OrdersSettings, 'directory'>,
  { resellerId }: OrderKey,
): DirectoryReseller {
  const reseller = directory.findReseller(resellerId)
  if (reseller === undefined) throw unavailable('unknown_account', `account ${resellerId} is not known here`)
  return reseller
}

function customerOrder(settings: OrdersSettings, { order, readAt }: ReadOrder): CustomerOrder {
  return { order, readAt, missing: missingByLine(settings, order) }
}

/** Lists the missing values of each line that has some. */
export function missingByLine(
  settings: Pick<OrdersSettings, 'catalog' | 'directory'>,
  order: Order,
): CustomerOrder['missing'] {
  const missing = new Map<number, ReturnType<typeof missingFields>>()
  if (order.lines.every(({ openFields }) => openFields.length === 0)) return missing
  const { products } = settings.catalog.snapshotFor(resellerOf(settings, order))
  for (const line of order.lines) {
    const fields = missingFields(products.get(line.productCode), line)
    if (fields.length > 0) missing.set(line.line, fields)
  }
  return missing
}

export function sealLines(
  vault: Vault,
  owner: { readonly resellerId: bigint; readonly code: string },
  lines: readonly OrderLine[],
): SealedLine[] {
  return lines.map(({ account, extras, ...line }) => ({
    ...line,
    sealedInput: sealInput(vault, owner, { line: line.line, account, extras }),
  }))
}

async function replaceItems(
  settings: OrdersSettings,
  key: OrderKey,
  { version, items }: BasketChange,
): Promise<CustomerOrder> {
  const { database, vault } = settings
  const { order } = await getOrder(settings, key)
  if (order.state !== 'draft') throw orderProblem('order_not_open')
  if (order.version !== version) throw orderProblem('order_changed')
  if (version > CHANGES_MAX) throw orderProblem('too_many_changes')
  const lines = order.isFixed
    ? await fillFixedBasket(settings, order, items)
    : await priceChosenBasket(settings, resellerOf(settings, key), order, items)
  const verdict = await database.transaction((tx) =>
    replaceBasket(tx, key, version, sealLines(vault, order, lines)),
  )
  refuseReplacing(verdict)
  return customerOrder(settings, await readAfterCommit(() => getOrder(settings, key)))
}

function refuseReplacing(verdict: ReplaceVerdict): void {
  if (verdict === 'replaced') return
  throw orderProblem(verdict === 'changed' ? 'order_changed' : 'order_not_open')
}

/** Fills the missing values of a basket that the reseller fixed. Nothing else may differ from it. */
async function fillFixedBasket(
  settings: OrdersSettings,
  order: Order,
  items: readonly BasketItem[],
): Promise<OrderLine[]> {
  if (items.length !== order.lines.length) {
    throw invalidItems({ items: [`must be the ${order.lines.length} items of the order`] })
  }
  if (order.lines.some(({ isUnreadable }) => isUnreadable === true)) {
    throw unavailable('unreadable_line', `a line of order ${order.code} cannot be opened`)
  }
  const lines = order.lines.map((line, index) => fillOpenFields(line, items[index] as BasketItem))
  const foreign = lines.flatMap((line, index) =>
    isSameItem(line, items[index] as BasketItem)
      ? []
      : [[`items.${index}`, 'is fixed: only its missing values can be set'] as const],
  )
  if (foreign.length > 0) throw invalidItems(fieldErrorsOf(foreign))
  refuseUnbuyable(await previewItems(settings, resellerOf(settings, order), lines))
  return lines
}

/** Throws the problems of lines that could not be bought now. Prices stay as they are. */
function refuseUnbuyable(previews: readonly Preview[]): void {
  if (previews.some(({ isChecked }) => !isChecked)) {
    throw unavailable('supplier_unavailable', 'the options of an item could not be read')
  }
  const problems = previews.flatMap(({ judgement }, index) =>
    judgement.kind === 'rejected' ? problemsOf(judgement.rejection, `items.${index}`) : [],
  )
  if (problems.length > 0) throw invalidItems(fieldErrorsOf(problems))
}

async function submit(
  settings: OrdersSettings,
  key: OrderKey,
  submission: Submission,
): Promise<CustomerOrder> {
  const { database } = settings
  const found = await getOrder(settings, key)
  const { version, allowsRepeats } = submission
  const isJudged = found.order.state === 'draft'
  if (isJudged) await judgeSubmission(settings, found, submission)
  const verdict = await database.transaction(async (tx) => {
    const submitted = await submitOrder(tx, key, { version, isJudged })
    if (submitted === 'submitted' && allowsRepeats) await allowRepeats(tx, key)
    return submitted
  })
  refuseSubmitting(verdict)
  return customerOrder(settings, await readAfterCommit(() => getOrder(settings, key)))
}

type Submission = { readonly version: number; readonly allowsRepeats: boolean }

/** Judges the basket of a draft. One of another version is not judged: it is not the basket that was read. */
async function judgeSubmission(
  settings: OrdersSettings,
  { order, readAt }: ReadOrder,
  { version, allowsRepeats }: Submission,
): Promise<void> {
  if (order.version !== version) throw orderProblem('order_changed')
  if (order.lines.length === 0) throw invalidItems(EMPTY)
  const missing = [...missingByLine(settings, order)].flatMap(([line, fields]) =>
    fields.map((field): [string, string] => [`items.${line - 1}.${pathOf(field)}`, 'is required']),
  )
  if (missing.length > 0) throw invalidItems(fieldErrorsOf(missing))
  const previews = await previewPayments(settings, resellerOf(settings, order), order.lines)
  refuseUnbuyable(previews)
  if (!allowsRepeats) await refuseRepeats(settings, { order, readAt }, previews)
}

/** Throws where a payment of a moment ago was for the same. Several of the same in one basket are meant. */
async function refuseRepeats(
  settings: OrdersSettings,
  { order, readAt }: Pick<ReadOrder, 'order' | 'readAt'>,
  previews: readonly Preview[],
): Promise<void> {
  const wanted = order.lines.flatMap(({ line, account }, index) => {
    const judgement = previews[index]?.judgement
    if (judgement?.kind !== 'accepted') return []
    const { productCode, amount, canonicalAccount } = judgement.decision
    return [{ line, productCode, amount, account: canonicalAccount ?? account ?? '' }]
  })
  const reseller = resellerOf(settings, order)
  const found = await findRepeated(settings.database, reseller, wanted, readAt.getTime())
  const repeats = wanted.flatMap(({ line }, index) => {
    const earlier = found[index]
    return earlier === undefined ? [] : [{ line, seconds: earlier.seconds }]
  })
  if (repeats.length > 0) throw orderProblem('possible_duplicate', { extra: { repeats } })
}

const EMPTY = { items: ['must not be empty'] }

function pathOf(field: string): string {
  return field === 'account' ? field : `extras.${field}`
}

function refuseSubmitting(verdict: SubmitVerdict): void {
  switch (verdict) {
    case 'changed':
    case 'unjudged':
      throw orderProblem('order_changed')
    case 'empty':
      throw invalidItems(EMPTY)
    case 'cancelled':
      throw orderProblem('order_cancelled')
    case 'timeout':
      throw orderProblem('order_timeout')
    case 'submitted':
    case 'awaiting_payment':
    case 'confirmed':
    case 'completed':
    case 'partially_completed':
    case 'failed':
  }
}
