import { dayOf, LOCAL_OFFSET_MS } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Outcome } from '../port/types.ts'
import type { BookEntry } from './types.ts'

const COLUMNS = 'reference,product,account,amount,state,time'

const STATES = { succeeded: 'SUCCESS', failed: 'FAILED', pending: 'PENDING', unknown: 'PENDING' } as const

/** Formats the books of one day, GMT+8, as the file that a supplier sends the next morning. */
export function settlementOf(
  entries: Iterable<BookEntry>,
  day: number,
  stateOf: (entry: BookEntry) => Outcome['kind'],
): string {
  const lines = [COLUMNS]
  for (const entry of entries) {
    if (dayOf(entry.receivedAt.getTime()) === day) lines.push(lineOf(entry, stateOf(entry)))
  }
  return `${lines.join('\r\n')}\r\n`
}

function lineOf({ order, receivedAt, voidedAt }: BookEntry, state: Outcome['kind']): string {
  const fields = [
    order.reference,
    order.productCode,
    order.account,
    formatMoney(order.amount),
    voidedAt === null ? STATES[state] : 'VOIDED',
    localTimeOf(receivedAt),
  ]
  return fields.map(quoted).join(',')
}

/** Formats yyyy-MM-dd HH:mm:ss, GMT+8. */
function localTimeOf(instant: Date): string {
  return new Date(instant.getTime() + LOCAL_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}

function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
