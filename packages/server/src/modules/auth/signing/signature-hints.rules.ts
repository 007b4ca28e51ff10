import { hash, timingSafeEqual } from 'node:crypto'
import { isHexDigest } from '../../../lib/secrets/digests.ts'
import type { HmacKey } from '../../../lib/secrets/hmac.ts'
import { hmacSha256, undecodedKey } from '../../../lib/secrets/hmac.ts'
import type { SignedParts } from './signing.rules.ts'
import { bodyHashOf, canonicalQueries, canonicalString } from './signing.rules.ts'

// Common mistakes of new clients, found by repeating them: a signature that is right with a mistake in it shows which
// mistake was made. It is used in staging only. It reveals nothing: a client that makes such a signature has the
// secret.

type Attempt = { readonly hint: string; readonly key?: HmacKey; readonly text: string }

/** Finds the client's mistake. undefined: none of these, so the signed text or the secret differs in another way. */
export function findSignatureHint(parts: SignedParts, key: HmacKey, signature: Buffer): string | undefined {
  const [query = ''] = canonicalQueries(parts.rawQuery)
  const bodyHash = bodyHashOf(parts.body)
  const isMade = (attempt: Attempt) =>
    timingSafeEqual(hmacSha256(attempt.key ?? key, attempt.text), signature)
  return attemptsOf(parts, query, bodyHash, key).find(isMade)?.hint
}

function attemptsOf(parts: SignedParts, query: string, bodyHash: string, key: HmacKey): Attempt[] {
  const undecoded = undecodedKey(key)
  const attempts = [
    ...(undecoded === undefined
      ? []
      : [...canonicalQueries(parts.rawQuery)].map((each) => ({
          hint: 'The signing secret was used as text. Decode it from Base64 first, and use the bytes as the key.',
          key: undecoded,
          text: canonicalString(parts, each, bodyHash),
        }))),
    {
      hint: 'The body hash is in hexadecimal. Write it in Base64.',
      text: canonicalString(parts, query, hash('sha256', parts.body, 'hex')),
    },
    {
      hint: 'The method is in lower case. Write it in capitals.',
      text: canonicalString({ ...parts, method: parts.method.toLowerCase() }, query, bodyHash),
    },
  ]
  if (parts.rawQuery !== '') attempts.push(...queryAttempts(parts, bodyHash))
  if (parts.body.length > 0) {
    attempts.push({
      hint: 'The hash of an empty body was signed, and a body was sent. Hash the bytes that are sent.',
      text: canonicalString(parts, query, bodyHashOf(Buffer.alloc(0))),
    })
  }
  return attempts
}

function queryAttempts(parts: SignedParts, bodyHash: string): Attempt[] {
  return [
    {
      hint: 'The query is missing in the canonical string. It belongs there, without the question mark.',
      text: canonicalString(parts, '', bodyHash),
    },
    {
      hint: 'The query is signed with its question mark. Leave the question mark out.',
      text: canonicalString(parts, `?${parts.rawQuery}`, bodyHash),
    },
    {
      hint: 'The query is signed in the order in which it was sent. Sort the parameters by name.',
      text: canonicalString(parts, parts.rawQuery, bodyHash),
    },
  ]
}

/** Finds the mistake in a header that has not the form of a signature. */
export function findFormatHint(header: string): string | undefined {
  const value = header.replace(/^v1=/, '')
  if (isHexDigest(value.toLowerCase()))
    return 'The signature is in hexadecimal. Write its 32 bytes in Base64.'
  if (/^[A-Za-z0-9_-]{43}=?$/.test(value)) {
    return 'The signature is in URL-safe Base64, or without its padding. Write it in ordinary Base64 with "=".'
  }
  return /^[A-Za-z0-9+/]{43}=$/.test(header)
    ? 'The prefix is missing. Write "v1=" before the Base64.'
    : undefined
}
