import { CATALOG_RULES } from '../../catalog/product/pricing.service.ts'
import type { EffectiveProduct } from '../../catalog/product/types.ts'
import type { Enquiry, EnquiryJudgement } from './enquiry.rules.ts'
import { judgeEnquiry as judge } from './enquiry.rules.ts'

/** Whether what is asked about could be paid for, as far as that can be known without paying. */
export function judgeEnquiry(
  enquiry: Enquiry,
  product: EffectiveProduct,
  isStaging: boolean,
): EnquiryJudgement {
  return judge({ enquiry, product, isStaging }, CATALOG_RULES)
}
