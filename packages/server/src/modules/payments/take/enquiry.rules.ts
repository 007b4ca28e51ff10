import type { Amount } from '../../../lib/money.ts'
import type { NumberPlans } from '../../../lib/numbers/plans.ts'
import { canonicalAccount } from '../../catalog/model/accounts.rules.ts'
import { KIND_TRAITS } from '../../catalog/model/kinds.rules.ts'
import type { EffectiveProduct } from '../../catalog/model/types.ts'
import { readPaymentRequest } from '../core/request.rules.ts'
import { findBiller, judgeRef2 } from './extras.rules.ts'
import { judgeAccount, judgeAmount, judgeBillerLimits } from './judge.rules.ts'

/** Question before a payment, with the fields that the payment would have; null: not sent. */
export type Enquiry = {
  readonly account: string
  readonly billerCode: string | null
  readonly ref2: string | null
  readonly amount: string | null
}

export type EnquiryField = 'account' | 'biller_code' | 'ref2' | 'amount'

export type EnquiryJudgement =
  | {
      readonly kind: 'accepted'
      /** Account as suppliers get it. */
      readonly account: string
      readonly billerCode: string | null
      readonly ref2: string | null
      readonly amount: Amount | null
    }
  /** First field for which the payment would be rejected, too. */
  | { readonly kind: 'refused'; readonly field: EnquiryField }

type EnquiryInput = {
  readonly enquiry: Enquiry
  readonly product: EffectiveProduct
  readonly isStaging: boolean
  readonly numbers?: NumberPlans | undefined
}

/** Amount to use where none was given: every form of an amount accepts it, and no rule judges it. */
const ANY_AMOUNT = '1'

/**
 * Judges an enquiry by the rules of the payment that may follow. Fields that the kind of product does not need are
 * ignored.
 */
export function judgeEnquiry(input: EnquiryInput): EnquiryJudgement {
  const { enquiry, product, isStaging, numbers } = input
  const { request, problems } = readEnquiry(enquiry, product)
  if (problems.has('account') || judgeAccount({ request, product, isStaging, numbers }) !== undefined) {
    return refused('account')
  }
  const isBillPayment = KIND_TRAITS[product.product.kind].extras === 'biller'
  const { billerCode, ref2 } = request.extras
  if (isBillPayment && findBiller(product, request.extras) === undefined) return refused('biller_code')
  if (isBillPayment && (problems.has('extras.ref2') || judgeRef2(product, request.extras) !== undefined)) {
    return refused('ref2')
  }
  const account = canonicalAccount(product.product, request.account, numbers)
  if (enquiry.amount === null) return { kind: 'accepted', account, billerCode, ref2, amount: null }
  const { amount } = request
  const isPayable =
    amount !== null &&
    judgeAmount(product, amount) === undefined &&
    judgeBillerLimits(request, product, amount) === undefined
  return isPayable ? { kind: 'accepted', account, billerCode, ref2, amount } : refused('amount')
}

function refused(field: EnquiryField): EnquiryJudgement {
  return { kind: 'refused', field }
}

/** Reads an enquiry with the reader of payments, so that both accept the same texts. */
function readEnquiry(enquiry: Enquiry, { product }: EffectiveProduct) {
  const { account, billerCode, ref2, amount } = enquiry
  const extras = KIND_TRAITS[product.kind].extras === 'biller' ? { biller_code: billerCode, ref2 } : {}
  const body = { refid: 'enquiry', product: product.code, account, amount: amount ?? ANY_AMOUNT, extras }
  const read = readPaymentRequest(body)
  if (read.kind !== 'request') throw new Error('an enquiry has a refid')
  return { request: read.request, problems: new Set(Object.keys(read.request.problems)) }
}
