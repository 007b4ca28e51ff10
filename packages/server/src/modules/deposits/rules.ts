import { formatDay, parseDay } from '../../lib/dates.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { text } from '../../lib/input/fields.ts'
import { optional } from '../../lib/input/parameters.ts'
import { POSTED_AMOUNT } from '../../lib/posted-amounts.ts'
import type { DepositState } from './types.ts'

// ── States ──

/** Allowed changes of state. Every change of a request asks this table, under the lock of its row. */
export const MOVES: Readonly<Record<DepositState, readonly DepositState[]>> = {
  reported: ['accepted', 'refused', 'withdrawn'],
  accepted: ['credited'],
  credited: [],
  refused: [],
  withdrawn: [],
}

export function mayMove(from: DepositState, to: DepositState): boolean {
  return MOVES[from].includes(to)
}

const STANDING: Readonly<Record<DepositState, string>> = {
  reported: 'waits for an operator',
  accepted: 'was accepted and waits for a second operator',
  credited: 'is in the wallet already',
  refused: 'was refused',
  withdrawn: 'was withdrawn',
}

/** Refuses a change that the table of moves does not have. */
export function refuseMove(from: DepositState, to: DepositState): void {
  if (mayMove(from, to)) return
  throw new RequestError({
    status: 409,
    code: 'deposit_request_moved',
    publicText: `This deposit request ${STANDING[from]}. Nothing was changed.`,
  })
}

export function unknownRequest(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such deposit request.' })
}

// ── Fields ──

/** Open requests of one reseller, and reports of one day: enough for every shop, and no heap of slips. */
export const OPEN_MAX = 20
export const PER_DAY_MAX = 50
const DAYS_BACK_MAX = 366

const DAY: Rule<number> = {
  message: 'must be a day yyyy-MM-dd',
  schema: { type: 'string', format: 'date' },
  read: (value) => (typeof value === 'string' ? parseDay(value) : undefined),
}

export const REPORT_RULES = {
  amount: POSTED_AMOUNT,
  transferredOn: DAY,
  bankReference: text(1, 100),
  note: optional(text(0, 500), ''),
}

/** Refuses a day that is not of the last year, and at most tomorrow: banks may be a time zone ahead. */
export function readTransferDay(day: number, today: number): number {
  if (day <= today + 1 && day >= today - DAYS_BACK_MAX) return day
  const first = formatDay(today - DAYS_BACK_MAX)
  throw invalidFields({ transferred_on: [`must lie between ${first} and ${formatDay(today + 1)}`] })
}

export const ALERT_KIND = 'deposit_reported'

/** Context with which a slip is sealed: copied to another row, it cannot be opened. */
export function slipContext(resellerId: bigint, id: bigint): string {
  return `deposit_slip:${resellerId}:${id}`
}
