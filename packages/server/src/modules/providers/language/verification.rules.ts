import { path } from './path.rules.ts'
import type { Reader } from './reading.rules.ts'
import { below, byType, complain, integer, needed, object, oneOf, optional, text } from './reading.rules.ts'
import { hmacMembers, timestampForm } from './signature.rules.ts'
import { containsUnaltered, digest, headerName, NO_SECRET, secret } from './sources.rules.ts'
import type { DigestSource, Vocabulary } from './types.ts'

// Reads how a callback proves that the supplier sent it.

const TOLERANCE_SECONDS = 300
const TOLERANCE_SECONDS_MAX = 24 * 3_600

const receivedHeader: Reader<string> = (value, site) => headerName(value, site).toLowerCase()

const receivedTimestamp = object(
  {
    header: needed(receivedHeader, ''),
    form: optional(timestampForm, 'unix'),
    tolerance_seconds: optional(integer(1, TOLERANCE_SECONDS_MAX), TOLERANCE_SECONDS),
  },
  ({ header, form, toleranceSeconds }) => ({ header, form, toleranceMs: 1_000 * toleranceSeconds }),
)

/** Values that a callback's signature can cover; `header.` is followed by a header's name in lower case. */
const SIGNED_WORDS: Vocabulary = { body: 'text', query: 'text', timestamp: 'text', 'header.': 'text' }

/** Value that a field of a callback can be the digest of: our reference, as the callback names it. */
const FIELD_WORDS: Vocabulary = { reference: 'text' }
const NO_DIGEST: DigestSource = { digest: 'sha256', of: [], encoding: 'hex' }

function provesOrder({ of: parts }: DigestSource): boolean {
  const isWhole = parts.some((part) => !('secret' in part) && containsUnaltered(part, 'reference'))
  return parts.length === 0 || (isWhole && parts.some((part) => 'secret' in part))
}

export const verification = byType(
  {
    hmac: object(
      {
        type: needed(oneOf('hmac'), 'hmac'),
        ...hmacMembers(SIGNED_WORDS, oneOf('sha1', 'sha256', 'sha512')),
        header: needed(receivedHeader, ''),
        timestamp: optional(receivedTimestamp, null),
      },
      (found, { site, has }) => {
        const isTimed = found.payload.some((part) => typeof part !== 'string' && part.name === 'timestamp')
        if (isTimed !== has('timestamp')) {
          const message = isTimed
            ? 'is missing: the payload holds {{timestamp}}'
            : 'proves nothing unless the payload holds {{timestamp}}'
          complain(below(site, 'timestamp'), message, 0)
        }
        return found
      },
    ),
    secret_header: object({
      type: needed(oneOf('secret_header'), 'secret_header'),
      header: needed(receivedHeader, ''),
      secret: needed(secret, NO_SECRET),
    }),
    secret_query: object({
      type: needed(oneOf('secret_query'), 'secret_query'),
      parameter: needed(text, ''),
      secret: needed(secret, NO_SECRET),
    }),
    digest_field: object(
      {
        type: needed(oneOf('digest_field'), 'digest_field'),
        path: needed(path, []),
        digest: needed(digest(FIELD_WORDS), NO_DIGEST),
      },
      (found, { site }) => {
        if (!provesOrder(found.digest)) {
          const message = 'must be made of a secret and of {{reference}}, whole: both are what it proves'
          complain(below(site, 'digest'), message, 0)
        }
        return found
      },
    ),
  },
  'secret_header',
)

export type Verification = ReturnType<typeof verification>

export const NO_PROOF: Verification = { type: 'secret_header', header: '', secret: NO_SECRET }

/** Returns the name of a proof that settles no order, and the member that says it; undefined for a strong one. */
export function weaknessOf(
  proof: Verification,
): { readonly name: string; readonly member: string } | undefined {
  switch (proof.type) {
    case 'hmac':
      return proof.algorithm === 'sha1' ? { name: 'SHA-1', member: 'algorithm' } : undefined
    case 'secret_header':
      return undefined
    case 'secret_query':
      return { name: 'a word in the address', member: 'type' }
    case 'digest_field':
      return { name: 'a digest of the reference', member: 'type' }
  }
}
