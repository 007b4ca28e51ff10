import { NETWORK } from '../../lib/addresses.ts'
import { ACCOUNT_NUMBER } from '../../lib/input/codes.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { RESELLER_RULES } from './resellers.codec.ts'
import { NEW_KEY_RULES, NEW_OPERATOR_RULES, NEW_USER_RULES, ROTATION_RULES } from './rules.ts'

/** Rules of account fields, for the API documents of the modules that accept them. */
export const ACCOUNT_FIELDS = {
  account: ACCOUNT_NUMBER,
  resellerName: RESELLER_RULES.name,
  email: RESELLER_RULES.email,
  priceLevel: RESELLER_RULES.priceLevel,
  username: NEW_USER_RULES.username,
  operatorName: NEW_OPERATOR_RULES.name,
  keyLabel: NEW_KEY_RULES.label,
  scopes: NEW_KEY_RULES.scopes,
  graceSeconds: ROTATION_RULES.graceSeconds,
  network: NETWORK,
} as const satisfies Readonly<Record<string, Pick<Rule<unknown>, 'schema'>>>
