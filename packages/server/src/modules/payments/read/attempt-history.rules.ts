import { referenceOf } from '../core/schedule.rules.ts'
import { isFinal, SUCCEEDED, stateOf, VOIDED } from '../core/states.rules.ts'
import type { PaymentCode } from '../core/types.ts'
import { TIMELINE_KINDS } from '../core/types.ts'
import type { AnswerKind, AttemptAnswer, AttemptHistory, PaymentAttempt } from './attempt-history.types.ts'

/** Line of the timeline, with the attempt that it is about. */
export type AttemptChange = {
  readonly kind: string
  readonly code: PaymentCode
  readonly attempt: number | null
  readonly provider: string | null
  readonly providerBefore: string | null
  readonly detail: string
  readonly at: Date
}

/** Attempt that its provider has not decided. */
export type WaitingAttempt = {
  readonly attempt: number
  readonly provider: string | null
  readonly submittedAt: Date
  readonly questions: number
  readonly isUnsent: boolean
  readonly nextAt: Date | null
}

/** Names under which a provider knows an attempt; null: the usual reference, and no id of its own. */
export type AttemptNames = {
  readonly attempt: number
  readonly reference: string | null
  readonly supplierId: string | null
}

export type AttemptFacts = {
  readonly paymentId: bigint
  readonly createdAt: Date
  readonly serialNumber: string
  /** Provider that has the payment at present. */
  readonly provider: string
  readonly changes: readonly AttemptChange[]
  readonly waiting: readonly WaitingAttempt[]
  readonly names: readonly AttemptNames[]
  readonly nameOf: (provider: string) => string
}

/**
 * Builds the history of attempts. A payment is created with its first attempt; each further one has a line of kind
 * `attempt`.
 */
export function historyOf(facts: AttemptFacts): AttemptHistory {
  const numbers = [...facts.changes, ...facts.waiting].map(({ attempt }) => attempt ?? 1)
  const count = Math.max(1, ...numbers)
  const attempts = Array.from({ length: count }, (_, index) => attemptOf(facts, index + 1))
  const deciding = decidingAttempt(facts.changes) ?? count
  const quoted = attempts[deciding - 1] as PaymentAttempt
  return {
    attempts,
    quote: {
      provider: quoted.provider,
      providerName: quoted.providerName,
      reference: quoted.reference,
      serialNumber: facts.serialNumber,
      sentAt: quoted.sentAt,
    },
  }
}

/**
 * Finds the attempt that decided the payment. A success counts before a failure: an attempt that failed later has its
 * own line on the timeline.
 */
function decidingAttempt(changes: readonly AttemptChange[]): number | undefined {
  const states = changes.filter(({ kind, attempt }) => kind === 'state' && attempt !== null)
  const succeeded = states.findLast(({ code }) => code === SUCCEEDED)
  const decided = succeeded ?? states.findLast(({ code }) => isFinal(code) && code !== VOIDED)
  return decided?.attempt ?? undefined
}

function attemptOf(facts: AttemptFacts, number: number): PaymentAttempt {
  const { paymentId, changes, waiting, names, nameOf } = facts
  const known = names.find(({ attempt }) => attempt === number)
  const own = changes.filter(({ attempt }) => attempt === number)
  const begun = own.findLast(({ kind }) => kind === 'attempt')
  const next = changes.find(({ kind, attempt }) => kind === 'attempt' && attempt === number + 1)
  const open = waiting.find(({ attempt }) => attempt === number)
  const provider = begun?.provider ?? next?.providerBefore ?? open?.provider ?? facts.provider
  const repeats = own.filter(({ kind }) => kind === 'repeat').length
  const firstSentAt = begun?.at ?? facts.createdAt
  return {
    number,
    reference: known?.reference ?? referenceOf(paymentId, number),
    supplierId: known?.supplierId ?? null,
    provider,
    providerName: nameOf(provider),
    sentAt: open?.isUnsent === true && repeats === 0 ? null : firstSentAt,
    repeats,
    questions: open?.questions ?? null,
    nextQuestionAt: open?.nextAt ?? null,
    answers: answersOf(own, next),
  }
}

/**
 * Lists the answers about an attempt. The next attempt is begun because this one certainly did nothing, so the line of
 * the next one holds the reason.
 */
function answersOf(own: readonly AttemptChange[], next: AttemptChange | undefined): AttemptAnswer[] {
  const heard = own
    .filter(({ kind }) => kind !== 'attempt')
    .map((change) => ({ ...answer(change), kind: kindOf(change) }))
  return next === undefined ? heard : [...heard, { ...answer(next), kind: 'not_acted' }]
}

function answer({ at, code, detail }: AttemptChange) {
  return { at, code, text: detail }
}

const ANSWER_OF_STATE: Readonly<Record<ReturnType<typeof stateOf>, AnswerKind>> = {
  accepted: 'undecided',
  processing: 'undecided',
  succeeded: 'succeeded',
  failed: 'failed',
  voided: 'note',
}

function kindOf({ kind, code }: AttemptChange): AnswerKind {
  // During an upgrade a newer node may write a kind that this one does not know.
  const known = TIMELINE_KINDS.find((each) => each === kind)
  switch (known) {
    case 'state':
      return ANSWER_OF_STATE[stateOf(code)]
    case 'repeat':
      return 'sent_again'
    case 'late':
    case 'contradiction':
      return known
    case 'reversal':
      return 'taken_back'
    case 'attempt':
    case 'route':
    case 'output':
    case 'callback':
    case 'settlement':
    case undefined:
      return 'note'
  }
}
