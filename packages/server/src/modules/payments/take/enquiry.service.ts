import { CATALOG_RULES } from '../../catalog/product/pricing.service.ts'
import type { EffectiveProduct } from '../../catalog/product/types.ts'
import type { Enquiry, EnquiryJudgement } from './enquiry.rules.ts'
import { judgeEnquiry as judge } from './enquiry.rules.ts'

/** Judges whether a payment with these fields would be accepted, as far as that is known without paying. */
export function judgeEnquiry(
  enquiry: Enquiry,
  product: EffectiveProduct,
  isStaging: boolean,
): EnquiryJudgement {
  return judge({ enquiry, product, isStaging }, CATALOG_RULES)
}
