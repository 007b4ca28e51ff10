import { invalidFields } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import {
  BOOLEAN,
  hasLength,
  isPrintable,
  oneOf,
  pattern,
  readFields,
  textRule,
  wholeNumber,
} from '../../../lib/input/fields.ts'
import { parseWebUrl } from '../../../lib/input/urls.ts'
import type { Amount } from '../../../lib/money.ts'
import { MONEY } from '../../../lib/money.ts'
import type { WireItem } from './items.rules.ts'
import { readItems } from './items.rules.ts'
import type { BasketItem, Language } from './types.ts'
import { LANGUAGES } from './types.ts'

export const ORDER_CODE = pattern('must be the id of an order', /^ord_[0-9a-hjkmnp-tv-z]{24}$/)
/** Name by which an operator finds an order. */
export const ORDER_NAME = pattern(
  'must be the id of an order, or the refid of one of its payments',
  /^ord_[0-9a-hjkmnp-tv-z]{24}(?:-\d{1,2}-\d{1,2})?$/,
)
export const CLIENT_TOKEN = pattern('must be the token of an order', /^ct_[A-Za-z0-9_-]{43}$/)

export const REFERENCE = pattern('must be 1 to 64 letters, digits, _ - or .', /^[A-Za-z0-9._-]{1,64}$/)

/** Rule for one line that is compared exactly, so it is not trimmed. */
function exactText(max: number): Rule<string> {
  return textRule({
    message: `must be 1 to ${max} printable characters`,
    schema: { minLength: 1, maxLength: max },
    parse: (given) => (hasLength(given, 1, max) && isPrintable(given) ? given : undefined),
  })
}

/** The reseller's own name of its customer. */
export const USER_ID = exactText(100)
export const PAYMENT_REFERENCE = exactText(100)

const REASON_MAX = 200
export const CANCEL_REASON = textRule({
  message: `must be at most ${REASON_MAX} printable characters`,
  schema: { maxLength: REASON_MAX },
  parse: (given) => (hasLength(given, 0, REASON_MAX) && isPrintable(given) ? given : undefined),
})

const RETURN_URL_MAX = 500

/** Address to which the customer returns: https, and in staging http as well. */
export function returnUrl(environment: 'staging' | 'production'): Rule<string> {
  const isStaging = environment === 'staging'
  return textRule({
    message:
      `must be an https address${isStaging ? ' (in staging also http)' : ''} of at most ${RETURN_URL_MAX} characters, ` +
      'without credentials and fragment',
    schema: { format: 'uri', maxLength: RETURN_URL_MAX },
    parse(given) {
      const url = given.length <= RETURN_URL_MAX ? parseWebUrl(given) : undefined
      if (url === undefined || (url.protocol !== 'https:' && !isStaging)) return undefined
      const isPlain = url.username === '' && url.password === '' && !given.includes('#')
      return isPlain && isPrintable(given) ? given : undefined
    },
  })
}

export const EXPIRES_IN_SECONDS = wholeNumber(300, 86_400)
const EXPIRES_DEFAULT_SECONDS = 1_800
export const LANGUAGE: Rule<Language> = oneOf(LANGUAGES)
export const PRODUCTS_MAX = 200

/** Request for a new order, as its content is compared with a repeated one. */
export type NewOrder = {
  readonly reference: string
  readonly userId: string
  readonly returnUrl: string
  readonly products: readonly string[] | null
  readonly items: readonly BasketItem[] | null
  readonly expiresInSeconds: number
  readonly language: Language
  readonly showsResults: boolean
}

/** Body as the schema lets it through. */
export type NewOrderWire = {
  readonly reference: string
  readonly user_id: string
  readonly return_url: string
  readonly products?: readonly string[] | undefined
  readonly items?: readonly WireItem[] | undefined
  readonly expires_in_seconds?: number | undefined
  readonly language?: string | undefined
  readonly show_results?: boolean | undefined
}

export function readNewOrder(wire: NewOrderWire, environment: 'staging' | 'production'): NewOrder {
  const fields = readFields(
    {
      reference: REFERENCE,
      userId: USER_ID,
      returnUrl: returnUrl(environment),
      expiresInSeconds: EXPIRES_IN_SECONDS,
      language: LANGUAGE,
      showResults: BOOLEAN,
    },
    {
      reference: wire.reference,
      userId: wire.user_id,
      returnUrl: wire.return_url,
      expiresInSeconds: wire.expires_in_seconds ?? EXPIRES_DEFAULT_SECONDS,
      language: wire.language ?? 'en',
      showResults: wire.show_results ?? false,
    },
  )
  if (wire.products !== undefined && wire.items !== undefined) {
    throw invalidFields({ products: ['must be left out when items are given'] })
  }
  const { showResults: showsResults, ...rest } = fields
  return {
    ...rest,
    showsResults,
    products: wire.products === undefined ? null : [...new Set(wire.products)].toSorted(),
    items: wire.items === undefined ? null : readItems(wire.items),
  }
}

/** Names the content of a request by its fields on the wire, in a form that can be compared and stored. */
export function contentOf(order: NewOrder): Readonly<Record<string, string>> {
  return {
    user_id: order.userId,
    return_url: order.returnUrl,
    products: JSON.stringify(order.products),
    items: JSON.stringify(order.items?.map((item) => ({ ...item, amount: String(item.amount) })) ?? null),
    expires_in_seconds: String(order.expiresInSeconds),
    language: order.language,
    show_results: String(order.showsResults),
  }
}

export type Confirmation = {
  readonly paymentReference: string
  /** Total that the reseller expects; null: any. */
  readonly total: Amount | null
}

export function readConfirmation(wire: {
  readonly payment_reference: string
  readonly total_amount?: string | undefined
}): Confirmation {
  const { paymentReference, totalAmount } = readFields(
    { paymentReference: PAYMENT_REFERENCE, totalAmount: MONEY },
    { paymentReference: wire.payment_reference, totalAmount: wire.total_amount ?? '0' },
  )
  return { paymentReference, total: wire.total_amount === undefined ? null : totalAmount }
}
