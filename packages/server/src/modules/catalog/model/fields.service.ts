import { PRICE_LEVEL, PRODUCT_CODE } from '../../../lib/input/codes.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { MONEY } from '../../../lib/money.ts'
import { FACTOR } from '../../../lib/rates.ts'
import { CURRENCY, FIELD_ID, IMAGE_URL, NAME, OPTION_CODE, ORDER } from './problems.rules.ts'

/** Rules of catalogue fields, for the API documents of the modules that take them. */
export const CATALOG_FIELDS = {
  code: PRODUCT_CODE,
  optionCode: OPTION_CODE,
  fieldId: FIELD_ID,
  levelCode: PRICE_LEVEL,
  currency: CURRENCY,
  name: NAME,
  imageUrl: IMAGE_URL,
  displayOrder: ORDER,
  amount: MONEY,
  rate: FACTOR,
} as const satisfies Readonly<Record<string, Rule<unknown>>>
