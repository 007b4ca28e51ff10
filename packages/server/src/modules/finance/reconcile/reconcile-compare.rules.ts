import type { DayRange } from '../../../lib/dates.ts'
import { dayOf, formatDay, formatSeconds } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { ReconciledPayment } from '../../payments/reports/reconciled.types.ts'
import type {
  Mismatch,
  MismatchCause,
  MismatchKind,
  ResellerLine,
  ResellerTime,
  Unreadable,
} from './reconcile.types.ts'
import { causeOfOtherDay } from './reconcile-times.rules.ts'

const isIn = (days: DayRange, day: number) => day >= days.from && day <= days.to

/**
 * Returns true for a line of a day that was not asked for: the line says so, and our payment does not contradict it.
 */
export function isOutside(line: ResellerLine, ours: ReconciledPayment | undefined, days: DayRange): boolean {
  if (line.time === null || isIn(days, line.time.day)) return false
  return ours === undefined || !isIn(days, dayOf(ours.createdAt.getTime()))
}

/** Lists all differences between a line and our payment of its refid. `ours` is undefined when we have none. */
export function compareLine(
  line: ResellerLine,
  ours: ReconciledPayment | undefined,
  days: DayRange,
): Mismatch[] {
  if (ours === undefined) return [missingHere(line)]
  return [compareAmount(line, ours), compareState(line, ours), compareDay(line, ours, days)].filter(
    (found) => found !== undefined,
  )
}

function about(line: ResellerLine, ours: ReconciledPayment | undefined) {
  return { line: line.line, refid: line.refid, paymentId: ours?.id ?? null }
}

/** Notation that a spreadsheet uses for a long number. */
const SPREADSHEET = /^\d(\.\d+)?E\+\d+$/i

function missingHere(line: ResellerLine): Mismatch {
  const isSpreadsheet = SPREADSHEET.test(line.refid)
  return {
    ...about(line, undefined),
    kind: 'missing_here',
    cause: isSpreadsheet ? 'spreadsheet' : 'never_received',
    theirs: lineText(line),
    ours: '',
    detail: isSpreadsheet
      ? 'A spreadsheet has rounded this refid: export it as text.'
      : 'No payment with this refid was taken: the request did not arrive, or was rejected, which moves no money.',
  }
}

function lineText({ state, amount, time }: ResellerLine): string {
  return [state, amount === null ? null : formatMoney(amount), time === null ? null : timeText(time)]
    .filter((word) => word !== null)
    .join(' ')
}

function timeText({ day, atMs }: ResellerTime): string {
  return atMs === null ? formatDay(day) : formatSeconds(new Date(atMs))
}

function compareAmount(line: ResellerLine, ours: ReconciledPayment): Mismatch | undefined {
  const { amount } = line
  // The reseller's books may have the requested amount, the face value or the cost.
  if (amount === null || [ours.amount, ours.faceValue, ours.cost].includes(amount)) return undefined
  return {
    ...about(line, ours),
    kind: 'amount',
    cause: 'other_amount',
    theirs: formatMoney(amount),
    ours: formatMoney(ours.amount),
    detail: `Amount ${formatMoney(ours.amount)}, api value ${formatMoney(ours.faceValue)}, cost ${formatMoney(ours.cost)}.`,
  }
}

const STATE_CAUSES: Readonly<Record<ReconciledPayment['state'], MismatchCause>> = {
  succeeded: 'succeeded_here',
  pending: 'pending_here',
  failed: 'failed_here',
  refunded: 'refunded_since',
}

const STATE_DETAILS: Readonly<Record<ReconciledPayment['state'], (at: string) => string>> = {
  succeeded: (at) => `Succeeded at ${at}; its cost was taken.`,
  pending: (at) => `Not final: taken at ${at}, its outcome is not known yet.`,
  failed: (at) => `Failed at ${at}; its cost was given back.`,
  refunded: (at) => `Succeeded at first and was refunded at ${at}; its cost was given back.`,
}

function compareState(line: ResellerLine, ours: ReconciledPayment): Mismatch | undefined {
  if (line.state === null || statesAgree(line.state, ours.state)) return undefined
  const at = formatSeconds(ours.state === 'pending' ? ours.createdAt : ours.changedAt)
  return {
    ...about(line, ours),
    kind: 'status',
    cause: STATE_CAUSES[ours.state],
    theirs: line.state,
    ours: ours.state,
    detail: STATE_DETAILS[ours.state](at),
  }
}

/**
 * Returns true if both states mean the same. A refund counts as a failure: in both cases the money is back, and the API
 * calls both Failed.
 */
function statesAgree(theirs: NonNullable<ResellerLine['state']>, ours: ReconciledPayment['state']): boolean {
  const isBack = (state: ReconciledPayment['state']) => state === 'failed' || state === 'refunded'
  return theirs === ours || (isBack(theirs) && isBack(ours))
}

const DAY_DETAILS = {
  midnight: 'Around midnight: the request left on one day and was taken on the other.',
  zone: 'Eight hours apart: their time looks like UTC, and days here are by GMT+8.',
  other_day: 'Taken on another day by GMT+8.',
  outside_range: 'Taken on a day outside the range that was asked for.',
} as const

function compareDay(line: ResellerLine, ours: ReconciledPayment, days: DayRange): Mismatch | undefined {
  const oursMs = ours.createdAt.getTime()
  const cause = dayCause(line.time, oursMs, days)
  if (cause === undefined) return undefined
  return {
    ...about(line, ours),
    kind: 'day',
    cause,
    theirs: line.time === null ? '' : timeText(line.time),
    ours: formatSeconds(ours.createdAt),
    detail: DAY_DETAILS[cause],
  }
}

function dayCause(
  time: ResellerTime | null,
  oursMs: number,
  days: DayRange,
): keyof typeof DAY_DETAILS | undefined {
  if (time === null) return isIn(days, dayOf(oursMs)) ? undefined : 'outside_range'
  return time.day === dayOf(oursMs) ? undefined : causeOfOtherDay(time, oursMs)
}

/** Makes the mismatch of a refid that is also on an earlier line of the file. */
export function duplicateOf(
  line: ResellerLine,
  firstLine: number,
  ours: ReconciledPayment | undefined,
): Mismatch {
  return {
    ...about(line, ours),
    kind: 'duplicate',
    cause: 'listed_twice',
    theirs: lineText(line),
    ours: ours === undefined ? '' : paymentText(ours),
    detail: `The refid stands on line ${firstLine} already; a refid is one payment.`,
  }
}

export function unreadableOf({ line, problem }: Unreadable): Mismatch {
  const none = { refid: '', paymentId: null, theirs: '', ours: '' }
  return { ...none, kind: 'unreadable', cause: 'unreadable', line, detail: problem }
}

const UNLISTED: Readonly<Record<ReconciledPayment['state'], { cause: MismatchCause; detail: string }>> = {
  succeeded: { cause: 'not_listed', detail: 'Succeeded here and is not in the file; its cost was taken.' },
  pending: { cause: 'not_listed_pending', detail: 'Not final here and not in the file; its cost is held.' },
  failed: {
    cause: 'not_listed_failed',
    detail: 'Failed here and is not in the file; no money is concerned.',
  },
  refunded: {
    cause: 'not_listed_failed',
    detail: 'Refunded here and not in the file; no money is concerned.',
  },
}

/** Makes the mismatch of a payment of ours that is not in the file. */
export function missingThere(ours: ReconciledPayment): Mismatch {
  const kind: MismatchKind = 'missing_there'
  return {
    kind,
    ...UNLISTED[ours.state],
    line: 0,
    refid: ours.refid,
    paymentId: ours.id,
    theirs: '',
    ours: paymentText(ours),
  }
}

function paymentText({ state, amount, createdAt }: ReconciledPayment): string {
  return `${state} ${formatMoney(amount)} ${formatSeconds(createdAt)}`
}
