import { createHash } from 'node:crypto'
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
