import { formatDay, parseDay } from '../../lib/dates.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { readFields, text } from '../../lib/input/fields.ts'
import { optional } from '../../lib/input/parameters.ts'
import { POSTED_AMOUNT } from '../../lib/posted-amounts.ts'
import type { DepositState, ReportedTransfer } from './types.ts'

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

export type ReportInput = {
  readonly amount: string
  readonly transferred_on: string
  readonly bank_reference: string
  readonly note?: string | undefined
}

/** Reads a report. The day is one of the last year, and at most tomorrow: banks may be a time zone ahead. */
export function readReport(input: ReportInput, today: number): ReportedTransfer {
  const report = readFields(REPORT_RULES, {
    amount: input.amount,
    transferredOn: input.transferred_on,
    bankReference: input.bank_reference,
    note: input.note,
  })
  const { transferredOn } = report
  if (transferredOn > today + 1 || transferredOn < today - DAYS_BACK_MAX) {
    const first = formatDay(today - DAYS_BACK_MAX)
    throw invalidFields({ transferred_on: [`must lie between ${first} and ${formatDay(today + 1)}`] })
  }
  return report
}

export const ALERT_KIND = 'deposit_reported'

/** Context with which a slip is sealed: copied to another row, it cannot be opened. */
export function slipContext(resellerId: bigint, id: bigint): string {
  return `deposit_slip:${resellerId}:${id}`
}
