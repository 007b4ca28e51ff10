/** Golden case `post-json` of the signing vectors, for readers who want to check their own steps. */
export const WORKED_EXAMPLE = {
  secret: '/Lw0p+TB03JaEtFzRRogY/pigRxLM1Yp9VZAKEpPayk=',
  timestamp: '1767225600',
  nonce: 'vector-nonce-post-json',
  method: 'POST',
  body: '{"refid":"A-1001","product":"NOVA","account":"60123456789","amount":"10"}',
  bodyHash: 'dQj+fNB0GaIsshwfOk6OUcetgDKxcxhvuVVvP3IgO/M=',
  canonicalString: 'v1:1767225600:vector-nonce-post-json:POST::dQj+fNB0GaIsshwfOk6OUcetgDKxcxhvuVVvP3IgO/M=',
  signature: 'v1=kPigWB8HxwkW5iXr0UFwt1hqgfPBuw11M97DeKb3I18=',
} as const

export function shellExample(baseUrl: string): string {
  return `#!/usr/bin/env bash
# Usage: API_KEY=… SIGNING_SECRET=… ./signed.sh METHOD PATH [QUERY] [BODY]
#   ./signed.sh GET /v2/balance
set -eo pipefail

base_url=\${BASE_URL:-${baseUrl}}
method=$1 path=$2 query=$3 body=$4

timestamp=$(date +%s)
nonce=$(openssl rand -hex 16)
body_hash=$(printf '%s' "$body" | openssl dgst -sha256 -binary | openssl base64 -A)

# Parameters that have a value, sorted by key
sorted=$(printf '%s' "$query" | tr '&' '\\n' | sed -n '/=./p' |
  LC_ALL=C sort -s -t= -k1,1 | paste -sd '&' -)

canonical="v1:$timestamp:$nonce:$method:$sorted:$body_hash"
key=$(printf '%s' "$SIGNING_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf '%s' "$canonical" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

with_body=()
[ -z "$body" ] || with_body=(-H 'Content-Type: application/json' --data-binary "$body")

curl -sS --globoff -X "$method" "$base_url$path\${query:+?$query}" \\
  -H "X-Api-Key: $API_KEY" \\
  -H "X-Timestamp: $timestamp" \\
  -H "X-Nonce: $nonce" \\
  -H "X-Signature: v1=$signature" \\
  "\${with_body[@]}"
`
}

export function nodeExample(baseUrl: string): string {
  return `// Usage: API_KEY=… SIGNING_SECRET=… node signed.mjs
import { createHash, createHmac, randomUUID } from 'node:crypto'

const { API_KEY, SIGNING_SECRET, BASE_URL = '${baseUrl}' } = process.env

async function call(method, path, { query = {}, body } = {}) {
  // The query is sent exactly as it is signed: sorted by key, without empty values.
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''))
  parameters.sort()
  const search = parameters.toString()
  const bytes = body === undefined ? '' : JSON.stringify(body)

  const timestamp = Math.floor(Date.now() / 1000)
  const nonce = randomUUID()
  const bodyHash = createHash('sha256').update(bytes).digest('base64')
  const canonical = \`v1:\${timestamp}:\${nonce}:\${method}:\${search}:\${bodyHash}\`
  const signature = createHmac('sha256', Buffer.from(SIGNING_SECRET, 'base64'))
    .update(canonical)
    .digest('base64')

  const response = await fetch(BASE_URL + path + (search && '?' + search), {
    method,
    headers: {
      'X-Api-Key': API_KEY,
      'X-Timestamp': String(timestamp),
      'X-Nonce': nonce,
      'X-Signature': 'v1=' + signature,
      ...(bytes && { 'Content-Type': 'application/json' }),
    },
    ...(bytes && { body: bytes }),
  })
  return { status: response.status, body: await response.json() }
}

console.log(await call('GET', '/v2/balance'))
`
}
