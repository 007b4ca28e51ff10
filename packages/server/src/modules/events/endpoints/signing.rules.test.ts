import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Stream } from '../types.ts'
import { signingKeyOf } from './secrets.service.ts'
import type { SigningKey } from './signing.rules.ts'
import { signatureHeaders } from './signing.rules.ts'

type Case = {
  name: string
  stream: Stream
  secrets: string[]
  webhook_id: string
  webhook_timestamp: number
  payload: string
  webhook_signature: string
  x_webhook_signature: string | null
}

const { cases } = JSON.parse(
  readFileSync(new URL('../../../../../../vectors/webhooks.json', import.meta.url), 'utf8'),
) as { cases: Case[] }

it.each(cases)('signs as the golden files say: $name', (golden) => {
  const headers = signatureHeaders({
    stream: golden.stream,
    eventId: golden.webhook_id,
    timestampSeconds: golden.webhook_timestamp,
    payload: golden.payload,
    keys: golden.secrets.map(signingKeyOf) as [SigningKey, ...SigningKey[]],
  })
  expect(headers).toEqual({
    'webhook-id': golden.webhook_id,
    'webhook-timestamp': String(golden.webhook_timestamp),
    'webhook-signature': golden.webhook_signature,
    ...(golden.x_webhook_signature !== null && { 'x-webhook-signature': golden.x_webhook_signature }),
  })
})
