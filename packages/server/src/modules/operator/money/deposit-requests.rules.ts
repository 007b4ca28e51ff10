import { oneOf, text } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { DEPOSIT_STATES } from '../../deposits/types.ts'
import { PAGE_RULES, plainText } from '../console/pages.rules.ts'

export const DEPOSIT_LIST_RULES = {
  ...PAGE_RULES,
  state: optional(oneOf(DEPOSIT_STATES), null),
  account: optional(plainText(40), null),
}

export const ACCEPT_RULES = {
  reference: optional(text(1, 100), null),
  remarks: optional(text(1, 200), null),
}
