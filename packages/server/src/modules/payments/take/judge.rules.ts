import { assert } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney, UNITS_PER_RINGGIT } from '../../../lib/money.ts'
import type { NumberPlans } from '../../../lib/numbers/plans.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import { canonicalAccount, findTypedAccountField, numberIn } from '../../catalog/model/accounts.rules.ts'
import { KIND_TRAITS } from '../../catalog/model/kinds.rules.ts'
import { matchesPattern } from '../../catalog/model/patterns.rules.ts'
import type { AmountRange } from '../../catalog/model/pricing.rules.ts'
import { cost, faceValue, findPricingField, payableRange } from '../../catalog/model/pricing.rules.ts'
import type { EffectiveProduct, Field, ProcessingTime, Product } from '../../catalog/model/types.ts'
import type { DynamicOption, DynamicOptionsRequest } from '../../providers/port/types.ts'
import { invalidDenomination, invalidFormat, REJECTIONS } from '../core/rejections.rules.ts'
import { EXTRA_NAMES } from '../core/request.rules.ts'
import type { TestRejectionCode } from '../core/test-accounts.rules.ts'
import { isTestAccount, REJECTING_TEST_ACCOUNTS, REPEATED_TEST_ACCOUNT } from '../core/test-accounts.rules.ts'
import type { Decision, Judgement, PaymentRequest, Rejection } from '../core/types.ts'
import { findBiller, judgeExtras } from './extras.rules.ts'
import { isSharedAmount, listPlans, resolvePlan } from './plans.rules.ts'

export type JudgeInput = {
  readonly request: PaymentRequest
  readonly reseller: Pick<DirectoryReseller, 'status' | 'access'>
  /** Product in the account's snapshot. */
  readonly product: EffectiveProduct | undefined
  /** Answer of the provider to `findOptionsRequest`; undefined where there was nothing to ask. */
  readonly dynamicOptions: readonly DynamicOption[] | undefined
  readonly isStaging: boolean
  /** True: the caller's key is for other products. */
  readonly isOutsideKey?: boolean | undefined
  /** True: an operator's notice says that the product is not sold. */
  readonly isStopped?: boolean
  /** Plans by which numbers are read; left out: those that the service knows by itself. */
  readonly numbers?: NumberPlans | undefined
}

/**
 * Judges whether a new payment can be taken, and on what terms. The order is part of the contract with clients, who act
 * on the first problem: format, reseller, products of the key, product, account, amount, plan and extras. Stock and balance are checked
 * where they are taken.
 */
export function judge(input: JudgeInput): Judgement {
  const { request, product } = input
  const rejection = judgeBeforeAmount(input)
  if (rejection !== undefined) return { kind: 'rejected', rejection }
  assert(product !== undefined && request.amount !== null, 'a payment without product or amount was judged')
  return judgeSale(input, product, request.amount)
}

/**
 * Judges whether a product can be sold for an amount, before its customer has typed account and extras. Options that
 * exist for one account only are unknown by then, and so are their prices.
 */
export function judgeOffer(input: JudgeInput): Judgement {
  const { request, product } = input
  const rejection = judgeReseller(input) ?? judgeProduct(input)
  if (rejection !== undefined) return { kind: 'rejected', rejection }
  assert(product !== undefined && request.amount !== null, 'an offer without product or amount was judged')
  const { amount } = request
  const plans = listPlans(product, undefined)
  const choice = plans && resolvePlan(plans, request.extras.subproductCode, amount)
  const price = priceOf(product, amount)
  const refused =
    judgeAmount(product, amount) ??
    judgeBillerLimits(request, product, amount) ??
    (choice?.kind === 'rejected' ? choice.rejection : judgePrice(price))
  if (refused !== undefined) return { kind: 'rejected', rejection: refused }
  const planCode = choice?.kind === 'chosen' ? choice.plan.code : null
  const isShared = isSharedAmount(product, amount, undefined)
  return { kind: 'accepted', decision: decisionOf(product, amount, price, planCode, isShared) }
}

/**
 * Builds the question to a provider that must be answered before a payment can be judged: options that exist for one
 * account only, of a pricing field or of the field that names a loan. undefined where the product has no such field,
 * and where the answer would not matter.
 */
export function findOptionsRequest(input: JudgeInput): DynamicOptionsRequest | undefined {
  const { product, request } = input
  const field = product && (findLoanField(product) ?? findPricingField(product.product))
  if (product === undefined || field?.dataSource?.type !== 'dynamic') return undefined
  if (judgeBeforeAmount(input) !== undefined) return undefined
  if (findLoanField(product) !== undefined && !isLoanJudged(input, product)) return undefined
  const accountNumber = accountNumberFor(product.product, field, request, input.numbers)
  return accountNumber === null
    ? undefined
    : { productCode: product.product.code, fieldId: field.id, accountNumber }
}

/** Finds the value of the form field that the options depend on, in the payment that the form became. */
function accountNumberFor(
  product: Product,
  field: Field,
  request: PaymentRequest,
  numbers: NumberPlans | undefined,
): string | null {
  const parameter = field.dataSource?.params.account_number
  if (parameter === undefined) return ''
  if ('static' in parameter) return parameter.static
  const { account, extras = {} } = product.fulfillment
  if (account?.fromField === parameter.fromField) {
    return canonicalAccount(product, request.account, numbers)
  }
  const sent = EXTRA_NAMES.find(([, wireName]) => extras[wireName]?.fromField === parameter.fromField)
  return sent === undefined ? null : request.extras[sent[0]]
}

function judgeBeforeAmount(input: JudgeInput): Rejection | undefined {
  return judgeFormat(input) ?? judgeReseller(input) ?? judgeProduct(input) ?? judgeAccount(input)
}

function judgeFormat({ request }: JudgeInput): Rejection | undefined {
  return Object.keys(request.problems).length > 0 ? invalidFormat(request.problems) : undefined
}

function judgeReseller(input: JudgeInput): Rejection | undefined {
  const { status, access } = input.reseller
  if (status !== 'active') return REJECTIONS.suspended
  if (access !== 0) return REJECTIONS.readOnly
  return findTestRejection(input, 'reseller') ?? judgeKey(input)
}

function judgeKey({ isOutsideKey = false }: JudgeInput): Rejection | undefined {
  return isOutsideKey ? REJECTIONS.keyProductNotAllowed : undefined
}

/**
 * Judges the product. A product that the account may not buy is reported as unknown: the account must not know of it.
 */
function judgeProduct(input: JudgeInput): Rejection | undefined {
  const { product, isStopped = false } = input
  if (product === undefined || !product.isPurchasable) return REJECTIONS.invalidProduct
  return product.isActive && !isStopped ? findTestRejection(input, 'product') : REJECTIONS.productUnavailable
}

// ── Account ──

/** Input of rules that judge the account only. */
export type AccountInput = Pick<JudgeInput, 'product' | 'isStaging' | 'numbers'> & {
  readonly request: Pick<PaymentRequest, 'account' | 'terms'>
}

export function judgeAccount(input: AccountInput): Rejection | undefined {
  const field = input.product && findTypedAccountField(input.product.product)
  const number = field && numberIn(field, input.request.account, input.numbers)
  const account = number ?? input.request.account
  if (input.isStaging && isTestAccount(account)) return findTestRejection(input, 'account')
  const isRead = field?.numberKind === undefined || number !== undefined
  if (field === undefined || (isRead && isAccepted(field, account))) return undefined
  const { message = REJECTIONS.invalidAccount.message } = field.validation
  return { ...REJECTIONS.invalidAccount, message, errors: { account: [message] } }
}

function isAccepted({ type, validation }: Field, account: string): boolean {
  const { pattern } = validation
  if (pattern !== undefined && !matchesPattern(pattern, account)) return false
  const { min, max } = validation
  if (type !== 'number' || (min === undefined && max === undefined)) return true
  const number = /\D/.test(account) || account === '' ? Number.NaN : Number(account)
  return number >= (min ?? 0) && number <= (max ?? Number.POSITIVE_INFINITY)
}

/** Finds the select of a student loan whose option gives both the loan's type and the account to pay. */
function findLoanField({ product }: EffectiveProduct): Field | undefined {
  if (KIND_TRAITS[product.kind].extras !== 'loan') return undefined
  const fromField = product.fulfillment.extras?.subproduct_code?.fromField
  return product.fields.find((field) => field.id === fromField && field.dataSource?.type === 'dynamic')
}

/**
 * Tells whether the account of a loan is compared. A loan type and an identity number are needed to find the option;
 * test accounts fit every loan.
 */
function isLoanJudged({ request, isStaging }: JudgeInput, product: EffectiveProduct): boolean {
  if (isStaging && isTestAccount(request.account)) return false
  return judgeExtras(product, request.extras) === undefined
}

/** Judges the account of a loan: it must be the account of the option that the payment names. */
function judgeLoanAccount(input: JudgeInput, product: EffectiveProduct): Rejection | undefined {
  const { request, dynamicOptions } = input
  if (findLoanField(product) === undefined || !isLoanJudged(input, product)) return undefined
  const isNamed = dynamicOptions?.some(
    ({ code, accountNumber }) => code === request.extras.subproductCode && accountNumber === request.account,
  )
  return isNamed === true ? undefined : REJECTIONS.invalidLoanAccount
}

// ── Amount, plan and extras ──

function judgeSale(input: JudgeInput, product: EffectiveProduct, amount: Amount): Judgement {
  const { request, dynamicOptions } = input
  const plans = listPlans(product, dynamicOptions)
  const choice = plans && resolvePlan(plans, request.extras.subproductCode, amount)
  const price = priceOf(product, amount)
  const rejection =
    judgeLoanAccount(input, product) ??
    judgeAmount(product, amount) ??
    judgeBillerLimits(request, product, amount) ??
    // The price of a plan says nothing about an amount that is not the plan's.
    (choice?.kind === 'rejected' ? choice.rejection : judgePrice(price)) ??
    judgeExtras(product, request.extras) ??
    findTestRejection(input, 'circumstances')
  if (rejection !== undefined) return { kind: 'rejected', rejection }
  const planCode = choice?.kind === 'chosen' ? choice.plan.code : loanTypeOf(product, request)
  const isShared = isSharedAmount(product, amount, dynamicOptions)
  const account = canonicalAccount(product.product, request.account, input.numbers)
  const canonical = account === request.account ? undefined : account
  const decision = decisionOf(product, amount, price, planCode, isShared, canonical)
  const last = findTestRejection(input, 'commit')
  return last === undefined
    ? { kind: 'accepted', decision }
    : { kind: 'rejected', rejection: last, behind: decision }
}

/** Judges the amount. Limits apply to chosen denominations as to typed amounts: a reseller who sets one means it. */
export function judgeAmount(product: EffectiveProduct, amount: Amount): Rejection | undefined {
  const { minAmount, maxAmount } = product
  const range = payableRange({ fields: product.product.fields, minAmount, maxAmount })
  const isQuantity = findPricingField(product.product)?.type === 'number'
  if (isQuantity && amount % UNITS_PER_RINGGIT !== 0n) {
    return invalidDenomination('The amount must be a whole number.')
  }
  return judgeRange(amount, range)
}

function judgeRange(amount: Amount, { min, max }: AmountRange): Rejection | undefined {
  if (min !== null && amount < min) {
    return invalidDenomination(`The amount must be at least ${formatMoney(min)}.`)
  }
  if (max !== null && amount > max) {
    return invalidDenomination(`The amount must be at most ${formatMoney(max)}.`)
  }
  return undefined
}

export function judgeBillerLimits(
  { extras }: Pick<PaymentRequest, 'extras'>,
  product: EffectiveProduct,
  amount: Amount,
): Rejection | undefined {
  const biller = findBiller(product, extras)?.option
  return biller && judgeRange(amount, { min: biller.minAmount, max: biller.maxAmount })
}

type Price = Pick<Decision, 'faceValue' | 'cost'>

function priceOf({ product, wholesale }: EffectiveProduct, amount: Amount): Price {
  assert(wholesale !== null, 'a product that can be bought has a price')
  const { denominationUnitPrice } = product
  return {
    faceValue: faceValue(amount, denominationUnitPrice),
    cost: cost(amount, { denominationUnitPrice, wholesale }),
  }
}

/** 10^11 ringgit: above it neither JSON numbers nor the ledger's integers are safe for a price. */
const PRICE_MAX: Amount = 10n ** 11n * UNITS_PER_RINGGIT

/**
 * Judges the price. The catalog refuses prices that could give something away; this is the last check before the
 * wallet.
 */
function judgePrice(price: Price): Rejection | undefined {
  if (price.faceValue <= 0n || price.cost <= 0n) {
    return invalidDenomination('The amount is too small to be priced.')
  }
  if (price.faceValue > PRICE_MAX || price.cost > PRICE_MAX) {
    return invalidDenomination('The amount is too large.')
  }
  return undefined
}

/** Returns the code of a student loan: it names the loan and sets no price. Other typed amounts have no code. */
function loanTypeOf({ product }: EffectiveProduct, { extras }: PaymentRequest): string | null {
  return KIND_TRAITS[product.kind].extras === 'loan' ? extras.subproductCode : null
}

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** Seconds that a payment may be under way before an operator should look at it: the promised time and a margin. */
const DUE_AFTER_SECONDS: Readonly<Record<ProcessingTime, number>> = {
  instant: HOUR_SECONDS / 4,
  pin: HOUR_SECONDS / 4,
  link: HOUR_SECONDS / 4,
  '24_hours': 2 * DAY_SECONDS,
  '3_days': 5 * DAY_SECONDS,
}

function decisionOf(
  { product, name }: EffectiveProduct,
  amount: Amount,
  price: Price,
  planCode: string | null,
  isSharedByPlans: boolean,
  canonical?: string,
): Decision {
  return {
    productCode: product.code,
    productName: name,
    dueAfterSeconds: DUE_AFTER_SECONDS[product.processingTime],
    amount,
    faceValue: price.faceValue,
    cost: price.cost,
    planCode,
    // The reseller's own category would let it out of the operator's limits.
    category: product.categoryCode,
    canonicalAccount: canonical,
    withoutStock: isSharedByPlans ? true : undefined,
  }
}

// ── Staging's test accounts ──

/**
 * Step in the order of judgement. `circumstances`: the reason lies outside the request, so the request has to be right
 * first. `commit`: it would be found where the payment is taken, so its quote and its highest cost have to be right, too.
 */
type JudgementStep = 'reseller' | 'product' | 'account' | 'circumstances' | 'commit'

type TestRejection = { readonly at: JudgementStep; readonly rejection: Rejection }

const TEST_REJECTIONS: Readonly<Record<TestRejectionCode, TestRejection>> = {
  41: { at: 'reseller', rejection: REJECTIONS.suspended },
  43: { at: 'commit', rejection: REJECTIONS.insufficientBalance },
  44: { at: 'product', rejection: REJECTIONS.productUnavailable },
  45: { at: 'commit', rejection: REJECTIONS.outOfStock },
  49: { at: 'circumstances', rejection: REJECTIONS.temporaryError },
  52: { at: 'account', rejection: REJECTIONS.invalidAccount },
  54: { at: 'commit', rejection: REJECTIONS.limitReached },
  56: { at: 'circumstances', rejection: REJECTIONS.blacklisted },
  62: { at: 'circumstances', rejection: REJECTIONS.identityCheckFailed },
}

/** Returns the rejection that a test account asks for, if this is its step in the order. */
function findTestRejection(
  { isStaging, request, product, numbers }: AccountInput,
  step: JudgementStep,
): Rejection | undefined {
  if (!isStaging) return undefined
  const account = canonicalAccount(product?.product, request.account, numbers)
  if (account === REPEATED_TEST_ACCOUNT) {
    return step === 'commit' && request.terms?.allowsDuplicate !== true
      ? REJECTIONS.possibleDuplicate
      : undefined
  }
  const code = REJECTING_TEST_ACCOUNTS.get(account)
  if (code === undefined) return undefined
  const { at, rejection } = TEST_REJECTIONS[code]
  return at === step ? rejection : undefined
}
