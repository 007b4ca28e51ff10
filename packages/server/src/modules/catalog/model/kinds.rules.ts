import type { ProductKind } from './types.ts'

/** Everything that depends on a product's kind. A new kind answers each question here; the compiler asks for it. */
export type KindTraits = {
  /** The extras of a payment. `biller`: a biller and an identity number. `loan`: a loan's type and an identity number. */
  readonly extras: 'none' | 'biller' | 'loan'
  /** Products of this kind have bills, which a provider is asked for. */
  readonly hasBills: boolean
  /** Its options are data plans: they alone show a validity and features. */
  readonly hasDataPlans: boolean
  /** An option's label is shown without the validity, which has a field of its own. */
  readonly hidesValidity: boolean
  /** Its payments name their plan or loan in every release. */
  readonly namesPlan: boolean
  /** The older list of sub-products needs the customer's account. */
  readonly listsByAccount: boolean
}

const PLAIN: KindTraits = {
  extras: 'none',
  hasBills: false,
  hasDataPlans: false,
  hidesValidity: false,
  namesPlan: false,
  listsByAccount: false,
}

export const KIND_TRAITS: Readonly<Record<ProductKind, KindTraits>> = {
  reload: PLAIN,
  mobile_data: { ...PLAIN, hasDataPlans: true, hidesValidity: true, namesPlan: true, listsByAccount: true },
  bill_payment: { ...PLAIN, extras: 'biller', hasBills: true },
  student_loan: { ...PLAIN, extras: 'loan', hasBills: true, namesPlan: true, listsByAccount: true },
  electricity: { ...PLAIN, hasBills: true },
  pin: PLAIN,
  gift_card: PLAIN,
  voucher: PLAIN,
  game: PLAIN,
  esim: { ...PLAIN, hasDataPlans: true },
  fund_disbursement: PLAIN,
  other: { ...PLAIN, hasBills: true },
}
