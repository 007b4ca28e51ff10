import type { CallbackReading, UnmappedAnswer } from '../port/types.ts'

/** Secrets that must not be shown. It is a function because tokens come and go. */
export type Hidden = () => readonly string[]

/** Minimum length of a hidden secret; shorter ones occur in ordinary words by chance. */
const HIDDEN_MIN = 4
/** Minimum length without punctuation; it is larger because a match by chance is more likely then. */
const BARE_MIN = 6
const REASON_MAX = 200

/**
 * Withholds a supplier's words that quote a secret, however it is punctuated. The words are cut only after that check,
 * or a part of a secret could be left at the end.
 */
export function redact<T extends object>(answer: T, hidden: readonly string[]): T {
  if (!('reason' in answer) || typeof answer.reason !== 'string') return answer
  const { reason } = answer
  const isTold = (text: string) => hidden.some((secret) => isRevealed(secret, text))
  const told = isTold(reason) ? 'the supplier gave a reason that holds a secret' : cut(reason)
  const shown = 'unmapped' in answer ? (answer.unmapped as UnmappedAnswer | undefined) : undefined
  const word = 'word' in answer && typeof answer.word === 'string' && isTold(answer.word) ? { word: '…' } : {}
  if (shown === undefined || !isTold(shown.sample + shown.value)) return { ...answer, ...word, reason: told }
  return { ...answer, reason: told, unmapped: { ...shown, value: '…', sample: '…' } }
}

export function redactCallback(reading: CallbackReading, hidden: readonly string[]): CallbackReading {
  if (reading.kind !== 'news' || reading.outcome === null) return redact(reading, hidden)
  return { ...reading, outcome: redact(reading.outcome, hidden) }
}

/** Tells whether a text quotes a secret, however it is punctuated. */
export function isRevealed(secret: string, reason: string): boolean {
  if (secret.length >= HIDDEN_MIN && reason.includes(secret)) return true
  const bareSecret = bare(secret)
  return bareSecret.length >= BARE_MIN && bare(reason).includes(bareSecret)
}

function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
}

/** Cuts a reason, but not within a character: half of one cannot be stored. */
function cut(reason: string): string {
  return reason.slice(0, REASON_MAX).replace(/\p{Cs}/gu, '')
}
