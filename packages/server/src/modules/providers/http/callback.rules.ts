import { isPrintable } from '../../../lib/input/fields.ts'
import { parseQuery } from '../../../lib/input/forms.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { CallbackConfig, Verification } from '../language/callback.rules.ts'
import { parseExactJson } from '../language/numbers.rules.ts'
import { textAt } from '../language/paths.rules.ts'
import type { SecretReference } from '../language/types.ts'
import type { CallbackReading, CallbackRequest, Outcome } from '../port/types.ts'
import { CALLBACK_BYTES_MAX } from '../port/types.ts'
import { isCrowded } from './lists.rules.ts'
import { decide, moneyAt } from './mapping.rules.ts'
import { outcomeOf } from './outcome.rules.ts'
import { isSameSecret, parseTimestampMs, signatureOf } from './signing.rules.ts'

export type SecretOf = (reference: SecretReference) => string

const REFERENCE_MAX = 100
const ID_MAX = 200

/** Judges a callback: first whether the supplier sent it, and only then its content. */
export function readCallback(
  config: CallbackConfig,
  secretOf: SecretOf,
  request: CallbackRequest,
  nowMs: number,
): CallbackReading {
  if (request.body.length > CALLBACK_BYTES_MAX) return refused('it is too long')
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const body = tryTo(() => utf8.decode(request.body))
  if (body === undefined) return refused('it is not UTF-8')
  const flaw = verificationProblem(config.verification, secretOf, request, body, nowMs)
  if (flaw !== undefined) return refused(flaw)
  const content = contentOf(config, request.query, body)
  if (content === undefined) return refused('its content cannot be read')
  const reference = textAt(content, config.reference)
  if (!isName(reference, REFERENCE_MAX)) {
    return refused('it names no order')
  }
  const id =
    config.id === null
      ? digestOf(`${request.query}\n${body}`).toString('base64url')
      : textAt(content, config.id)
  if (!isName(id, ID_MAX)) return refused('it has no id')
  const claimedAmount = config.amount === null ? null : moneyAt(content, config.amount)
  if (claimedAmount === undefined) return refused('its amount cannot be read')
  return { kind: 'news', id, reference, outcome: outcomeIn(config, content), claimedAmount }
}

function isName(text: string | undefined, lengthMax: number): text is string {
  return text !== undefined && text !== '' && text.length <= lengthMax && isPrintable(text)
}

function refused(reason: string): CallbackReading {
  return { kind: 'refused', reason }
}

function tryTo<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** Returns the reason why it is not authentic; undefined when it is. */
function verificationProblem(
  verification: Verification,
  secretOf: SecretOf,
  { headers, query }: CallbackRequest,
  body: string,
  nowMs: number,
): string | undefined {
  const given = ownHeader(headers, verification.header)
  if (given === undefined) return 'it is not signed'
  const key = secretOf(verification.secret)
  if (verification.type === 'secret_header') {
    return isSameSecret(given, key) ? undefined : 'its secret is wrong'
  }
  const { timestamp } = verification
  const sentAt = timestamp === null ? '' : ownHeader(headers, timestamp.header)
  if (sentAt === undefined) return 'it has no time'
  const values = {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`header.${name}`, value])),
    body,
    query,
    timestamp: sentAt,
  }
  const expected = tryTo(() => signatureOf(verification, key, values))
  if (expected === undefined) return 'a header that is signed is missing'
  if (!isSameSecret(given, expected)) return 'its signature is wrong'
  if (timestamp === null) return undefined
  const sentAtMs = parseTimestampMs(sentAt, timestamp.form)
  const isFresh = sentAtMs !== undefined && Math.abs(nowMs - sentAtMs) <= timestamp.toleranceMs
  return isFresh ? undefined : 'its time is too far from ours'
}

function ownHeader(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined
}

function contentOf({ content }: CallbackConfig, query: string, body: string): unknown {
  if (content === 'form') return parseQuery(body)
  if (content === 'query') return parseQuery(query)
  const json = tryTo((): unknown => parseExactJson(body))
  return typeof json === 'object' && json !== null ? json : undefined
}

function outcomeIn(config: CallbackConfig, content: unknown): Outcome | null {
  if (config.outcome === null) return null
  if (config.positions.some((path) => isCrowded(content, path))) {
    const reason = 'the callback has several elements where one is expected'
    return { kind: 'unknown', reason, isAmbiguous: true }
  }
  const decided = decide(config.outcome, content)
  if (decided.kind !== 'decided')
    return { kind: 'unknown', reason: 'the callback says nothing that is known' }
  return outcomeOf(decided.verdict, config, content)
}
