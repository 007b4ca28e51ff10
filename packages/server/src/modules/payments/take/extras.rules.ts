import { KIND_TRAITS } from '../../catalog/model/kinds.rules.ts'
import type { EffectiveOption, EffectiveProduct } from '../../catalog/model/types.ts'
import { REJECTIONS } from '../core/rejections.rules.ts'
import type { PaymentExtras, Rejection } from '../core/types.ts'

/** Kinds of student loan, as the contract lists them. */
const LOAN_TYPES: ReadonlySet<string> = new Set(['K', 'U', 'S', 'SP'])

const IC_NUMBER = /^[A-Za-z0-9]{5,20}$/

/**
 * Judges the fields that a kind of product needs beside account and amount. Fields that it does not need are ignored.
 */
export function judgeExtras(product: EffectiveProduct, extras: PaymentExtras): Rejection | undefined {
  switch (KIND_TRAITS[product.product.kind].extras) {
    case 'biller':
      return judgeBiller(product, extras) ?? judgeIcNumber(extras) ?? judgeRef2(product, extras)
    case 'loan':
      return judgeLoanType(extras) ?? judgeIcNumber(extras)
    case 'none':
      return undefined
  }
}

/** Finds the biller that a bill payment names, if it can be paid. */
export function findBiller(
  { product, findOption }: EffectiveProduct,
  { billerCode }: PaymentExtras,
): EffectiveOption | undefined {
  const fieldId = product.fulfillment.extras?.biller_code?.fromField
  if (KIND_TRAITS[product.kind].extras !== 'biller' || fieldId === undefined || billerCode === null)
    return undefined
  const biller = findOption(fieldId, billerCode)
  return biller?.isActive === true ? biller : undefined
}

function judgeBiller(product: EffectiveProduct, extras: PaymentExtras): Rejection | undefined {
  if (extras.billerCode === null) return REJECTIONS.billerCodeRequired
  return findBiller(product, extras) === undefined ? REJECTIONS.invalidBillerCode : undefined
}

export function judgeRef2(product: EffectiveProduct, extras: PaymentExtras): Rejection | undefined {
  const isNeeded = findBiller(product, extras)?.option.requiresRef2 === true
  return isNeeded && extras.ref2 === null ? REJECTIONS.ref2Required : undefined
}

function judgeLoanType({ subproductCode }: PaymentExtras): Rejection | undefined {
  if (subproductCode === null) return REJECTIONS.planCodeNeeded
  return LOAN_TYPES.has(subproductCode) ? undefined : REJECTIONS.planCodeUnknown
}

function judgeIcNumber({ icNumber }: PaymentExtras): Rejection | undefined {
  if (icNumber === null) return REJECTIONS.icNumberRequired
  return IC_NUMBER.test(icNumber) ? undefined : REJECTIONS.invalidIcNumber
}
