import { parseId } from '../../../lib/input/ids.ts'
import { memberMay } from '../../accounts/members.rules.ts'
import { amountCurrency } from '../../catalog/model/pricing.rules.ts'
import { redemptionIn } from '../../catalog/serve/texts.rules.ts'
import { listPaymentCallbacks } from '../../events/log/subject-log.service.ts'
import { findPaymentById } from '../../payments/core/records.service.ts'
import type { ListedPayment } from '../../payments/read/listing.service.ts'
import { getPaymentReport } from '../../payments/support/support.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { maySee, notFound, sellerFor } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'
import type { PaymentsQuery } from './payments.rules.ts'
import type { Currencies, PaymentDetails } from './payments.view.ts'
import { searchPayments } from './search.service.ts'

/** Payments that a search shows on a page. */
const FOUND_MAX = 50

export async function listPayments(
  settings: PortalSettings,
  caller: MemberCaller,
  { filter, refid, q, page }: PaymentsQuery,
): Promise<{ payments: readonly ListedPayment[]; hasMore: boolean }> {
  const { payments } = settings
  const { id: resellerId } = caller.reseller
  if (refid !== null) {
    const found = await payments.findByRefid(resellerId, refid)
    return { payments: found !== undefined && maySee(caller, found) ? [found] : [], hasMore: false }
  }
  if (q === null) return payments.list(resellerId, ownFilter(caller, filter), page)
  const refids = (await searchPayments(settings, caller, q, FOUND_MAX)).map((each) => each.refid)
  const found = new Map((await payments.listByRefids(resellerId, refids)).map((each) => [each.refid, each]))
  return { payments: refids.flatMap((each) => found.get(each) ?? []), hasMore: false }
}

/** Narrows a filter to what the caller may see. */
export function ownFilter<Filter extends { readonly member?: string | null }>(
  caller: MemberCaller,
  filter: Filter,
): Filter {
  const seller = sellerFor(caller)
  return seller === null ? filter : { ...filter, member: String(seller) }
}

/** Reads a payment. Unknown, foreign and malformed ids get the same answer. */
export async function getPayment(
  settings: PortalSettings,
  caller: MemberCaller,
  id: string,
  language?: string | string[],
): Promise<PaymentDetails> {
  const { id: resellerId } = caller.reseller
  const { database, vault, payments, cases, catalog, deliveryLog } = settings
  const known = parseId(id)
  const payment = known === undefined ? undefined : await findPaymentById(database, vault, resellerId, known)
  const listed = payment && (await payments.findByRefid(resellerId, payment.refid))
  if (payment === undefined || listed === undefined || !maySee(caller, listed)) throw notFound('payment')
  const report = await getPaymentReport({ database, vault }, resellerId, { id: payment.id })
  const product = catalog.state().base.products.find(({ code }) => code === payment.productCode)
  const states = report.timeline.filter(({ kind }) => kind === 'state')
  return {
    listed,
    payment: report.payment,
    currencies: currenciesOf(settings),
    cases: memberMay(caller, 'cases.read') ? await cases.listOfPayment(resellerId, payment.id) : [],
    isRefundable: product?.isRefundable === true && listed.status === 'SUCCESSFUL',
    redemption: redemptionIn(catalog.state(), payment.productCode, language),
    timeline: report.timeline,
    entries: memberMay(caller, 'payments.read') ? report.entries : [],
    callbacks: memberMay(caller, 'developers.read')
      ? await listPaymentCallbacks({ database, log: deliveryLog }, resellerId, payment.id, states)
      : [],
  }
}

export function currenciesOf({ catalog }: Pick<PortalSettings, 'catalog'>): Currencies {
  const { products } = catalog.state().base
  return new Map(products.map((product) => [product.code, amountCurrency(product)]))
}
