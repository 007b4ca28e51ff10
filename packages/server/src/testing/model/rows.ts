import { isFinal, mayMove, PROCESSING, SUCCEEDED, VOIDED } from '../../modules/payments/core/states.rules.ts'
import type { PaymentCode } from '../../modules/payments/core/types.ts'
import type { Flaw } from './flaws.ts'
import type { Answer, Begin, Holder, OpenAttempt, Row, Work } from './rows.types.ts'

// Statements that change the rows of one payment, as pure functions. `rows.test.ts` calls the real statements for every
// pair of row and command, and compares.

/** Row that `take_payments` writes. The node that takes the payment has its first lease. */
export function newRow(provider: string, request: number): Row {
  const work: Work = {
    attempt: 1,
    lease: 1,
    isLeased: true,
    isDue: false,
    isEarly: false,
    isUnsent: false,
    repeats: 0,
    isProven: false,
    request,
  }
  const nothing = { open: [], routed: [], ended: null, contradictions: [] }
  return { code: 0, providers: [provider], work, ...nothing }
}

/** Tells whether a batch that runs again may send the payment that its first run created. */
export function isOwn({ code, work }: Row, request: number): boolean {
  if (code !== 0 || work === null || work.request !== request) return false
  return work.attempt === 1 && work.lease === 1 && work.isLeased && !work.isDue && !work.isUnsent
}

export type Resolved = {
  readonly row: Row
  readonly isMoved: boolean
  readonly isRefunded: boolean
  /** True: the answer contradicts the final state, and was not noted before. */
  readonly isContradiction: boolean
}

/** Applies an answer as `resolve_payments` does. */
export function resolve(row: Row, answer: Answer, flaw?: Flaw): Resolved {
  const isStale = isStaleFor(row.work, answer, flaw) || isHeldBack(row, answer, flaw)
  const isMoved = !isStale && (mayMove(row.code, answer.code) || movesWrongly(row, answer, flaw))
  const isCrossed = !isStale && isCrossing(row.work, answer)
  const asked = answer.code === PROCESSING ? askLater(row, answer, isStale, flaw) : row
  const ended = endsWork(answer.code) && !isStale ? endWork(asked, isCrossed, flaw) : asked
  const moved = isMoved ? moveTo(ended, answer) : ended
  const isLeftOver = endsWork(answer.code) && (!isMoved || isCrossed)
  const closed = isLeftOver ? closeAnswered(moved, answer) : moved
  const contradiction = `${answer.code} ${answer.attempt ?? 0}`
  const isContradiction =
    !isMoved && contradicts(closed, answer, flaw) && !closed.contradictions.includes(contradiction)
  return {
    row: isContradiction
      ? { ...closed, contradictions: [...closed.contradictions, contradiction].sort() }
      : closed,
    isMoved,
    isRefunded: isMoved && answer.code !== PROCESSING && answer.code !== SUCCEEDED,
    isContradiction,
  }
}

/** Tells whether a code ends the work: every final code but the void of a payment that had ended before. */
function endsWork(code: PaymentCode): boolean {
  return isFinal(code) && code !== VOIDED
}

function isStaleFor(work: Work | null, { code, attempt, lease }: Answer, flaw?: Flaw): boolean {
  if (work === null || code === SUCCEEDED) return false
  const isOtherAttempt = attempt !== null && work.attempt !== attempt && flaw !== 'other_attempt_fails'
  return isOtherAttempt || (lease !== null && work.lease !== lease && flaw !== 'lease_ignored')
}

/** Tells whether a failure does not count, because another attempt of the payment is undecided. */
function isHeldBack({ work, open }: Row, { code, attempt }: Answer, flaw?: Flaw): boolean {
  if (work === null || attempt === null || !endsWork(code) || code === SUCCEEDED) return false
  return flaw !== 'open_attempt_ignored' && open.some((each) => each.attempt !== attempt)
}

function movesWrongly({ code }: Row, answer: Answer, flaw?: Flaw): boolean {
  return flaw === 'final_moves' && isFinal(code) && endsWork(answer.code) && code !== answer.code
}

function isCrossing(work: Work | null, { code, attempt }: Answer): boolean {
  return work !== null && code === SUCCEEDED && attempt !== null && attempt !== work.attempt
}

/** Schedules the next question. An answer about another attempt than the present one opens that attempt instead. */
function askLater(row: Row, { attempt }: Answer, isStale: boolean, flaw?: Flaw): Row {
  const { work } = row
  if (work !== null && !isStale) {
    if (flaw === 'pending_forgotten') return { ...row, work: null }
    return { ...row, work: { ...work, isLeased: false, isDue: false, isEarly: false, request: 0 } }
  }
  if (attempt === null || row.providers[attempt - 1] === undefined || work?.attempt === attempt) return row
  const isDecided = row.ended !== null && row.ended.attempt === attempt
  const isConcluded = row.code !== SUCCEEDED && row.code !== VOIDED && row.routed.includes(attempt)
  if (isDecided && !isConcluded) return row
  return addOpen(row, { attempt, lease: 1, isLeased: false, isDue: false, isProven: false })
}

function endWork(row: Row, isCrossed: boolean, flaw?: Flaw): Row {
  const { work } = row
  if (work === null) return row
  const isKept = isCrossed && !(work.isUnsent && work.repeats === 0) && flaw !== 'crossed_attempt_forgotten'
  const { attempt, lease, isLeased, isDue, isProven } = work
  const kept = isKept ? addOpen(row, { attempt, lease, isLeased, isDue, isProven }) : row
  return { ...kept, work: null }
}

function addOpen(row: Row, added: OpenAttempt): Row {
  if (row.open.some(({ attempt }) => attempt === added.attempt)) return row
  return { ...row, open: [...row.open, added].sort((a, b) => a.attempt - b.attempt) }
}

function moveTo(row: Row, { code, attempt }: Answer): Row {
  return { ...row, code, ended: endsWork(code) ? { code, attempt } : row.ended }
}

function closeAnswered(row: Row, { attempt, lease }: Answer): Row {
  if (lease !== null) return row
  return { ...row, open: row.open.filter((each) => each.attempt !== attempt) }
}

function contradicts({ code, ended }: Row, answer: Answer, flaw?: Flaw): boolean {
  if (!isFinal(code) || !endsWork(answer.code) || flaw === 'contradiction_dropped') return false
  // A failure that a node concluded is no word of the supplier.
  if (answer.lease !== null) return false
  const succeeded = ended?.code === SUCCEEDED ? ended.attempt : null
  const isKnown = answer.attempt !== null && succeeded !== null
  if (answer.code === SUCCEEDED && (code === SUCCEEDED || code === VOIDED)) {
    return isKnown && answer.attempt !== succeeded
  }
  if (code === VOIDED) return false
  if (answer.code === SUCCEEDED) return true
  return code === SUCCEEDED && (!isKnown || answer.attempt === succeeded)
}

export type Begun = { readonly row: Row; readonly lease: number | undefined }

/** Begins an attempt, or notes that there is none, as `BEGIN_ATTEMPTS` does. `lease` is the holder's new lease. */
export function begin(row: Row, command: Begin, flaw?: Flaw): Begun {
  const { work } = row
  const { attempt, isRepeat } = command
  const isHolders = command.lease === null || work?.lease === command.lease || flaw === 'lease_ignored'
  if (work === null || work.attempt !== attempt || !isHolders) return { row, lease: undefined }
  if (!command.isBegun) return { row: { ...row, routed: addNumber(row.routed, attempt) }, lease: undefined }
  const isWaiting = row.open.some((each) => each.attempt !== attempt) && flaw !== 'open_attempt_ignored'
  if (isWaiting) return { row, lease: undefined }
  const lease = work.lease + 1
  const begun: Work = {
    attempt: isRepeat ? attempt : attempt + 1,
    lease,
    isLeased: true,
    isDue: false,
    isEarly: false,
    isUnsent: false,
    repeats: isRepeat ? work.repeats + 1 : 0,
    isProven: false,
    request: 0,
  }
  const provider = command.provider ?? (row.providers.at(-1) as string)
  return {
    row: { ...row, work: begun, providers: isRepeat ? row.providers : [...row.providers, provider] },
    lease,
  }
}

function addNumber(numbers: readonly number[], added: number): readonly number[] {
  return numbers.includes(added) ? numbers : [...numbers, added].sort((a, b) => a - b)
}

/** Releases an attempt that was not sent and never will be, as `RELEASE` does. */
export function release(row: Row, { attempt, lease, isRepeat }: Holder): Row {
  const open = isRepeat
    ? row.open
    : row.open.filter((each) => each.attempt !== attempt || each.lease !== lease)
  const { work } = row
  if (work === null || work.attempt !== attempt) return { ...row, open }
  const isLaterHolders = work.lease > lease && work.repeats === 0 && !isRepeat
  if (work.lease !== lease && !isLaterHolders) return { ...row, open }
  const isFree = work.lease === lease || !work.isLeased
  const released = { ...work, isUnsent: true, isLeased: !isFree, isDue: isFree || work.isDue }
  return { ...row, open, work: released }
}

/** Tells whether the holder may send its attempt, as `LIST_PRESENT` does. */
export function isHeld({ work }: Row, { attempt, lease }: Pick<Holder, 'attempt' | 'lease'>): boolean {
  return work?.attempt === attempt && work.lease === lease && work.isLeased && !work.isDue
}

/** Takes over work whose time has come; undefined: there is none, or its lease is believed to run. */
export function claim(row: Row, flaw?: Flaw): Row | undefined {
  const { work } = row
  if (work === null || !work.isDue) return undefined
  if (work.isLeased && work.isEarly && flaw !== 'clock_believed') return undefined
  return {
    ...row,
    work: { ...work, lease: work.lease + 1, isLeased: true, isDue: false, isEarly: false, request: 0 },
  }
}

export function claimOpen(row: Row, attempt: number): Row | undefined {
  const found = row.open.find((each) => each.attempt === attempt)
  if (found?.isDue !== true) return undefined
  return changeOpen(row, { ...found, lease: found.lease + 1, isLeased: true, isDue: false })
}

export function changeOpen(row: Row, changed: OpenAttempt): Row {
  return { ...row, open: row.open.map((each) => (each.attempt === changed.attempt ? changed : each)) }
}

/** Finds an open attempt that is still its holder's. */
export function findHeldOpen(row: Row, attempt: number, lease: number): OpenAttempt | undefined {
  return row.open.find((each) => each.attempt === attempt && each.lease === lease)
}

/** Takes the lease for an operator, as `holdWork` does; undefined: a node has it. */
export function hold(row: Row): Row | undefined {
  const { work } = row
  if (work === null) return row
  if (work.isLeased && !work.isDue) return undefined
  return {
    ...row,
    work: { ...work, lease: work.lease + 1, isLeased: true, isDue: false, isEarly: false, request: 0 },
  }
}
