import { createHmacKey } from '../lib/secrets/hmac.ts'
import { signatureHeaders } from '../modules/events/endpoints/signing.rules.ts'
import { messageOf } from '../modules/events/messages/messages.view.ts'
import { sampleOf } from '../modules/events/messages/samples.rules.ts'
import { sampleEvent } from '../modules/events/messages/samples.view.ts'
import type { Stream, TestRef } from '../modules/events/types.ts'

// Examples of webhooks, made by the code that makes and signs the real ones.

const AT = new Date('2026-03-01T01:30:00.000Z')
/** Secret of no account: the example's signatures can be computed again with it. */
const SECRET = Buffer.from('an example of a webhook secret..')

function exampleOf(stream: Stream, method: 'GET' | 'POST') {
  const sample = sampleOf(stream, undefined, { account: '6000001', now: AT, balance: 12_345_600n })
  if (sample === undefined) throw new Error(`the stream ${stream} has no sample`)
  const ref: TestRef = { source: 'test', resellerId: 1n, eventId: 'evt_1_42', at: AT, ...sample }
  const { sent, text } = messageOf(stream, method, sampleEvent(ref))
  const signed = signatureHeaders({
    stream,
    eventId: ref.eventId,
    timestampSeconds: AT.getTime() / 1_000,
    payload: text,
    keys: [
      {
        whole: createHmacKey(Buffer.from(`whsec_${SECRET.toString('base64')}`)),
        decoded: createHmacKey(SECRET),
      },
    ],
  })
  const { 'x-webhook-signature': hex, ...headers } = signed
  return { headers: hex === undefined ? headers : { ...headers, 'X-Webhook-Signature': hex }, sent }
}

function posted(stream: Stream) {
  const { headers, sent } = exampleOf(stream, 'POST')
  return { headers, body: sent }
}

function queried(stream: Stream) {
  const { headers, sent } = exampleOf(stream, 'GET')
  return { headers, query: sent }
}

export const WEBHOOK_EXAMPLES = {
  postedCallback: posted('callback'),
  queriedCallback: queried('callback'),
  catalogChange: posted('catalog'),
  balanceChange: posted('balance'),
  orderEnd: posted('order'),
} as const
