import { NETWORK } from '../../lib/addresses.ts'
import type { Rule } from '../../lib/input/fields.ts'
import {
  NEW_KEY_RULES,
  NEW_OPERATOR_RULES,
  NEW_RESELLER_RULES,
  NEW_USER_RULES,
  ROTATION_RULES,
} from './rules.ts'

/** Rules of account fields, for the API documents of the modules that accept them. */
export const ACCOUNT_FIELDS = {
  account: NEW_RESELLER_RULES.account,
  resellerName: NEW_RESELLER_RULES.name,
  email: NEW_RESELLER_RULES.email,
  priceLevel: NEW_RESELLER_RULES.priceLevel,
  username: NEW_USER_RULES.username,
  operatorName: NEW_OPERATOR_RULES.name,
  keyLabel: NEW_KEY_RULES.label,
  scopes: NEW_KEY_RULES.scopes,
  graceSeconds: ROTATION_RULES.graceSeconds,
  network: NETWORK,
} as const satisfies Readonly<Record<string, Pick<Rule<unknown>, 'schema'>>>
