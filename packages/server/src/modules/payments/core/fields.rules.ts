import type { Rule } from '../../../lib/input/fields.ts'
import { hasLength, isPlainAscii, isPrintable, oneOf, text, textRule } from '../../../lib/input/fields.ts'

// Fields of a payment, as its request, cases, bills and files of resellers name them.

const REFID_LENGTH_MAX = 50
const PRODUCT_LENGTH_MAX = 50
const ACCOUNT_LENGTH_MAX = 100
const EXTRA_LENGTH_MAX = 100

const LONE_SURROGATE = /\p{Cs}/u

/**
 * Reference of a reseller: any text that PostgreSQL can hold, which excludes NUL and halves of surrogate pairs. It is
 * never trimmed.
 */
export const REFID: Rule<string> = textRule({
  message: `must be a string of 1 to ${REFID_LENGTH_MAX} characters, without NUL and halves of surrogate pairs`,
  schema: { minLength: 1, maxLength: REFID_LENGTH_MAX },
  parse(given) {
    if (!hasLength(given, 1, REFID_LENGTH_MAX)) return undefined
    return isPlainAscii(given) || (!given.includes('\0') && !LONE_SURROGATE.test(given)) ? given : undefined
  },
})

/** Rule for one line that is compared exactly, so it is not trimmed. */
function exactLine(message: string, max: number): Rule<string> {
  return textRule({
    message: `${message}, without control characters`,
    schema: { minLength: 1, maxLength: max },
    parse: (given) =>
      hasLength(given, 1, max) && (isPlainAscii(given) || isPrintable(given)) ? given : undefined,
  })
}

export const PRODUCT = exactLine(
  `must be a string of 1 to ${PRODUCT_LENGTH_MAX} characters`,
  PRODUCT_LENGTH_MAX,
)

/** Phone number, bill number or other identifier of the customer. */
export const CUSTOMER_ACCOUNT = exactLine(
  `must be a string of 1 to ${ACCOUNT_LENGTH_MAX} characters`,
  ACCOUNT_LENGTH_MAX,
)

/** Extra of a payment, such as the code of a biller. An empty one counts as left out. */
export const EXTRA = exactLine(`must be a string of at most ${EXTRA_LENGTH_MAX} characters`, EXTRA_LENGTH_MAX)

/** Fields of an operator's decision about a payment that could not end by itself. */
export const DECISION_FIELDS = {
  as: oneOf(['succeeded', 'failed']),
  serialNumber: text(0, 200),
  pin: text(0, 200),
} as const
