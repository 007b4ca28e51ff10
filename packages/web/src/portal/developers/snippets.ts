/** Languages of the first request, in the order of their tabs. */
export const SNIPPET_LANGUAGES = ['curl', 'node', 'python', 'php'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]

type SnippetValues = {
  readonly key: string
  /** Signing secret in Base64, as it is shown. */
  readonly secret: string
  /** Address of the service, without a slash at its end. */
  readonly baseUrl: string
}

/**
 * Signed read of the balance that runs as it is pasted into a terminal. It follows the contract's steps one by one,
 * so that it can be taken over into a program.
 */
export function snippetOf(language: SnippetLanguage, values: SnippetValues): string {
  return WRITERS[language](values)
}

const WRITERS: Readonly<Record<SnippetLanguage, (values: SnippetValues) => string>> = {
  curl: ({ key, secret, baseUrl }) => `api_key='${key}'
secret='${secret}'
timestamp=$(date +%s)
nonce=$(openssl rand -hex 16)
body_hash=$(printf '' | openssl dgst -sha256 -binary | openssl base64 -A)
canonical="v1:$timestamp:$nonce:GET::$body_hash"
hex_secret=$(printf '%s' "$secret" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf '%s' "$canonical" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$hex_secret" -binary | openssl base64 -A)
curl -sS -w '\\n%{http_code}\\n' '${baseUrl}/v2/balance' \\
  -H "X-Api-Key: $api_key" \\
  -H "X-Timestamp: $timestamp" \\
  -H "X-Nonce: $nonce" \\
  -H "X-Signature: v1=$signature"
`,
  node: ({ key, secret, baseUrl }) => `node --input-type=module <<'END'
import { createHash, createHmac, randomUUID } from 'node:crypto'

const apiKey = '${key}'
const secret = Buffer.from('${secret}', 'base64')
const timestamp = Math.floor(Date.now() / 1000)
const nonce = randomUUID()
const bodyHash = createHash('sha256').update('').digest('base64')
const canonical = ['v1', timestamp, nonce, 'GET', '', bodyHash].join(':')
const signature = createHmac('sha256', secret).update(canonical).digest('base64')

const response = await fetch('${baseUrl}/v2/balance', {
  headers: {
    'X-Api-Key': apiKey,
    'X-Timestamp': String(timestamp),
    'X-Nonce': nonce,
    'X-Signature': 'v1=' + signature,
  },
})
console.log(await response.text())
console.log(response.status)
END
`,
  python: ({ key, secret, baseUrl }) => `python3 - <<'END'
import base64, hashlib, hmac, time, urllib.error, urllib.request, uuid

api_key = '${key}'
secret = base64.b64decode('${secret}')
timestamp = str(int(time.time()))
nonce = str(uuid.uuid4())
body_hash = base64.b64encode(hashlib.sha256(b'').digest()).decode()
canonical = ':'.join(['v1', timestamp, nonce, 'GET', '', body_hash])
signature = base64.b64encode(hmac.new(secret, canonical.encode(), hashlib.sha256).digest()).decode()

request = urllib.request.Request('${baseUrl}/v2/balance', headers={
    'X-Api-Key': api_key,
    'X-Timestamp': timestamp,
    'X-Nonce': nonce,
    'X-Signature': 'v1=' + signature,
})
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error
print(response.read().decode())
print(response.status)
END
`,
  php: ({ key, secret, baseUrl }) => `php <<'END'
<?php
$apiKey = '${key}';
$secret = base64_decode('${secret}');
$timestamp = time();
$nonce = bin2hex(random_bytes(16));
$bodyHash = base64_encode(hash('sha256', '', true));
$canonical = implode(':', ['v1', $timestamp, $nonce, 'GET', '', $bodyHash]);
$signature = base64_encode(hash_hmac('sha256', $canonical, $secret, true));

$context = stream_context_create(['http' => ['ignore_errors' => true, 'header' => [
    "X-Api-Key: $apiKey",
    "X-Timestamp: $timestamp",
    "X-Nonce: $nonce",
    "X-Signature: v1=$signature",
]]]);
echo file_get_contents('${baseUrl}/v2/balance', false, $context), "\\n";
echo explode(' ', $http_response_header[0])[1], "\\n";
END
`,
}
