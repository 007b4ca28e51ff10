import { guardFormula, printCsv } from '../../../lib/input/csv.ts'
import type { Mismatch } from './reconcile.types.ts'

export function printMismatchHeadings(): string {
  return printCsv([['kind', 'cause', 'line', 'refid', 'transaction_id', 'theirs', 'ours', 'detail']])
}

export function printMismatches(mismatches: readonly Mismatch[]): string {
  return printCsv(
    mismatches.map((each) => [
      each.kind,
      each.cause,
      each.line === 0 ? '' : String(each.line),
      guardFormula(each.refid),
      each.paymentId === null ? '' : String(each.paymentId),
      guardFormula(each.theirs),
      guardFormula(each.ours),
      guardFormula(each.detail),
    ]),
  )
}
