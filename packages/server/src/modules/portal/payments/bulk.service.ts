import { assert } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import { amountCurrency } from '../../catalog/model/pricing.rules.ts'
import { readPaymentRequest } from '../../payments/core/request.rules.ts'
import type { Decision, PaymentRequest, Rejection } from '../../payments/core/types.ts'
import type { RepeatedPayment } from '../../payments/quotes/repeats.service.ts'
import { findRepeated } from '../../payments/quotes/repeats.service.ts'
import type { ListedPayment } from '../../payments/read/listing.service.ts'
import type { Preview } from '../../payments/take/preview.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { resellerOf } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'
import type { BulkLine, BulkStatus, BulkTotals, CarriedTotals, NamedLine } from './bulk.rules.ts'
import { nameLines, readCarried } from './bulk.rules.ts'

export type BulkResult = NamedLine & {
  readonly line: number
  readonly status: BulkStatus
  readonly request: PaymentRequest
  readonly productName: string | null
  readonly currency: string | null
  readonly decision: Decision | null
  readonly price: Amount | null
  readonly rejection: Rejection | null
  readonly payment: ListedPayment | null
  readonly repeats: BulkRepeat | null
}

/** Payment or line that a line repeats: probably a slip. */
export type BulkRepeat =
  | ({ readonly kind: 'payment' } & Pick<RepeatedPayment, 'id' | 'refid' | 'seconds'>)
  | { readonly kind: 'line'; readonly line: number }

export const BULK_BLOCKS = ['api_key_required', 'ip_not_allowed'] as const
/** Reason why the portal may not pay at all, as paying would be refused with. */
export type BulkBlock = (typeof BULK_BLOCKS)[number]

export type BulkPreview = {
  readonly blocked: BulkBlock | null
  readonly results: readonly BulkResult[]
  readonly balance: Amount
  /** Totals of the file's lines that were judged before these. */
  readonly carried: BulkTotals
}

export type BulkInput = {
  readonly batch?: string | undefined
  readonly lines: readonly BulkLine[]
  readonly carried?: CarriedTotals | undefined
}

/** Judges each line as paying it would, and pays nothing. */
export async function previewBulk(
  settings: Pick<PortalSettings, 'directory' | 'balances' | 'payments' | 'previews' | 'database' | 'now'>,
  caller: MemberCaller,
  { batch = '', lines, carried }: BulkInput,
  { address, deadlineMs }: { readonly address: string; readonly deadlineMs: number },
): Promise<BulkPreview> {
  const before = readCarried(carried)
  const reseller = resellerOf(settings, caller)
  const names = nameLines(reseller.account, batch, lines)
  const requests = lines.map((line, index) => requestOf(line, names[index]?.refid ?? ''))
  const [previews, existing, balance] = await Promise.all([
    settings.previews.preview(reseller, requests),
    settings.payments.listByRefids(
      reseller.id,
      names.map(({ refid }) => refid),
    ),
    settings.balances.get(reseller.id, deadlineMs),
  ])
  const byRefid = new Map(existing.map((payment) => [payment.refid, payment]))
  const results = lines.map(({ line }, index) => {
    const [name, request, preview] = [names[index], requests[index], previews[index]]
    assert(
      name !== undefined && request !== undefined && preview !== undefined,
      'every line has its name, its request and its preview',
    )
    return resultOf({ ...name, line }, request, preview, byRefid.get(name.refid) ?? null)
  })
  const marked = await markRepeats(settings, reseller, results)
  return { blocked: blockOf(reseller, address), results: marked, balance, carried: before }
}

/** Marks the lines that are ready and repeat a payment of a moment ago, or a line further up. */
async function markRepeats(
  { database, now }: Pick<PortalSettings, 'database' | 'now'>,
  reseller: DirectoryReseller,
  results: readonly BulkResult[],
): Promise<BulkResult[]> {
  const ready = results.flatMap((result) => {
    const { status, decision, request } = result
    if (status !== 'ready' || decision === null) return []
    const { productCode, amount, canonicalAccount } = decision
    return [{ result, productCode, amount, account: canonicalAccount ?? request.account }]
  })
  const payments = await findRepeated(database, reseller, ready, now().getTime())
  const first = new Map<string, number>()
  const repeats = new Map<BulkResult, BulkRepeat>()
  for (const [index, { result, productCode, amount, account }] of ready.entries()) {
    const key = JSON.stringify([productCode, String(amount), account])
    const [payment, line] = [payments[index], first.get(key)]
    if (line === undefined) first.set(key, result.line)
    if (payment !== undefined) repeats.set(result, { kind: 'payment', ...payment })
    else if (line !== undefined) repeats.set(result, { kind: 'line', line })
  }
  return results.map((result) => ({ ...result, repeats: repeats.get(result) ?? null }))
}

/** Says why the portal may not pay for a reseller from an address. */
export function blockOf(reseller: DirectoryReseller, address: string): BulkBlock | null {
  if (!reseller.allowsAddress(address)) return 'ip_not_allowed'
  return reseller.topupRequiresApiKey ? 'api_key_required' : null
}

function requestOf({ product, account, amount, extras, remarks }: BulkLine, refid: string): PaymentRequest {
  const read = readPaymentRequest({ refid, product, account, amount, remarks, extras })
  assert(read.kind === 'request', 'a derived refid can be read')
  return read.request
}

function resultOf(
  named: NamedLine & { readonly line: number },
  request: PaymentRequest,
  { judgement, product, price, isChecked }: Preview,
  payment: ListedPayment | null,
): BulkResult {
  const isAccepted = isChecked && judgement.kind === 'accepted'
  return {
    ...named,
    status: statusOf(payment !== null, isChecked, isAccepted),
    request,
    productName: product?.isPurchasable === true ? product.name : null,
    currency: product?.isPurchasable === true ? amountCurrency(product.product) : null,
    decision: isAccepted ? judgement.decision : null,
    price,
    rejection: isChecked && judgement.kind === 'rejected' ? judgement.rejection : null,
    payment,
    repeats: null,
  }
}

function statusOf(exists: boolean, isChecked: boolean, isAccepted: boolean): BulkStatus {
  if (exists) return 'exists'
  if (!isChecked) return 'unchecked'
  return isAccepted ? 'ready' : 'problem'
}
