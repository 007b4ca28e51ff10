import { readAfterCommit } from '../../../db/after-commit.ts'
import type { Database } from '../../../db/database.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { assert, fieldErrorsOf } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import type { CheckoutSettingsStore } from '../settings/service.ts'
import { previewPayments, priceFixedBasket } from './basket.service.ts'
import { insufficientBalance, judgeConfirmation } from './confirmation.rules.ts'
import type { Confirmation, NewOrder } from './fields.rules.ts'
import { contentOf, ORDER_CODE } from './fields.rules.ts'
import { invalidItems } from './items.rules.ts'
import { missingFields } from './open-fields.rules.ts'
import { orderProblem } from './problems.rules.ts'
import { readOrders, timeOutLate } from './records.service.ts'
import type { OrderFilter } from './records.sql.ts'
import { listOrderIds } from './records.sql.ts'
import {
  differentFields,
  newClientToken,
  newOrderCode,
  openToken,
  sealRequest,
  sealToken,
} from './secrets.service.ts'
import type { OrdersSettings } from './service.ts'
import { getOrder, sealLines } from './service.ts'
import type { ConfirmVerdict, OpenLimits } from './sql.ts'
import {
  cancelOrder,
  confirmOrder,
  createOrder,
  findIdByCode,
  findIdByReference,
  findSecrets,
  listSealedTokens,
} from './sql.ts'
import { isOpen } from './states.rules.ts'
import type { PaidOrder } from './transactions.service.ts'
import { withPayments } from './transactions.service.ts'
import type { Order, OrderKey, OrderLine } from './types.ts'

/** Order as its reseller sees it. The token is null when the order is no longer open. */
export type ResellerOrder = PaidOrder & { readonly token: string | null }

/** Caller's circumstances that an act of the reseller depends on. */
export type ActContext = { readonly sender: string }

export type ResellerOrders = {
  /** Makes an order, or finds the one that the same request made before. */
  create(reseller: DirectoryReseller, order: NewOrder): Promise<ResellerOrder & { readonly isNew: boolean }>
  get(resellerId: bigint, code: string): Promise<ResellerOrder>
  /** Lists a page, newest first. `hasMore`: there are older ones. */
  list(resellerId: bigint, filter: OrderFilter): Promise<{ orders: ResellerOrder[]; hasMore: boolean }>
  confirm(
    reseller: DirectoryReseller,
    code: string,
    confirmation: Confirmation,
    context: ActContext,
  ): Promise<ResellerOrder>
  cancel(resellerId: bigint, code: string, reason: string): Promise<ResellerOrder>
}

export type ResellerOrdersSettings = OrdersSettings & {
  readonly checkoutSettings: Pick<CheckoutSettingsStore, 'settingsOf'>
  /** Called after an order was confirmed: its payments are due. */
  readonly onConfirmed: () => void
  readonly limits?: OpenLimits
}

const LIMITS: OpenLimits = { openMax: 10_000, userOpenMax: 50 }

export function createResellerOrders(settings: ResellerOrdersSettings): ResellerOrders {
  const { database } = settings
  return {
    create: (reseller, order) => create(settings, reseller, order),
    get: async (resellerId, code) => read(settings, await keyOf(database, resellerId, code)),
    list: (resellerId, filter) => list(settings, resellerId, filter),
    confirm: (reseller, code, confirmation, context) =>
      confirm(settings, reseller, code, confirmation, context),
    async cancel(resellerId, code, reason) {
      const key = await keyOf(database, resellerId, code)
      const state = await database.transaction((tx) => cancelOrder(tx, key, reason))
      settings.onCommitted()
      if (state === 'timeout') throw orderProblem('order_timeout')
      if (state !== 'cancelled') throw orderProblem('already_confirmed')
      return readAfterCommit(() => read(settings, key))
    },
  }
}

async function keyOf(database: Database, resellerId: bigint, code: string): Promise<OrderKey> {
  const id = ORDER_CODE.read(code) === undefined ? undefined : await findIdByCode(database, resellerId, code)
  if (id === undefined) throw orderProblem('order_not_found')
  return { resellerId, id }
}

async function read(settings: ResellerOrdersSettings, key: OrderKey): Promise<ResellerOrder> {
  const { order } = await getOrder(settings, key)
  const [paid] = await withPayments(settings.database, settings.vault, [order])
  assert(paid !== undefined, 'each order is returned')
  const [shown] = await withTokens(settings, [paid])
  assert(shown !== undefined, 'each order is returned')
  return shown
}

async function list(
  settings: ResellerOrdersSettings,
  resellerId: bigint,
  filter: OrderFilter,
): Promise<{ orders: ResellerOrder[]; hasMore: boolean }> {
  const { database, vault } = settings
  const ids = await listOrderIds(database, resellerId, { ...filter, limit: filter.limit + 1 })
  const keys = ids.slice(0, filter.limit).map((id) => ({ resellerId, id }))
  const found = await readOrders(database, vault, keys)
  if (await timeOutLate(database, found)) {
    settings.onCommitted()
    // An order that timed out is in the list of another state now.
    return list(settings, resellerId, filter)
  }
  const paid = await withPayments(
    database,
    vault,
    found.map(({ order }) => order),
  )
  return { orders: await withTokens(settings, paid), hasMore: ids.length > filter.limit }
}

/** Adds the tokens of open orders, with one statement for all. */
async function withTokens(
  { database, vault }: ResellerOrdersSettings,
  list: readonly PaidOrder[],
): Promise<ResellerOrder[]> {
  const open = list.map(({ order }) => order).filter(({ state }) => isOpen(state))
  const sealed = await listSealedTokens(database, open)
  return withFreshKeys(vault, () =>
    list.map((paid) => {
      const found = isOpen(paid.order.state) ? sealed.get(paid.order.id) : undefined
      return { ...paid, token: found === undefined ? null : openToken(vault, paid.order, found) }
    }),
  )
}

// ── Creation ──

async function create(
  settings: ResellerOrdersSettings,
  reseller: DirectoryReseller,
  given: NewOrder,
): Promise<ResellerOrder & { readonly isNew: boolean }> {
  const { database, vault, catalog } = settings
  // A repeated request is answered before anything is judged: its products may be gone by now.
  const before = await findIdByReference(database, reseller.id, given.reference)
  if (before !== undefined) return repeat(settings, { resellerId: reseller.id, id: before }, given)
  const { products } = catalog.snapshotFor(reseller)
  refuseUnknownProducts(given, (code) => products.get(code)?.isPurchasable === true)
  const lines = given.items === null ? [] : await priceFixedBasket(settings, reseller, given.items)
  const isComplete =
    lines.length > 0 &&
    lines.every((line) => missingFields(products.get(line.productCode), line).length === 0)
  const owner = { resellerId: reseller.id, code: newOrderCode() }
  const token = newClientToken()
  const result = await database.transaction((tx) =>
    createOrder(
      tx,
      {
        ...owner,
        reference: given.reference,
        userId: given.userId,
        state: isComplete ? 'awaiting_payment' : 'draft',
        sealedRequest: sealRequest(vault, owner, contentOf(given)),
        tokenDigest: digestOf(token),
        sealedToken: sealToken(vault, owner, token),
        returnUrl: given.returnUrl,
        products: given.products,
        isFixed: given.items !== null,
        language: given.language,
        showsResults: given.showsResults,
        expiresInSeconds: given.expiresInSeconds,
      },
      sealLines(vault, owner, lines),
      settings.limits ?? LIMITS,
    ),
  )
  if (result.id === null) throw orderProblem('too_many_orders', { headers: { 'Retry-After': '60' } })
  const key = { resellerId: reseller.id, id: result.id }
  return result.verdict === 'created'
    ? { ...(await readAfterCommit(() => read(settings, key))), isNew: true }
    : repeat(settings, key, given)
}

function refuseUnknownProducts({ products, items }: NewOrder, isKnown: (code: string) => boolean): void {
  if (items !== null && items.length === 0) throw invalidItems({ items: ['must not be empty'] })
  const problems = (products ?? []).flatMap((code) =>
    isKnown(code) ? [] : [['products', `There is no such product: ${code}`] as const],
  )
  if (products !== null && products.length === 0) throw invalidItems({ products: ['must not be empty'] })
  if (problems.length > 0) throw invalidItems(fieldErrorsOf(problems))
}

/** Answers a request whose reference an order has: with that order, if it was made by the same request. */
async function repeat(
  settings: ResellerOrdersSettings,
  key: OrderKey,
  given: NewOrder,
): Promise<ResellerOrder & { readonly isNew: boolean }> {
  const { database, vault } = settings
  const secrets = await findSecrets(database, key)
  assert(secrets !== undefined, 'an order that has the reference exists')
  const owner = { resellerId: key.resellerId, code: secrets.code }
  const different = await withFreshKeys(vault, () =>
    differentFields(vault, owner, secrets.sealed_request, contentOf(given)),
  )
  if (different.length > 0) {
    const fields = fieldErrorsOf(
      different.map((name) => [name, 'differs from the order with this reference']),
    )
    throw orderProblem('reference_conflict', { fields, extra: { order_id: secrets.code } })
  }
  return { ...(await read(settings, key)), isNew: false }
}

// ── Confirmation ──

async function confirm(
  settings: ResellerOrdersSettings,
  reseller: DirectoryReseller,
  code: string,
  { paymentReference, total }: Confirmation,
  { sender }: ActContext,
): Promise<ResellerOrder> {
  const { database } = settings
  const key = await keyOf(database, reseller.id, code)
  const { order } = await getOrder(settings, key)
  const isJudged = order.state === 'awaiting_payment'
  if (total !== null && total !== order.total && isJudged) throw orderProblem('amount_mismatch')
  const costs = isJudged ? await judge(settings, reseller, order) : null
  const { verdict, available } = await database.transaction((tx) =>
    confirmOrder(tx, key, { paymentReference, sender, costs }),
  )
  if (verdict === 'confirmed') settings.onConfirmed()
  if (verdict === 'timeout') settings.onCommitted()
  if (verdict === 'insufficient') throw insufficientBalance(order.lines, costs ?? [], available ?? 0n)
  refuseConfirming(verdict)
  return readAfterCommit(() => read(settings, key))
}

/**
 * Judges every line again as the payment that it becomes, and returns the costs of one unit of each. The basket of a
 * submitted order never changes meanwhile.
 */
async function judge(
  settings: ResellerOrdersSettings,
  reseller: DirectoryReseller,
  order: Order,
): Promise<Amount[]> {
  const [previews, { acceptsLoss }] = await Promise.all([
    previewPayments(settings, reseller, order.lines),
    settings.checkoutSettings.settingsOf(reseller.id),
  ])
  const judged = order.lines.map((line: OrderLine, index) => {
    const preview = previews[index]
    return { line, judgement: preview?.isChecked === true ? preview.judgement : undefined }
  })
  return judgeConfirmation(judged, { acceptsLoss })
}

function refuseConfirming(verdict: Exclude<ConfirmVerdict, 'insufficient'>): void {
  switch (verdict) {
    case 'confirmed':
    case 'confirmed_before':
      return
    case 'another_reference':
      throw orderProblem('already_confirmed')
    case 'draft':
      throw orderProblem('order_not_submitted')
    // It was submitted between the two looks: the caller confirms again.
    case 'unjudged':
      throw orderProblem('order_not_submitted')
    case 'cancelled':
      throw orderProblem('order_cancelled')
    case 'timeout':
      throw orderProblem('order_timeout')
  }
}
