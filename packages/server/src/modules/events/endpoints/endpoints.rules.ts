import { invalidFields, RequestError } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { oneOf, wholeNumber } from '../../../lib/input/fields.ts'
import { required } from '../../../lib/input/parameters.ts'
import { STREAM_TRAITS } from '../streams.rules.ts'
import type { BalanceEventType, Stream } from '../types.ts'
import { BALANCE_EVENT_TYPES } from '../types.ts'
import type { EndpointMethod } from './endpoints.types.ts'
import { ENDPOINT_METHODS } from './endpoints.types.ts'
import { URL_TEXT } from './urls.rules.ts'

export const GRACE_SECONDS_MAX = 7 * 24 * 3_600

export const METHOD: Rule<EndpointMethod> = required('method', oneOf(ENDPOINT_METHODS))

/** Returns the rule for the URLs of a stream, for the API documents; `urlProblemOf` judges the URL. */
export function urlRuleOf(stream: Stream): Rule<string> {
  return { ...URL_TEXT, schema: { ...URL_TEXT.schema, maxLength: STREAM_TRAITS[stream].urlLengthMax } }
}

export const TYPES_LISTED_MAX = 50

/** Accepts at least one type; returns each once, in the order of the documentation. */
export const TYPES: Rule<readonly BalanceEventType[]> = {
  message: `The types field must be a list of one or more of ${BALANCE_EVENT_TYPES.join(', ')}.`,
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: TYPES_LISTED_MAX,
    items: { type: 'string', enum: BALANCE_EVENT_TYPES },
  },
  read(value) {
    if (!Array.isArray(value) || value.length === 0 || value.length > TYPES_LISTED_MAX) return undefined
    const known: readonly unknown[] = BALANCE_EVENT_TYPES
    if (!value.every((each) => known.includes(each))) return undefined
    return BALANCE_EVENT_TYPES.filter((type) => value.includes(type))
  },
}

export const GRACE = wholeNumber(1, GRACE_SECONDS_MAX)

/** Reads the grace period; null: the old secret ends at once, which the contract demands for the balance webhook. */
export function readGrace(stream: Stream, value: unknown): number | null {
  if (value === undefined) return null
  if (!STREAM_TRAITS[stream].hasGrace) {
    throw invalidFields({
      grace_seconds: [`The old secret of the ${STREAM_TRAITS[stream].name} always ends at once.`],
    })
  }
  const graceSeconds = GRACE.read(value)
  if (graceSeconds === undefined)
    throw invalidFields({ grace_seconds: [`The grace_seconds field ${GRACE.message}.`] })
  return graceSeconds
}

export function notConfigured(stream: Stream): RequestError {
  return new RequestError({
    status: 404,
    code: 'not_configured',
    publicText: `No ${STREAM_TRAITS[stream].name} is configured.`,
  })
}
