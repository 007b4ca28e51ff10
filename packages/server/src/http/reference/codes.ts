export type AuthenticationCode = {
  readonly code: string
  readonly status: 401 | 403
  readonly cause: string
  readonly remedy: string
}

/** Codes in the order in which a request is checked. */
export const AUTHENTICATION_CODES: readonly AuthenticationCode[] = [
  {
    code: 'ip_blocked',
    status: 403,
    cause: 'Your address sent more requests than the rate limit allows.',
    remedy:
      'Wait as long as `Retry-After` says, and spread requests out; `RateLimit-Remaining` warns before.',
  },
  {
    code: 'unauthorized',
    status: 401,
    cause: 'No credentials at all.',
    remedy: 'Send the four signing headers. A proxy may have removed them.',
  },
  {
    code: 'invalid_token',
    status: 401,
    cause: 'A bearer token that is expired, revoked, not ours, or not an ID token.',
    remedy: 'Refresh it, or log in again; better, sign your requests.',
  },
  {
    code: 'missing_api_key',
    status: 401,
    cause: '`X-Api-Key` is there, but empty.',
    remedy: 'Look whether your program has its key configured.',
  },
  {
    code: 'invalid_api_key',
    status: 401,
    cause: 'The key is unknown, or was revoked or rotated.',
    remedy: 'Compare it with the dashboard. Keys of staging and production are different ones.',
  },
  {
    code: 'hmac_not_configured',
    status: 401,
    cause: 'The key has no signing secret.',
    remedy: 'Rotate the key, or make a new one.',
  },
  {
    code: 'missing_hmac_headers',
    status: 401,
    cause: '`X-Timestamp`, `X-Nonce` or `X-Signature` is missing.',
    remedy: 'Send all of them with every request.',
  },
  {
    code: 'empty_hmac_values',
    status: 401,
    cause: 'One of these three is empty.',
    remedy: 'Send a value in each.',
  },
  {
    code: 'invalid_nonce_format',
    status: 401,
    cause:
      'The nonce is shorter than 16 or longer than 128 characters, or has others than `a-z A-Z 0-9 - _`.',
    remedy: 'Use a UUID, or random bytes in hex. Plain Base64 has `+`, `/` and `=`, which are not allowed.',
  },
  {
    code: 'invalid_timestamp_format',
    status: 401,
    cause: '`X-Timestamp` is not a Unix time in digits.',
    remedy: 'Send whole seconds: no fraction, no date.',
  },
  {
    code: 'timestamp_expired',
    status: 401,
    cause: "The time is more than 5 minutes from the server's.",
    remedy: 'Set your clock (NTP), and send seconds, not milliseconds.',
  },
  {
    code: 'invalid_signature_format',
    status: 401,
    cause: '`X-Signature` does not begin with `v1=`, or what follows is not the Base64 of 32 bytes.',
    remedy: 'Encode the raw HMAC in standard Base64 with padding, not in hex.',
  },
  {
    code: 'invalid_signature',
    status: 401,
    cause: 'The signature does not match the request as it arrived.',
    remedy:
      'Decode the secret from Base64 before use; hash exactly the bytes sent; write the method in capitals; sort the query.',
  },
  {
    code: 'ip_not_allowed',
    status: 403,
    cause: "The request is genuine, but its address is not on the account's allowlist.",
    remedy: 'Add the address in the dashboard; the message names it.',
  },
  {
    code: 'nonce_reused',
    status: 401,
    cause: 'The nonce was used with this key in the last 10 minutes.',
    remedy: 'Make a new one for every request, retries included.',
  },
  {
    code: 'insufficient_scope',
    status: 403,
    cause: 'The key or user may not call this operation.',
    remedy: 'Use a key with the scope that the message names.',
  },
  {
    code: 'api_key_required',
    status: 403,
    cause: 'A payment by bearer token, on an account that takes payments by signed request only.',
    remedy: 'Sign the request.',
  },
]

export type Line = readonly [term: string, meaning: string]

export const OTHER_STATUSES: readonly Line[] = [
  [
    '400',
    'The request cannot be read, or a field is missing or wrong: see `errors`. Correct it before you send again.',
  ],
  ['404', 'Unknown path, or an unknown thing.'],
  ['405', 'The path takes other methods: see `Allow`.'],
  ['409', 'In conflict with what is there.'],
  ['413', 'The body is larger than the operation takes.'],
  ['415', 'The body is not of a type that the operation reads.'],
  ['429', 'Too many of this kind: come back after `Retry-After`.'],
  ['431', 'The headers are larger than 16 kB.'],
  ['500', 'A fault of ours. Whether anything was done is not known: ask again, and quote `X-Request-Id`.'],
  [
    '503',
    'Temporarily unavailable, and certainly nothing was done. Send it again after `Retry-After`, with a new nonce.',
  ],
  [
    '504',
    'No answer within 29 seconds, or the database did not confirm the change. The work may still be done: ask again before you decide; to ask about a payment, send the same body with the same refid.',
  ],
]

export const RESPONSE_HEADERS: readonly Line[] = [
  ['`X-Request-Id`', 'Names this request in our logs; quote it when you ask for help.'],
  ['`RateLimit-Limit`', 'Requests that your address may send per 5 minutes.'],
  ['`RateLimit-Remaining`', 'How many of them are left.'],
  ['`RateLimit-Reset`', 'Seconds until they are counted anew.'],
  ['`Retry-After`', 'Seconds to wait; on 503, 429 and `ip_blocked`.'],
  ['`Deprecation`', 'On deprecated operations, together with `Link`, which names what replaces them.'],
]

export const LIMITS: readonly Line[] = [
  [
    'Requests',
    '30,000 per 5 minutes and address. Beyond that the address is blocked for 240 minutes: 403 `ip_blocked`.',
  ],
  ['Time per request', '29 seconds, then 504.'],
  [
    'Body',
    '10 MB on signed requests and 64 kB elsewhere, or as the operation says, then 413. JSON of at most 64 levels and 10,000 values, then 400.',
  ],
  ['Headers', '16 kB together, then 431.'],
  ['Timestamp', "Within 5 minutes of the server's time."],
  ['Nonce', '16 to 128 characters; not twice within 10 minutes with the same key.'],
  [
    'Token requests',
    '20 a second per address, and 10 failures per user and address in 15 minutes; then 429 with `Retry-After`.',
  ],
]
