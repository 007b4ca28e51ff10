import { createHash, createHmac, randomUUID } from 'node:crypto'

export type Request = {
  secret: string
  method: string
  query: string
  body: Uint8Array | string
  timestamp: string
  nonce: string
}

export function sign({ secret, method, query, body, timestamp, nonce }: Request) {
  const bodyHash = createHash('sha256').update(body).digest('base64')
  const canonical = `v1:${timestamp}:${nonce}:${method.toUpperCase()}:${canonicalQuery(query)}:${bodyHash}`
  const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(canonical).digest('base64')
  return { bodyHash, canonical, signature: `v1=${mac}` }
}

/** Parameters that have a value, sorted by key. Sorting is stable: equal keys keep their order. */
export function canonicalQuery(query: string): string {
  const keyOf = (part: string) => part.slice(0, part.indexOf('='))
  return query
    .split('&')
    .filter((part) => /=./.test(part))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
    .join('&')
}

export async function call(method: string, path: string, query = '', body = ''): Promise<unknown> {
  const { BASE_URL = '', API_KEY = '', SIGNING_SECRET = '' } = process.env
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = randomUUID()
  const { signature } = sign({ secret: SIGNING_SECRET, method, query, body, timestamp, nonce })
  const answer = await fetch(BASE_URL + path + (query === '' ? '' : `?${query}`), {
    method,
    headers: {
      'X-Api-Key': API_KEY,
      'X-Timestamp': timestamp,
      'X-Nonce': nonce,
      'X-Signature': signature,
      ...(body !== '' && { 'Content-Type': 'application/json' }),
    },
    ...(body !== '' && { body }),
  })
  return answer.json()
}
