import type { QueryAnswer } from '../../providers/port/types.ts'

const SECOND_MS = 1_000

/** Milliseconds to wait before each further question about a payment; the last one repeats. */
const QUESTION_AFTER_MS = [1, 1, 2, 2, 3, 3, 5, 5, 8, 13, 20, 30, 60, 120, 300, 600].map(
  (seconds) => seconds * SECOND_MS,
)

/** Shortest time between two questions, however soon a provider says that it will decide. */
const PAUSE_MIN_MS = 100

/** Returns the time to the next question after this answer. A provider that will decide sooner is asked then. */
export function nextQuestionMs(questionsAsked: number, answer?: QueryAnswer): number {
  const last = QUESTION_AFTER_MS.length - 1
  const planned = QUESTION_AFTER_MS[Math.min(questionsAsked, last)] as number
  const decidedInMs = answer?.kind === 'pending' ? answer.decidedInMs : undefined
  return decidedInMs === undefined
    ? planned
    : Math.min(planned, Math.max(Math.ceil(decidedInMs), PAUSE_MIN_MS))
}

/**
 * Builds the reference of one attempt. It is never used for anything else: a provider that sees it twice must act once.
 */
export function referenceOf(paymentId: bigint, attempt: number): string {
  return `W${paymentId}-${attempt}`
}

export type Reference = { readonly paymentId: bigint; readonly attempt: number }

const REFERENCE = /^W([1-9]\d{0,18})-([1-9]\d{0,3})$/
const ID_MAX = 2n ** 63n - 1n

/** Parses a text that `referenceOf` wrote; undefined for any other text. */
export function parseReference(text: string): Reference | undefined {
  const match = REFERENCE.exec(text)
  if (match === null) return undefined
  const paymentId = BigInt(match[1] as string)
  return paymentId > ID_MAX ? undefined : { paymentId, attempt: Number(match[2]) }
}
