import { KIND_TRAITS } from '../../catalog/model/kinds.rules.ts'
import { findPricingField } from '../../catalog/model/pricing.rules.ts'
import type { EffectiveProduct } from '../../catalog/model/types.ts'
import type { PaymentExtras } from '../../payments/core/types.ts'
import { findBiller } from '../../payments/take/extras.rules.ts'
import type { BasketItem, OpenField } from './types.ts'

/** Names of the values that a customer may type, with the value that a line has. */
const VALUE_OF: Readonly<Record<OpenField, (line: Pick<BasketItem, 'account' | 'extras'>) => string | null>> =
  {
    account: ({ account }) => account,
    subproduct_code: ({ extras }) => extras.subproductCode,
    biller_code: ({ extras }) => extras.billerCode,
    ref2: ({ extras }) => extras.ref2,
    ic_number: ({ extras }) => extras.icNumber,
  }

/** Values that a payment of each kind has beside the amount. */
const TYPED_FIELDS: Readonly<Record<'none' | 'biller' | 'loan', readonly OpenField[]>> = {
  none: ['account'],
  biller: ['account', 'biller_code', 'ref2', 'ic_number'],
  loan: ['account', 'subproduct_code', 'ic_number'],
}

/**
 * Lists the values of a fixed line that its customer types: those that the reseller left out. Where the price depends on
 * the account, the reseller must name the account.
 */
export function openFieldsOf(product: EffectiveProduct, item: BasketItem): readonly OpenField[] {
  const { extras } = KIND_TRAITS[product.product.kind]
  const isPricedByAccount = findPricingField(product.product)?.dataSource?.type === 'dynamic'
  return TYPED_FIELDS[extras].filter(
    (field) => VALUE_OF[field](item) === null && !(field === 'account' && isPricedByAccount),
  )
}

/**
 * Lists the open values that the line still needs before it can be bought. A second reference is needed by some billers
 * only. `product` is undefined when the account no longer has it.
 */
export function missingFields(
  product: EffectiveProduct | undefined,
  line: Pick<BasketItem, 'account' | 'extras'> & { readonly openFields: readonly OpenField[] },
): readonly OpenField[] {
  return line.openFields.filter(
    (field) => VALUE_OF[field](line) === null && (field !== 'ref2' || needsRef2(product, line.extras)),
  )
}

function needsRef2(product: EffectiveProduct | undefined, extras: PaymentExtras): boolean {
  return product !== undefined && findBiller(product, extras)?.option.requiresRef2 === true
}

/** Fills the open values of a fixed line with those that the customer typed. All else stays as the reseller set it. */
export function fillOpenFields<Line extends BasketItem & { readonly openFields: readonly OpenField[] }>(
  line: Line,
  typed: Pick<BasketItem, 'account' | 'extras'>,
): Line {
  const filled = (field: OpenField) => VALUE_OF[field](line.openFields.includes(field) ? typed : line)
  return {
    ...line,
    account: filled('account'),
    extras: {
      subproductCode: filled('subproduct_code'),
      billerCode: filled('biller_code'),
      ref2: filled('ref2'),
      icNumber: filled('ic_number'),
    },
  }
}
