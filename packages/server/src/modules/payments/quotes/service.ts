import type { DatabaseClock } from '../../../db/clock.ts'
import type { Database } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { LivePlans } from '../../../lib/numbers/plans.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import type { Caller } from '../../auth/types.ts'
import { canonicalAccount } from '../../catalog/model/accounts.rules.ts'
import type { Catalog } from '../../catalog/model/store.types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { isInStock } from '../../providers/stock/shelf.service.ts'
import type { Balances } from '../../wallet/balance/balances.service.ts'
import { listThresholds } from '../../wallet/balance/thresholds.service.ts'
import { REJECTIONS } from '../core/rejections.rules.ts'
import { REPEATED_TEST_ACCOUNT } from '../core/test-accounts.rules.ts'
import type { Decision, Judgement, PaymentRequest, Rejection } from '../core/types.ts'
import { judgeBefore, judgeLimits } from '../limits/service.ts'
import type { QuoteBook } from './book.service.ts'
import { findRepeated } from './repeats.service.ts'
import { underTerms } from './terms.rules.ts'
import type { Quote, QuoteWarning } from './types.ts'
import { quoteStateOf } from './types.ts'

/** Quote as it is shown: with the wallet of now, and what is worth knowing before it is paid. */
export type ShownQuote = {
  readonly quote: Quote
  readonly balance: Amount
  /** Price for the reseller's own customer; null: not known, or the amount has none. */
  readonly price: Amount | null
  readonly warnings: readonly QuoteWarning[]
}

export type QuoteResult =
  | { readonly kind: 'quoted'; readonly shown: ShownQuote }
  | { readonly kind: 'rejected'; readonly rejection: Rejection; readonly balance: Amount }

export type Quotes = {
  /** Judges a payment as `pay` does, and holds its cost. Nothing is reserved. */
  quote(caller: Caller, request: PaymentRequest, deadlineMs: number): Promise<QuoteResult>
  /** Throws 404 for what is no quote of this reseller. */
  get(reseller: DirectoryReseller, id: string, deadlineMs: number): Promise<ShownQuote>
}

/** Judges requests as `pay` does, and pays nothing. */
type Judging = {
  preview(
    reseller: DirectoryReseller,
    requests: readonly PaymentRequest[],
    keyProducts?: ReadonlySet<string>,
  ): Promise<{ readonly judgement: Judgement; readonly price: Amount | null; readonly isChecked: boolean }[]>
}

export type QuotesSettings = {
  readonly isStaging: boolean
  readonly database: Database
  readonly clock: Pick<DatabaseClock, 'nowMs'>
  readonly catalog: Pick<Catalog, 'snapshotFor'>
  readonly book: QuoteBook
  readonly previews: Judging
  readonly providers: Pick<Providers, 'choose'>
  readonly balances: Pick<Balances, 'get'>
  /** Finds a product of the base catalogue that is interrupted now. */
  readonly isInterrupted: (productCode: string) => boolean
  /** Compares the operator of the number with the product's; undefined: they are not known to differ. */
  readonly differenceOf?: (
    reseller: Pick<DirectoryReseller, 'id' | 'priceLevel'>,
    productCode: string,
    account: string,
  ) => Promise<OperatorDifference | undefined>
  readonly numbers?: LivePlans | undefined
}

/** Operator of a number, and that of a product. */
export type OperatorDifference = {
  readonly number: { readonly name: string }
  readonly product: { readonly name: string }
  /** False: the number's is a guess by its prefix. */
  readonly isCertain: boolean
}

export function createQuotes(settings: QuotesSettings): Quotes {
  const { book, previews, balances } = settings
  return {
    async quote(caller, request, deadlineMs) {
      const { reseller, products } = caller
      const [preview] = await previews.preview(reseller, [request], products)
      const balance = await balances.get(reseller.id, deadlineMs)
      const judged = preview?.isChecked === true ? preview.judgement : NOT_NOW
      const terms = underTerms(judged, { request, quote: undefined })
      const judgement = await judgeBefore(settings.database, caller, request.account, terms)
      const rejection =
        judgement.kind === 'rejected'
          ? judgement.rejection
          : await judgeNow(settings, caller, request.account, judgement.decision, balance)
      if (judgement.kind === 'rejected' || rejection !== undefined) {
        return { kind: 'rejected', rejection: rejection ?? REJECTIONS.temporaryError, balance }
      }
      const quote = await book.keep(reseller.id, request, judgement.decision)
      const shown = await show(settings, reseller, quote, balance)
      return { kind: 'quoted', shown: { ...shown, price: preview?.price ?? null } }
    },
    async get(reseller, id, deadlineMs) {
      const quote = await book.find(reseller.id, id)
      if (quote === undefined) {
        throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such quote.' })
      }
      const shown = await show(settings, reseller, quote, await balances.get(reseller.id, deadlineMs))
      return { ...shown, price: null }
    },
  }
}

const NOT_NOW: Judgement = { kind: 'rejected', rejection: REJECTIONS.temporaryError }

/** Judges what the commit of a payment would judge. */
async function judgeNow(
  settings: QuotesSettings,
  caller: Caller,
  account: string,
  decision: Decision,
  balance: Amount,
): Promise<Rejection | undefined> {
  return (
    (await judgeLimits(settings.database, caller, decision.canonicalAccount ?? account, decision)) ??
    (await judgeStock(settings, decision)) ??
    judgeBalance(decision, balance)
  )
}

/** Looks for an item of the stock, or for a supplier that needs none, as the payment would. */
async function judgeStock(
  { database, providers }: QuotesSettings,
  decision: Decision,
): Promise<Rejection | undefined> {
  const tried = new Set<string>()
  for (;;) {
    const route = providers.choose({ ...decision, tried })
    if (route.kind !== 'chosen') return REJECTIONS.outOfStock
    const { code, reservesStock } = route.provider
    if (!reservesStock || (await isInStock(database, decision.productCode, decision.amount))) return undefined
    tried.add(code)
  }
}

function judgeBalance({ cost }: Decision, balance: Amount): Rejection | undefined {
  return cost > balance ? REJECTIONS.insufficientBalance : undefined
}

async function show(
  settings: QuotesSettings,
  reseller: DirectoryReseller,
  quote: Quote,
  balance: Amount,
): Promise<Omit<ShownQuote, 'price'>> {
  const warnings = quoteStateOf(quote) === 'open' ? await warn(settings, reseller, quote, balance) : []
  return { quote, balance, warnings }
}

async function warn(
  { isStaging, database, clock, catalog, isInterrupted, numbers, differenceOf }: QuotesSettings,
  reseller: DirectoryReseller,
  quote: Quote,
  balance: Amount,
): Promise<QuoteWarning[]> {
  const product = catalog.snapshotFor(reseller).products.get(quote.productCode)
  const account = canonicalAccount(product?.product, quote.account, numbers?.current)
  const [[same], [threshold], difference] = await Promise.all([
    findRepeated(database, reseller, [{ ...quote, account }], clock.nowMs()),
    listThresholds(database, quote.resellerId),
    differenceOf?.(reseller, quote.productCode, quote.account),
  ])
  const warnings: QuoteWarning[] = []
  if (same !== undefined) {
    const text = `The same payment was taken ${same.seconds} seconds ago: refid ${same.refid}, transaction ${same.id}.`
    const { id, refid, seconds } = same
    warnings.push({ code: 'possible_duplicate', message: text, payment: { id, refid, seconds } })
  } else if (isStaging && account === REPEATED_TEST_ACCOUNT) {
    warnings.push({ code: 'possible_duplicate', message: REJECTIONS.possibleDuplicate.message })
  }
  if (difference !== undefined) {
    const { number, product, isCertain } = difference
    const text = isCertain
      ? `The number is ${number.name}'s, and the product is ${product.name}'s.`
      : `By its prefix the number is ${number.name}'s, and the product is ${product.name}'s. Numbers are ported: ask the customer.`
    warnings.push({ code: 'operator_differs', message: text })
  }
  if (isInterrupted(quote.productCode)) {
    const text = 'The product is interrupted now: the payment may take long or fail.'
    warnings.push({ code: 'network_interruption', message: text })
  }
  const after = balance - quote.cost
  if (threshold !== undefined && after < threshold.amount) {
    const text = `The wallet would hold ${formatMoney(after)}, less than your threshold of ${formatMoney(threshold.amount)}.`
    warnings.push({ code: 'balance_low_after', message: text })
  }
  return warnings
}
