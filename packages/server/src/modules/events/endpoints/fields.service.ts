import { SAMPLE_TYPES } from '../messages/samples.rules.ts'
import { CALLBACK_URL_SCHEMA, GRACE, METHOD, TYPES } from './endpoints.rules.ts'

/** How fields of endpoints are read, for the API document of the portal. */
export const ENDPOINT_FIELDS = {
  url: { schema: CALLBACK_URL_SCHEMA },
  method: METHOD,
  types: TYPES,
  graceSeconds: GRACE,
  testType: { schema: { type: 'string', enum: [...new Set(Object.values(SAMPLE_TYPES).flat())] } },
} as const
