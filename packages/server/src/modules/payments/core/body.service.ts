import { parseJsonBody } from '../../../http/body.ts'
import type { IncomingRequest } from '../../../http/operation.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { ReadRequest } from './request.rules.ts'
import { readPaymentRequest } from './request.rules.ts'

/**
 * Reads a body. Every problem with it is answered in the payment operation's own form. The content type is not looked
 * at: the signature covers the body, and a live payment must not be answered as a failed one because of a header.
 */
export function readPaymentBody(request: Pick<IncomingRequest, 'body'>): ReadRequest {
  return readBody(request, (value) => value)
}

/** Reads the body of a quote: that of a payment without a refid, which pays with no other quote. */
export function readQuoteBody(request: Pick<IncomingRequest, 'body'>): ReadRequest {
  const read = readBody(request, (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value, refid: NO_REFID, quote_id: null }
      : value,
  )
  return read.kind === 'unreadable' ? read : { ...read, request: { ...read.request, refid: '' } }
}

const NO_REFID = 'quote'

function readBody(
  { body }: Pick<IncomingRequest, 'body'>,
  asPayment: (value: unknown) => unknown,
): ReadRequest {
  let value: unknown
  try {
    value = parseJsonBody(undefined, body)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const read = readPaymentRequest(undefined)
    return read.kind === 'unreadable' ? { ...read, problems: { body: [error.publicText] } } : read
  }
  return readPaymentRequest(asPayment(value), body.toString('latin1'))
}
