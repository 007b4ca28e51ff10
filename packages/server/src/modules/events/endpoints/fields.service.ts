import { oneOf } from '../../../lib/input/fields.ts'
import { SAMPLE_TYPES } from '../messages/samples.rules.ts'
import { GRACE, METHOD, TYPES, urlRuleOf } from './endpoints.rules.ts'

/** How fields of endpoints are read, for the API document of the portal. */
export const ENDPOINT_FIELDS = {
  url: urlRuleOf('callback'),
  method: METHOD,
  types: TYPES,
  graceSeconds: GRACE,
  testType: oneOf([...new Set(Object.values(SAMPLE_TYPES).flat())]),
} as const
