import type { HmacKey } from '../../../lib/secrets/hmac.ts'
import { hmacSha256 } from '../../../lib/secrets/hmac.ts'
import { STREAM_TRAITS } from '../streams.rules.ts'
import type { Stream } from '../types.ts'

/** A secret, prepared for both of its signatures. */
export type SigningKey = {
  /** Key of the legacy signature: the secret's text as it was shown. */
  readonly whole: HmacKey
  /** Key of the Standard Webhooks signature: the bytes that the secret encodes in Base64. */
  readonly decoded: HmacKey
}

export type Signed = {
  readonly stream: Stream
  readonly eventId: string
  /** Time of this attempt by the real clock: receivers refuse a timestamp that is minutes old. */
  readonly timestampSeconds: number
  /** Text of the body; for GET the raw query string, as it is in the request line. */
  readonly payload: string
  /** Newest first; a second one during the grace period of a rotation. */
  readonly keys: readonly [SigningKey, ...SigningKey[]]
}

export function signatureHeaders(signed: Signed): Record<string, string> {
  const { stream, payload, keys } = signed
  const headers = standardHeaders(signed)
  if (STREAM_TRAITS[stream].hasWebhookSignature) {
    headers['x-webhook-signature'] = `sha256=${hmacSha256(keys[0].whole, payload).toString('hex')}`
  }
  return headers
}

/** Headers of Standard Webhooks only. */
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
