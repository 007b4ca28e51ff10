import { formatMilliseconds } from '../../lib/dates.ts'
import type { PaymentWire } from '../payments/payment/snapshots.service.ts'
import { paymentWire } from '../payments/payment/snapshots.service.ts'
import type { Payment } from '../payments/payment/types.ts'
import type { Message } from './types.ts'

type CallbackFields = Omit<PaymentWire, 'transaction_id'>

/** In the contract's order, which lists no transaction_id. */
function callbackFields(payment: Payment): CallbackFields {
  const { transaction_id: _, ...fields } = paymentWire(payment)
  return fields
}

export function postedCallback(payment: Payment): Message {
  const payload = { data: callbackFields(payment) }
  return { payload, sent: payload, text: JSON.stringify(payload) }
}

/** Characters of the remarks in a query: servers commonly refuse a request line of more than 8 kB. */
const QUERIED_REMARKS_MAX = 500

/** The whole object is one of four parameters, and its time has milliseconds. */
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
 * RFC 3986: nothing but its unreserved characters stays. encodeURIComponent leaves five more, of which URL parsers
 * rewrite the apostrophe, and what was signed would no longer be what is sent. Half a surrogate pair has no encoding.
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
