import { isPrintable } from '../../../lib/input/fields.ts'
import { parseQuery } from '../../../lib/input/forms.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { CallbackConfig } from '../language/callback.rules.ts'
import { parseExactJson } from '../language/numbers.rules.ts'
import { firstText, textAt } from '../language/paths.rules.ts'
import type { CallbackReading, CallbackRequest, Outcome, Reversed } from '../port/types.ts'
import { CALLBACK_BYTES_MAX } from '../port/types.ts'
import { isCrowded } from './lists.rules.ts'
import { decide } from './mapping.rules.ts'
import { moneyAt } from './money.rules.ts'
import { outcomeOf, unknownOf } from './outcome.rules.ts'
import type { SecretOf } from './proof.rules.ts'
import { flawOf, ownHeader } from './proof.rules.ts'

const REFERENCE_MAX = 100
const ID_MAX = 200
/** Currency of prices; a callback has none. */
const RINGGIT = 'MYR'

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
  const received = { ...request, body, read: () => contentOf(config, request.query, body) }
  const flaw = flawOf(config, secretOf, received, nowMs)
  if (flaw !== undefined) return refused(flaw)
  const content = received.read()
  if (content === undefined) return refused('its content cannot be read')
  const reference = firstText(content, config.reference)
  if (!isName(reference, REFERENCE_MAX)) {
    return isPing(config, request, content) ? { kind: 'ping' } : refused('it names no order')
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

/** Tells whether a proven callback without an order is one that only tries our address. */
function isPing({ ping }: CallbackConfig, { headers }: CallbackRequest, content: unknown): boolean {
  if (ping === null) return false
  const word = 'header' in ping.path ? ownHeader(headers, ping.path.header) : textAt(content, ping.path.path)
  return word !== undefined && ping.values.includes(word)
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

function contentOf({ content }: CallbackConfig, query: string, body: string): unknown {
  if (content === 'form') return parseQuery(body)
  if (content === 'query') return parseQuery(query)
  const json = tryTo((): unknown => parseExactJson(body))
  return typeof json === 'object' && json !== null ? json : undefined
}

function outcomeIn(config: CallbackConfig, content: unknown): Outcome | Reversed | null {
  if (config.outcome === null) return null
  if (config.positions.some((path) => isCrowded(content, path))) {
    const reason = 'the callback has several elements where one is expected'
    return { kind: 'unknown', reason, isAmbiguous: true }
  }
  const decided = decide(config.outcome, content)
  // A table that settles no order asks about everything but an order that was taken back.
  if (!config.settles && !(decided.kind === 'decided' && decided.verdict.outcome === 'reversed')) return null
  if (decided.kind === 'decided') return outcomeOf(decided.verdict, config, content, RINGGIT)
  const reason = 'the callback says nothing that is known'
  const word = decided.kind === 'unmapped' ? decided.word : undefined
  const unmapped = word === undefined ? {} : { unmapped: { ...word, json: content } }
  return unknownOf({ kind: 'undecided', reason, ...unmapped }, 'callback', config, [])
}
