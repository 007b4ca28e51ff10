/** Request to be signed. */
export type Unsigned = {
  readonly method: string
  /** Query as it is sent, without the question mark: sorted by key, without empty values. */
  readonly query: string
  readonly body: string
  readonly apiKey: string
  readonly secretBase64: string
  readonly timestamp: string
  readonly nonce: string
}

/** Signs a request with Web Crypto, as the contract says. */
export async function signRequest(request: Unsigned): Promise<Record<string, string>> {
  const { method, query, body, apiKey, secretBase64, timestamp, nonce } = request
  const encoder = new TextEncoder()
  const bodyHash = toBase64(await crypto.subtle.digest('SHA-256', encoder.encode(body)))
  const canonical = `v1:${timestamp}:${nonce}:${method}:${query}:${bodyHash}`
  const secret = Uint8Array.from(atob(secretBase64.trim()), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = toBase64(await crypto.subtle.sign('HMAC', key, encoder.encode(canonical)))
  return {
    'X-Api-Key': apiKey.trim(),
    'X-Timestamp': timestamp,
    'X-Nonce': nonce,
    'X-Signature': `v1=${signature}`,
  }
}

function toBase64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}

/** Returns the query in the form in which it is sent and signed: sorted by key, without empty values. */
export function queryOf(parameters: readonly (readonly [name: string, value: string])[]): string {
  const sent = new URLSearchParams()
  for (const [name, value] of parameters) if (value !== '') sent.append(name, value)
  sent.sort()
  return sent.toString()
}
