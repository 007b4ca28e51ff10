import { formatMilliseconds } from '../../../lib/dates.ts'
import type { Payment } from '../../payments/core/types.ts'
import { paymentView } from '../../payments/core/view.ts'
import type { Message } from '../types.ts'

type CallbackFields = Omit<ReturnType<typeof paymentView>, 'transaction_id'>

/** Fields in the contract's order, which does not list transaction_id. */
function callbackFields(payment: Payment): CallbackFields {
  const { transaction_id: _, ...fields } = paymentView(payment)
  return fields
}

export function postedCallback(payment: Payment): Message {
  const payload = { data: callbackFields(payment) }
  return { payload, sent: payload, text: JSON.stringify(payload) }
}

/** Most characters of the remarks in a query: servers commonly refuse a request line of more than 8 kB. */
const QUERIED_REMARKS_MAX = 500

/** Sends the whole object as one of four parameters, and its time with milliseconds. */
export function queriedCallback(payment: Payment): Message {
  const fields = callbackFields(payment)
  const remarks = [...fields.remarks].slice(0, QUERIED_REMARKS_MAX).join('')
  const payload = { ...fields, remarks, timestamp: formatMilliseconds(payment.changedAt) }
  const { refid, statusCode: status, cost: price } = payload
  const sent = { refid, status, price, message: JSON.stringify(payload) }
  const text = Object.entries(sent)
    .map(([name, value]) => `${name}=${percentEncoded(String(value))}`)
    .join('&')
  return { payload, sent, text }
}

/**
 * Encodes everything except the unreserved characters of RFC 3986. encodeURIComponent leaves five more unencoded. URL
 * parsers rewrite one of them, the apostrophe, and then the signed text would differ from the sent text. Half a
 * surrogate pair has no encoding, so it is replaced.
 */
function percentEncoded(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\u{fffd}')
}
