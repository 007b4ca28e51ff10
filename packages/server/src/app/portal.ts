import type { Config } from '../config.ts'
import type { Operation } from '../http/operation.ts'
import { createExports } from '../http/streams/exports.ts'
import { networkToString } from '../lib/addresses.ts'
import { createTurns, READ_TURNS } from '../lib/turns.ts'
import type { MemberPermission } from '../modules/accounts/members.rules.ts'
import type { Approvals } from '../modules/approvals/types.ts'
import { billOperations } from '../modules/bills/routes.ts'
import { caseOperations } from '../modules/cases/routes.ts'
import { catalogOperations } from '../modules/catalog/serve/routes.ts'
import type { Comparisons } from '../modules/finance/compare.service.ts'
import { financeOperations } from '../modules/finance/routes.ts'
import { networkOperations } from '../modules/network/routes.ts'
import { numberOperations } from '../modules/numbers/routes.ts'
import { orderOperations } from '../modules/orders/api/routes.ts'
import { checkoutSettingsOperations } from '../modules/orders/settings/routes.ts'
import { REPEATED_SECONDS } from '../modules/payments/quotes/repeats.service.ts'
import { createPaymentListing } from '../modules/payments/read/listing.service.ts'
import { createRefidLookup } from '../modules/payments/read/references.service.ts'
import { paymentOperations } from '../modules/payments/take/routes.ts'
import type { PortalSettings } from '../modules/portal/access/types.ts'
import { portalLiveOperations } from '../modules/portal/live/live.routes.ts'
import { createPortalLive } from '../modules/portal/live/live.service.ts'
import { portalFinanceApi } from '../modules/portal/money/finance.service.ts'
import type { MountPoint } from '../modules/portal/mount.service.ts'
import { forItsSeller, memberAsCaller, memberPayments, mounted } from '../modules/portal/mount.service.ts'
import { portalOrderOperations } from '../modules/portal/orders/routes.ts'
import { portalOperations } from '../modules/portal/routes.ts'
import { receiptOperations } from '../modules/receipts/routes.ts'
import { createWalletListing } from '../modules/wallet/statement/listing.service.ts'
import { portalCheckoutSettingsOperation } from './portal-checkout.ts'
import type { Services } from './services.ts'

const SELL = 'Sell'
const CASES = 'Cases'
const ORDERS = 'Orders'

const ORDER_PATH = '/portal/v1/orders'
const SETTINGS_PATH = '/portal/v1/checkout-settings'

/** Paths in the portal of the reseller API's operations that members use. */
const MOUNT_POINTS: Readonly<Record<string, MountPoint>> = {
  '/v2/catalog': { path: '/portal/v1/sell/catalog', operationId: 'portalGetSellCatalog', tag: SELL },
  '/v2/options': { path: '/portal/v1/sell/options', operationId: 'portalGetSellOptions', tag: SELL },
  '/v2/networkstatus': { path: '/portal/v1/sell/network-status', operationId: 'portalGetNetwork', tag: SELL },
  '/v2/number-lookup': {
    path: '/portal/v1/number-lookup',
    operationId: 'portalLookupNumber',
    tag: SELL,
  },
  '/v2/bill-presentment': { path: '/portal/v1/sell/bill', operationId: 'portalGetBill', tag: SELL },
  '/v2/topup': { path: '/portal/v1/sell/payments', operationId: 'portalPay', tag: SELL },
  '/v2/receipts/:transaction_id': {
    path: '/portal/v1/receipts/:transaction_id',
    operationId: 'portalGetReceipt',
    tag: 'Payments',
  },
  '/v2/cases': { path: '/portal/v1/cases', operationId: 'portalListCases', tag: CASES },
  '/v2/cases/:number': { path: '/portal/v1/cases/:number', operationId: 'portalGetCase', tag: CASES },
  '/v2/transactions/check': {
    path: '/portal/v1/cases/disputes',
    operationId: 'portalOpenDispute',
    tag: CASES,
  },
  '/v2/transactions/void': { path: '/portal/v1/cases/voids', operationId: 'portalOpenVoid', tag: CASES },
  'POST /v2/orders': { path: ORDER_PATH, operationId: 'portalCreateOrder', tag: ORDERS },
  'GET /v2/orders': { path: ORDER_PATH, operationId: 'portalListOrders', tag: ORDERS },
  '/v2/orders/:order_id': {
    path: `${ORDER_PATH}/:order_id`,
    operationId: 'portalGetOrder',
    tag: ORDERS,
  },
  '/v2/orders/:order_id/confirm': {
    path: `${ORDER_PATH}/:order_id/confirm`,
    operationId: 'portalConfirmOrder',
    tag: ORDERS,
  },
  '/v2/orders/:order_id/cancel': {
    path: `${ORDER_PATH}/:order_id/cancel`,
    operationId: 'portalCancelOrder',
    tag: ORDERS,
  },
  'GET /v2/checkout-settings': {
    path: SETTINGS_PATH,
    operationId: 'portalGetCheckoutSettings',
    tag: ORDERS,
  },
}

/** Lists every operation of members except signing in. */
export function memberOperations(
  config: Pick<Config, 'environment' | 'senderAddresses' | 'issuer'>,
  services: Services,
  approvals: Approvals,
  comparisons: Comparisons,
  baseUrl: () => string,
): Operation[] {
  const settings = portalSettings(config, services, approvals)
  const { live } = services
  return [
    ...portalOperations(settings),
    ...portalLiveOperations(live.authenticateMember, createPortalLive({ ...settings, live })),
    ...financeOperations(portalFinanceApi({ ...settings, database: services.reader, comparisons })),
    ...mounted(integratorOperations(settings, services, baseUrl), MOUNT_POINTS),
    ...portalOrderOperations({ ...settings, orders: services.orders }),
    portalCheckoutSettingsOperation(settings, services.orders, SETTINGS_PATH),
  ]
}

function integratorOperations(
  settings: PortalSettings,
  services: Services,
  baseUrl: () => string,
): Operation[] {
  const may = (permission: MemberPermission) => memberAsCaller(settings, permission)
  const { environment, now } = settings
  const { balances, bills, cases, catalogAnswers, network, numberLookups, orders, payments, receipts } =
    services
  return [
    ...catalogOperations(may('products.read'), catalogAnswers, now, { isForm: true }),
    ...networkOperations(may('products.read'), network),
    ...numberOperations(may('products.read'), numberLookups),
    ...billOperations(may('sell.read'), bills, now),
    ...paymentOperations({
      authenticate: may('sell'),
      payments: memberPayments(payments, settings),
      balances,
      now,
      duplicateSecondsMin: REPEATED_SECONDS,
    }),
    ...receiptOperations(may('payments.own'), receipts, baseUrl).map((each) => forItsSeller(each, settings)),
    ...caseOperations((scope) => may(scope === 'read' ? 'cases.read' : 'cases.write')(scope), cases),
    ...orderOperations({
      authenticate: (scope) => may(scope === 'read' ? 'orders.read' : 'orders.write')(scope),
      orders,
      environment,
      baseUrl,
    }),
    ...checkoutSettingsOperations(may('orders.read'), orders, environment).filter(
      ({ method }) => method === 'GET',
    ),
  ]
}

function portalSettings(
  { environment, senderAddresses, issuer }: Pick<Config, 'environment' | 'senderAddresses' | 'issuer'>,
  services: Services,
  approvals: Approvals,
): PortalSettings {
  const { database, vault } = services.sessions
  return {
    ...services,
    log: services.audit,
    approvals,
    environment,
    database,
    vault,
    authenticate: services.authenticateMember,
    payments: createPaymentListing({
      database,
      reader: services.reader,
      vault,
      numbers: services.numbers,
    }),
    previews: services.payments,
    quotes: services.payments.quotes,
    entries: createWalletListing(services.reader, createRefidLookup(services.reader)),
    exports: createExports(),
    reads: createTurns(READ_TURNS),
    senderAddresses: senderAddresses.map(networkToString),
    issuer,
    now: () => new Date(services.clock.nowMs()),
  }
}
