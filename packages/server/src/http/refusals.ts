import type { RequestErrorOptions } from '../lib/errors.ts'
import { RequestError } from '../lib/errors.ts'
import type { Guidance } from '../lib/guidance.ts'

/** Refusal of a caller: the text of `message`, and help for its reader. */
export type RefusalGuide = Guidance & { readonly status: 401 | 403; readonly message: string }

/** Codes of signed requests and bearer tokens, in the order in which a request is checked. */
export const AUTHENTICATION_REFUSALS = {
  ip_blocked: {
    status: 403,
    message: 'This address is blocked because it exceeded the rate limit.',
    cause: 'Your address sent more requests than the rate limit allows.',
    remedy:
      'Wait as long as `Retry-After` says, and spread requests out; `RateLimit-Remaining` warns before.',
    retry: 'later',
  },
  unauthorized: {
    status: 401,
    message: 'Send the signing headers, X-Api-Key first among them.',
    cause: 'No credentials at all.',
    remedy: 'Send the four signing headers. A proxy may have removed them.',
    retry: 'after_change',
  },
  invalid_token: {
    status: 401,
    message: 'The bearer token is invalid or has expired. Send the ID token of a token request.',
    cause: 'A bearer token that is expired, revoked, not ours, or not an ID token.',
    remedy: 'Refresh it, or log in again; better, sign your requests.',
    retry: 'after_change',
  },
  missing_api_key: {
    status: 401,
    message: 'The X-Api-Key header is empty.',
    cause: '`X-Api-Key` is there, but empty.',
    remedy: 'Look whether your program has its key configured.',
    retry: 'after_change',
  },
  invalid_api_key: {
    status: 401,
    message: 'The API key is unknown or revoked.',
    cause: 'The key is unknown, was revoked or rotated, or has expired.',
    remedy: 'Compare it with the dashboard. Keys of staging and production are different ones.',
    retry: 'after_change',
  },
  hmac_not_configured: {
    status: 401,
    message: 'This API key has no signing secret.',
    cause: 'The key has no signing secret.',
    remedy: 'Rotate the key, or make a new one.',
    retry: 'after_change',
  },
  missing_hmac_headers: {
    status: 401,
    message: 'X-Timestamp, X-Nonce and X-Signature are all needed.',
    cause: '`X-Timestamp`, `X-Nonce` or `X-Signature` is missing.',
    remedy: 'Send all of them with every request.',
    retry: 'after_change',
  },
  empty_hmac_values: {
    status: 401,
    message: 'X-Timestamp, X-Nonce and X-Signature must not be empty.',
    cause: 'One of these three is empty.',
    remedy: 'Send a value in each.',
    retry: 'after_change',
  },
  invalid_nonce_format: {
    status: 401,
    message: 'X-Nonce takes 16 to 128 characters of a-z A-Z 0-9 - _.',
    cause:
      'The nonce is shorter than 16 or longer than 128 characters, or has others than `a-z A-Z 0-9 - _`.',
    remedy: 'Use a UUID, or random bytes in hex. Plain Base64 has `+`, `/` and `=`, which are not allowed.',
    retry: 'after_change',
  },
  invalid_timestamp_format: {
    status: 401,
    message: 'X-Timestamp is the Unix time in whole seconds.',
    cause: '`X-Timestamp` is not a Unix time in digits.',
    remedy: 'Send whole seconds: no fraction, no date.',
    retry: 'after_change',
  },
  timestamp_expired: {
    status: 401,
    message: "X-Timestamp is more than 5 minutes from the server's time.",
    cause: "The time is more than 5 minutes from the server's.",
    remedy: 'Set your clock (NTP), and send seconds, not milliseconds.',
    retry: 'after_change',
  },
  invalid_signature_format: {
    status: 401,
    message: 'X-Signature is "v1=" and the Base64 of 32 bytes.',
    cause: '`X-Signature` does not begin with `v1=`, or what follows is not the Base64 of 32 bytes.',
    remedy: 'Encode the raw HMAC in standard Base64 with padding, not in hex.',
    retry: 'after_change',
  },
  invalid_signature: {
    status: 401,
    message: 'The signature does not match the request.',
    cause: 'The signature does not match the request as it arrived.',
    remedy:
      'Decode the secret from Base64 before use; hash exactly the bytes sent; write the method in capitals; sort the query.',
    retry: 'after_change',
  },
  ip_not_allowed: {
    status: 403,
    message: "This address is not on the account's allowlist.",
    cause: "The request is genuine, but its address is not on the account's allowlist.",
    remedy: 'Add the address in the dashboard; the message names it.',
    retry: 'after_change',
  },
  nonce_reused: {
    status: 401,
    message: 'This nonce was used in the last 10 minutes; every request needs a new one.',
    cause: 'The nonce was used with this key in the last 10 minutes.',
    remedy:
      'Make a new one for every request, retries included. If you did, something on the way sent the request twice, ' +
      'and the first copy may have been carried out: ask before you decide. A payment: send the same body with the ' +
      'same refid.',
    retry: 'ask_first',
  },
  insufficient_scope: {
    status: 403,
    message: 'This credential does not have the scope that the operation needs.',
    cause: 'The key or user may not call this operation.',
    remedy: 'Use a key with the scope that the message names.',
    retry: 'after_change',
  },
  api_key_required: {
    status: 403,
    message: 'This account requires API-key authentication for topup.',
    cause: 'A payment by bearer token, on an account that takes payments by signed request only.',
    remedy: 'Sign the request.',
    retry: 'after_change',
  },
} as const satisfies Readonly<Record<string, RefusalGuide>>

export type AuthenticationCode = keyof typeof AUTHENTICATION_REFUSALS

/** Codes of the two deprecated token operations. */
export const TOKEN_REFUSALS = {
  invalid_credentials: {
    status: 401,
    message: 'The user name or password is incorrect.',
    cause: 'The user name or the password is wrong, or the user is disabled. All three look the same.',
    remedy: 'Have a person check both. Failures are counted: a program must not repeat the login by itself.',
    retry: 'never',
  },
  invalid_refresh_token: {
    status: 401,
    message: 'The refresh token is invalid, expired or revoked.',
    cause: 'The refresh token is not ours, is older than a year, or was revoked.',
    remedy: 'Log in again; better, sign your requests.',
    retry: 'after_change',
  },
  second_factor_enabled: {
    status: 401,
    message: 'This user signs in with a second factor, which tokens cannot ask for: use an API key.',
    cause: 'The password is right, but the user has a second factor.',
    remedy: 'Sign your requests with an API key.',
    retry: 'after_change',
  },
} as const satisfies Readonly<Record<string, RefusalGuide>>

export type TokenCode = keyof typeof TOKEN_REFUSALS

export type RefusalCode = AuthenticationCode | TokenCode

const REFUSALS: Readonly<Record<RefusalCode, RefusalGuide>> = {
  ...AUTHENTICATION_REFUSALS,
  ...TOKEN_REFUSALS,
}

/** Parts of a refusal that differ from case to case. `publicText` replaces the usual message. */
export type RefusalDetails = Omit<RequestErrorOptions, 'status' | 'code' | 'publicText'> & {
  readonly publicText?: string
}

/** Builds the refusal of a caller. A code without cause and remedy does not compile. */
export function refusal(code: RefusalCode, { publicText, ...details }: RefusalDetails = {}): RequestError {
  const { status, message } = REFUSALS[code]
  return new RequestError({ status, code, publicText: publicText ?? message, ...details })
}

/** Finds the help for a code that a log names; undefined when the code is no refusal of a caller. */
export function findRefusal(code: string | null): RefusalGuide | undefined {
  return code !== null && Object.hasOwn(REFUSALS, code) ? REFUSALS[code as RefusalCode] : undefined
}
