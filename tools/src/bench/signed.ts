import { createHash, createHmac, randomUUID } from 'node:crypto'

export type Credentials = { apiKey: string; signingSecret: string }

/** Makes the headers of a signed GET. Node's fetch would ask for compressed bytes, which the yardsticks do not send. */
export function signed({ apiKey, signingSecret }: Credentials, path: string) {
  const timestamp = Math.floor(Date.now() / 1_000)
  const nonce = randomUUID()
  const bodyHash = createHash('sha256').digest('base64')
  const signature = createHmac('sha256', Buffer.from(signingSecret, 'base64'))
    .update(`v1:${timestamp}:${nonce}:GET:${path.split('?')[1] ?? ''}:${bodyHash}`)
    .digest('base64')
  return {
    'X-Api-Key': apiKey,
    'X-Timestamp': String(timestamp),
    'X-Nonce': nonce,
    'X-Signature': `v1=${signature}`,
    'Accept-Encoding': 'identity',
  }
}
