import { expect, it } from 'vitest'
import type { Masks } from '../../../lib/secrets/masks.ts'
import { NO_MASKS, urlWithoutQuery } from '../../../lib/secrets/masks.ts'
import type { Endpoint } from './endpoints.types.ts'
import { callbackView, webhookView } from './endpoints.view.ts'

const MASKS: Masks = { secret: () => '', link: () => '', url: urlWithoutQuery }
const URL = 'https://shop.example/in?token=secret'

it('the secret part of a receiver’s address is shown only to those who see secrets', () => {
  const part: Partial<Endpoint> = { url: URL }
  const endpoint = part as Endpoint
  for (const [masks, url] of [
    [MASKS, 'https://shop.example/in?****'],
    [NO_MASKS, URL],
  ] as const) {
    expect(webhookView(endpoint, masks).webhook_url).toBe(url)
    expect(callbackView(endpoint, new Date(0), masks).data.CallbackUrl).toBe(url)
  }
})
