import type { Vocabulary } from './types.ts'

// Placeholders of each kind of request.

const NOW: Vocabulary = { timestamp: 'time', nonce: 'text' }

export const ORDER_WORDS: Vocabulary = {
  reference: 'text',
  product_code: 'text',
  supplier_code: 'text',
  'product.': 'text',
  account: 'text',
  amount: 'money',
  face_value: 'money',
  subproduct_code: 'text',
  biller_code: 'text',
  ref2: 'text',
  ic_number: 'text',
  submitted_at: 'time',
  ...NOW,
}
/** Words of the values that a product usually has: none of them is a product's own. */
export const USUAL_WORDS: Vocabulary = Object.fromEntries(
  Object.entries(ORDER_WORDS).filter(([name]) => !['supplier_code', 'product.', 'reference'].includes(name)),
)
/** Questions about an order that the supplier has answered before know its own id of it, too. */
export const ASK_WORDS: Vocabulary = { ...ORDER_WORDS, supplier_id: 'text' }
/** Parts of a reference: `reference_alnum` is ours with letters and digits only. */
export const REFERENCE_WORDS: Vocabulary = {
  reference: 'text',
  reference_alnum: 'text',
  submitted_at: 'time',
}
export const BILL_WORDS: Vocabulary = {
  product_code: 'text',
  supplier_code: 'text',
  'product.': 'text',
  account: 'text',
  amount: 'money',
  biller_code: 'text',
  ref2: 'text',
  ...NOW,
}
export const OPTIONS_WORDS: Vocabulary = {
  product_code: 'text',
  supplier_code: 'text',
  'product.': 'text',
  field_id: 'text',
  account: 'text',
  ...NOW,
}
/** `number` has the digits of an international number, without a plus; `country` is that of ISO 3166. */
export const LOOKUP_WORDS: Vocabulary = { number: 'text', country: 'text', ...NOW }
/** `page` is the place of a page in the list, by the supplier's way of counting. */
export const CATALOGUE_WORDS: Vocabulary = { page: 'text', page_size: 'text', ...NOW }
export const NO_WORDS: Vocabulary = NOW
