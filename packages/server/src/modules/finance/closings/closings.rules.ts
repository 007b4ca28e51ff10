import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { TransferKind } from '../../wallet/balance/types.ts'
import type { EntryPosition, Movement, Movements, Period } from '../../wallet/statement/periods.types.ts'
import type { ClosingBreak, ClosingBreakKind, WalletDay } from './types.ts'

/** Kinds in the order in which they are shown. */
export const KINDS = [
  'deposit',
  'adjustment',
  'payment',
  'refund',
  'commission',
] as const satisfies readonly TransferKind[]

const NOTHING: Movement = { count: 0n, amount: 0n }
export const NO_MOVEMENTS: Movements = {
  deposit: NOTHING,
  adjustment: NOTHING,
  payment: NOTHING,
  refund: NOTHING,
  commission: NOTHING,
}

/** Position before the first entry. */
export const START: EntryPosition = { sequence: 0n, balance: 0n }

export function addMovements(a: Movements, b: Movements): Movements {
  const add = (kind: TransferKind): Movement => ({
    count: a[kind].count + b[kind].count,
    amount: a[kind].amount + b[kind].amount,
  })
  return {
    deposit: add('deposit'),
    adjustment: add('adjustment'),
    payment: add('payment'),
    refund: add('refund'),
    commission: add('commission'),
  }
}

/** Sums the movements of all kinds. */
export function sumOf(movements: Movements): Movement {
  return KINDS.reduce(
    (sum, kind) => ({
      count: sum.count + movements[kind].count,
      amount: sum.amount + movements[kind].amount,
    }),
    NOTHING,
  )
}

export function dayOfPeriod(day: number, period: Period): WalletDay {
  return {
    day,
    opening: period.opening,
    movements: period.movements,
    closing: period.closing,
    firstSequence: period.before + 1n,
    lastSequence: period.last,
  }
}

/** Joins two parts of the same day into one day. */
export function joinDays(days: readonly WalletDay[]): WalletDay[] {
  const joined: WalletDay[] = []
  for (const each of days) {
    const before = joined.at(-1)
    if (before === undefined || before.day !== each.day) {
      joined.push(each)
      continue
    }
    const movements = addMovements(before.movements, each.movements)
    const { closing, lastSequence } = each
    joined.splice(-1, 1, { ...before, movements, closing, lastSequence })
  }
  return joined
}

/**
 * Returns the day to which a wallet's next entry belongs. Entries are dated in their order, and a day is not closed
 * while it can still get an entry. Only a clock that was set back by more than the wait dates an entry into a closed
 * day. That entry is then counted on the next day, and the check of the closings reports it.
 */
export function nextDayOf(entryDay: number, lastClosedDay: number | undefined): number {
  return lastClosedDay === undefined ? entryDay : Math.max(entryDay, lastClosedDay + 1)
}

// ── Is a closing what the ledger says? ──

/** A closed day, computed from the ledger. */
export type LedgerDay = {
  readonly movements: Movements
  /** Position of the wallet at the day's end. */
  readonly end: EntryPosition
}

export function checkClosing(
  account: string,
  closing: WalletDay,
  before: EntryPosition,
  ledger: LedgerDay,
): ClosingBreak | undefined {
  const broken = (kind: ClosingBreakKind, expected: string, found: string): ClosingBreak => {
    return { kind, account, day: closing.day, expected, found }
  }
  const { opening, movements, firstSequence, lastSequence } = closing
  if (firstSequence !== before.sequence + 1n) {
    return broken('sequence', `entry ${before.sequence + 1n} first`, `entry ${firstSequence}`)
  }
  if (opening !== before.balance) {
    return broken('opening', `${formatMoney(before.balance)}, the closing before`, formatMoney(opening))
  }
  const moved = sumOf(movements)
  if (opening + moved.amount !== closing.closing || moved.count !== lastSequence - firstSequence + 1n) {
    const found = balanceText(lastSequence - firstSequence + 1n, closing.closing)
    return broken('arithmetic', balanceText(moved.count, opening + moved.amount), found)
  }
  for (const kind of KINDS) {
    const [ours, theirs] = [movements[kind], ledger.movements[kind]]
    if (ours.count === theirs.count && ours.amount === theirs.amount) continue
    return broken('movements', `${kind}: ${movementText(theirs)}`, `${kind}: ${movementText(ours)}`)
  }
  if (ledger.end.sequence > lastSequence) {
    return broken('late_entry', `entry ${lastSequence} last`, `entry ${ledger.end.sequence} is of this day`)
  }
  if (ledger.end.sequence !== lastSequence || ledger.end.balance !== closing.closing) {
    const held = `entry ${ledger.end.sequence} and ${formatMoney(ledger.end.balance)} in the wallet at its end`
    return broken('wallet', held, `entry ${lastSequence} and ${formatMoney(closing.closing)}`)
  }
  return undefined
}

function movementText({ count, amount }: Movement): string {
  return `${count} of ${formatMoney(amount)}`
}

function balanceText(count: bigint, balance: Amount): string {
  return `${count} entries that leave ${formatMoney(balance)}`
}
