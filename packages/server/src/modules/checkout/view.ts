import { formatMoney } from '../../lib/money.ts'
import type { AddressOf } from '../../lib/own-addresses.ts'
import type { DirectoryReseller } from '../accounts/types.ts'
import type { Snapshot } from '../catalog/model/types.ts'
import { lineStatus } from '../orders/core/states.rules.ts'
import type { CustomerOrder, OpenField, Order, OrderLine, UnitResult } from '../orders/core/types.ts'
import type { CheckoutSettings } from '../orders/settings/types.ts'

/** Surroundings of an order that its customer sees. */
export type OrderFrame = {
  readonly reseller: Pick<DirectoryReseller, 'name'>
  readonly settings: Pick<CheckoutSettings, 'displayName' | 'theme'>
  readonly snapshot: Pick<Snapshot, 'products'>
  readonly addressOf: AddressOf
}

/** Shows an order to its customer: no cost, no margin, no value of extras, nothing of the account but its name. */
export function checkoutOrderView({ order, missing, readAt }: CustomerOrder, frame: OrderFrame) {
  const { displayName, theme } = frame.settings
  const { accent, background, surface, text, radius, font } = theme
  return {
    order_id: order.code,
    status: order.state,
    merchant: { name: displayName === '' ? frame.reseller.name : displayName },
    theme: { accent, background, surface, text, radius, font },
    language: order.language,
    currency: 'MYR' as const,
    is_fixed: order.isFixed,
    show_results: order.showsResults,
    items: order.lines.map((line) => checkoutItemView(order, line, missing.get(line.line) ?? [], frame)),
    total_amount: formatMoney(order.total),
    refund_amount: formatMoney(order.refund),
    expires_at: order.expiresAt.toISOString(),
    server_time: readAt.toISOString(),
    version: order.version,
    continue_url: order.state === 'draft' ? null : continueUrl(order),
  }
}

function checkoutItemView(
  order: Order,
  line: OrderLine,
  missing: readonly OpenField[],
  { snapshot, addressOf }: OrderFrame,
) {
  const product = snapshot.products.get(line.productCode)
  const states = order.units.filter((unit) => unit.line === line.line).map(({ state }) => state)
  return {
    line: line.line,
    product_code: line.productCode,
    product_name: line.productName,
    image_url: product === undefined ? null : addressOf(product.imageUrl),
    account: line.account,
    amount: formatMoney(line.amount),
    quantity: line.quantity,
    unit_price: formatMoney(line.unitPrice),
    price: formatMoney(line.unitPrice * BigInt(line.quantity)),
    is_fixed: order.isFixed,
    missing: [...missing],
    status: lineStatus(states),
  }
}

/**
 * Returns the address to which the customer goes on: that of the reseller, and never one from a request. Its own query
 * stays as it is, because the reseller may compare it.
 */
export function continueUrl({ returnUrl, code, state }: Pick<Order, 'returnUrl' | 'code' | 'state'>): string {
  const added = `order_id=${encodeURIComponent(code)}&status=${state}`
  if (!returnUrl.includes('?')) return `${returnUrl}?${added}`
  return /[?&]$/.test(returnUrl) ? `${returnUrl}${added}` : `${returnUrl}&${added}`
}

export function resultView(result: UnitResult, redemption: string | null) {
  return {
    line: result.line,
    number: result.number,
    sn: result.serialNumber,
    pin: result.pin,
    expiry: result.expiry,
    voucherlink: result.voucherLink,
    redemption,
  }
}
