import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'

type Case = {
  name: string
  secrets: string[]
  webhook_id: string
  webhook_timestamp: number
  payload: string
  webhook_signature: string
}

const { cases } = JSON.parse(
  readFileSync(new URL('../../../vectors/webhooks.json', import.meta.url), 'utf8'),
) as { cases: Case[] }

it.each(cases)('the golden signatures are those of the public library: $name', (golden) => {
  const at = new Date(golden.webhook_timestamp * 1_000)
  const signatures = golden.secrets.map((secret) =>
    new Webhook(secret).sign(golden.webhook_id, at, golden.payload),
  )
  expect(golden.webhook_signature).toBe(signatures.join(' '))
})
