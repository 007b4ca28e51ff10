import { createHash } from 'node:crypto'
import { invalidFields } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney, parseMoney } from '../../../lib/money.ts'

// A file of payments. Every line gets a refid from its content, so that the same file, uploaded again or in another
// order, names the same payments, and the refid keeps them from being made twice.

export const BULK_LINES_MAX = 1_000

/** Line of the file, as the page read it. Texts are judged like those of a payment. */
export type BulkLine = {
  /** Number of the line in the file; it goes back with the answer, and has no other meaning. */
  readonly line: number
  readonly product: string
  readonly account: string
  readonly amount: string
  readonly extras?: BulkExtras | undefined
  readonly remarks?: string | undefined
  /** Text of the reseller's own that tells equal payments apart, such as an invoice number. */
  readonly reference?: string | undefined
}

export type BulkExtras = {
  readonly subproduct_code?: string | null | undefined
  readonly biller_code?: string | null | undefined
  readonly ref2?: string | null | undefined
  readonly ic_number?: string | null | undefined
}

export type NamedLine = {
  readonly refid: string
  /** 1 for the first line of this content, 2 for the second, and so on. */
  readonly occurrence: number
}

export const BULK_STATUSES = ['ready', 'problem', 'unchecked', 'exists'] as const
/**
 * Status of a line. `exists`: a payment with its refid was made before. `unchecked`: a supplier has to be asked first,
 * and did not answer.
 */
export type BulkStatus = (typeof BULK_STATUSES)[number]

/** Sum of the lines of one status. */
export type BulkTotal = {
  readonly count: number
  readonly faceValue: Amount
  readonly cost: Amount
  readonly price: Amount
}

export type BulkTotals = {
  readonly lines: number
  readonly byStatus: Readonly<Record<BulkStatus, BulkTotal>>
}

const NO_LINES: BulkTotal = { count: 0, faceValue: 0n, cost: 0n, price: 0n }

/** Totals of the lines that came before, in the form of an answer. */
export type CarriedTotals = {
  readonly lines: number
  readonly by_status: Readonly<
    Record<
      BulkStatus,
      { readonly count: number; readonly face_value: string; readonly cost: string; readonly price: string }
    >
  >
}

/** Reads totals that a page carries from the answer before. Throws a 400 when they are no amounts. */
export function readCarried(carried: CarriedTotals | undefined): BulkTotals {
  const totals = BULK_STATUSES.map((status): [BulkStatus, BulkTotal] => {
    if (carried === undefined) return [status, NO_LINES]
    const { count, face_value: faceValue, cost, price } = carried.by_status[status]
    return [
      status,
      { count, faceValue: carriedAmount(faceValue), cost: carriedAmount(cost), price: carriedAmount(price) },
    ]
  })
  return {
    lines: carried?.lines ?? 0,
    byStatus: Object.fromEntries(totals) as Record<BulkStatus, BulkTotal>,
  }
}

function carriedAmount(text: string): Amount {
  const amount = parseMoney(text)
  if (amount === undefined) throw invalidFields({ carried: ['must be the totals of the answer before'] })
  return amount
}

const REFID_PREFIX = 'bulk-'
const REFID_DIGITS = 40

/**
 * Derives the refid of each line from the reseller, the batch's name, the line's content and how many equal lines came
 * before it. The order of the file does not matter: equal lines are interchangeable. The identity number is left out,
 * because a refid is shown to everybody and a digest of so few digits could be guessed; two lines that differ in it
 * alone count as equal, and paying them in another order is refused as a conflict, never done twice.
 */
export function nameLines(account: string, batch: string, lines: readonly BulkLine[]): NamedLine[] {
  const seen = new Map<string, number>()
  return lines.map((line) => {
    const content = contentOf(line)
    const occurrence = (seen.get(content) ?? 0) + 1
    seen.set(content, occurrence)
    const text = JSON.stringify(['bulk', 1, account, batch, content, occurrence])
    const digest = createHash('sha256').update(text, 'utf8').digest('hex')
    return { refid: `${REFID_PREFIX}${digest.slice(0, REFID_DIGITS)}`, occurrence }
  })
}

function contentOf({ product, account, amount, extras = {}, reference = '' }: BulkLine): string {
  const { subproduct_code: plan, biller_code: biller, ref2 } = extras
  const parts = [product, account, plainAmount(amount), plan ?? '', biller ?? '', ref2 ?? '', reference]
  return JSON.stringify(parts.map((part) => part.normalize('NFC')))
}

/** Writes equal amounts in one way: 10, 10.0 and 10.00 are the same payment. */
function plainAmount(text: string): string {
  const amount = parseMoney(text)
  return amount === undefined ? text : formatMoney(amount)
}
