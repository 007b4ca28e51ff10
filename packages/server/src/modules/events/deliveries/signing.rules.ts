import type { HmacKey } from '../../../lib/secrets/hmac.ts'
import { hmacSha256 } from '../../../lib/secrets/hmac.ts'
import type { Stream } from '../types.ts'

/** A secret made ready for both ways in which it signs. */
export type SigningKey = {
  /** The string as it was shown. */
  readonly whole: HmacKey
  /** The bytes that its Base64 stands for. */
  readonly decoded: HmacKey
}

export type Signed = {
  readonly stream: Stream
  readonly eventId: string
  /** Receivers refuse what is minutes old: the real time of this attempt. */
  readonly timestampSeconds: number
  /** The body's text; for GET the raw query string, as it stands in the request line. */
  readonly payload: string
  /** Newest first; the second one during a rotation's grace. */
  readonly keys: readonly [SigningKey, ...SigningKey[]]
}

export function signatureHeaders(signed: Signed): Record<string, string> {
  const { stream, payload, keys } = signed
  const headers = standardHeaders(signed)
  // Callbacks carry what the contract says, and it knows no signature of theirs.
  if (stream !== 'callback') {
    headers['x-webhook-signature'] = `sha256=${hmacSha256(keys[0].whole, payload).toString('hex')}`
  }
  return headers
}

/** The headers of Standard Webhooks alone. */
export function standardHeaders(signed: Omit<Signed, 'stream'>): Record<string, string> {
  const { eventId, timestampSeconds, payload, keys } = signed
  const content = `${eventId}.${timestampSeconds}.${payload}`
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': keys
      .map((key) => `v1,${hmacSha256(key.decoded, content).toString('base64')}`)
      .join(' '),
  }
}
