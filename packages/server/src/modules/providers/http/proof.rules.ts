import { parseQuery } from '../../../lib/input/forms.ts'
import type { CallbackConfig } from '../language/callback.rules.ts'
import { firstText, textAt } from '../language/paths.rules.ts'
import type { SecretReference } from '../language/types.ts'
import type { Verification } from '../language/verification.rules.ts'
import type { CallbackRequest } from '../port/types.ts'
import { isSameSecret, keyOf, parseTimestampMs, signatureOf } from './signing.rules.ts'
import { textOf } from './writing.rules.ts'

// Rules that tell whether the supplier sent a callback.

export type SecretOf = (reference: SecretReference) => string

export type Received = Pick<CallbackRequest, 'headers' | 'query'> & {
  readonly body: string
  /** Reads the content; undefined when it cannot be read. */
  readonly read: () => unknown
}

/** Returns the reason why it is not authentic; undefined when it is. */
export function flawOf(
  { verification: proof, reference }: Pick<CallbackConfig, 'verification' | 'reference'>,
  secretOf: SecretOf,
  received: Received,
  nowMs: number,
): string | undefined {
  switch (proof.type) {
    case 'hmac':
      return signatureFlaw(proof, keyOf(proof, secretOf(proof.secret)), received, nowMs)
    case 'secret_header':
      return secretFlaw(ownHeader(received.headers, proof.header), secretOf(proof.secret))
    case 'secret_query':
      return secretFlaw(parameterOf(received.query, proof.parameter), secretOf(proof.secret))
    case 'digest_field': {
      const content = received.read()
      const named = firstText(content, reference)
      if (named === undefined) return 'it names no order'
      const writer = { values: { reference: named }, secretOf, onMade: () => {} }
      return secretFlaw(textAt(content, proof.path), textOf(proof.digest, writer))
    }
  }
}

function secretFlaw(given: string | undefined, wanted: string): string | undefined {
  if (given === undefined) return 'it is not signed'
  return isSameSecret(given, wanted) ? undefined : 'its secret is wrong'
}

function parameterOf(query: string, name: string): string | undefined {
  const value = parseQuery(query)[name]
  return typeof value === 'string' ? value : undefined
}

function signatureFlaw(
  proof: Extract<Verification, { type: 'hmac' }>,
  key: Buffer | undefined,
  { headers, query, body }: Received,
  nowMs: number,
): string | undefined {
  if (key === undefined) return 'our key is not Base64'
  const given = ownHeader(headers, proof.header)
  if (given === undefined) return 'it is not signed'
  const { timestamp } = proof
  const sentAt = timestamp === null ? '' : ownHeader(headers, timestamp.header)
  if (sentAt === undefined) return 'it has no time'
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [`header.${name}`, value]))
  const expected = writtenOrNone(() => signatureOf(proof, key, { ...own, body, query, timestamp: sentAt }))
  if (expected === undefined) return 'a header that is signed is missing'
  if (!signaturesIn(given).some((each) => isSameSecret(each, expected))) return 'its signature is wrong'
  if (timestamp === null) return undefined
  const sentAtMs = parseTimestampMs(sentAt, timestamp.form)
  const isFresh = sentAtMs !== undefined && Math.abs(nowMs - sentAtMs) <= timestamp.toleranceMs
  return isFresh ? undefined : 'its time is too far from ours'
}

const SIGNATURES_MAX = 10

/** Lists the header and its parts: while a supplier changes its key, it sends a signature of each, with spaces between. */
function signaturesIn(header: string): readonly string[] {
  return [header, ...header.split(' ', SIGNATURES_MAX)]
}

function writtenOrNone(write: () => string): string | undefined {
  try {
    return write()
  } catch {
    return undefined
  }
}

/** Returns a header by its lower-case name. */
export function ownHeader(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined
}
