import { isBigintText } from '../../../lib/input/ids.ts'
/** Answer as a file holds it: its kind, and the command that writes it to the database. */
export type StoredOutcome = { readonly kind: string; readonly command: unknown }

const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 10_000
const FIRST_REFUSED_MS = 60_000
const LAST_REFUSED_MS = 3_600_000

/**
 * Returns the time until the next try. Content that the database refuses is most likely refused again until somebody
 * changes something. It therefore waits much longer than an answer that met an outage.
 */
export function retryAfterMs(tries: number, isRefused: boolean): number {
  const [first, last] = isRefused ? [FIRST_REFUSED_MS, LAST_REFUSED_MS] : [FIRST_RETRY_MS, LAST_RETRY_MS]
  return Math.min(last, first * 2 ** Math.min(tries, 30))
}

/** SQL states of data exceptions, broken constraints, and statements that the schema does not know. */
const REFUSALS = /^(22|23|42)/

/** Tells whether PostgreSQL refused the content itself: the same content fails again. */
export function isRefusal(sqlState: string | undefined): boolean {
  return sqlState !== undefined && REFUSALS.test(sqlState)
}

const FORMAT = 1

/** Encodes answers as plain JSON; a bigint becomes `{"bigint":"…"}`. The caller seals it: answers hold PINs. */
export function encodeOutcomes(outcomes: readonly StoredOutcome[]): string {
  return JSON.stringify({ format: FORMAT, outcomes }, (_, value: unknown) =>
    typeof value === 'bigint' ? { bigint: String(value) } : value,
  )
}

export function decodeOutcomes(text: string): StoredOutcome[] {
  const read = JSON.parse(text, (_, value: unknown) => (isBigint(value) ? BigInt(value.bigint) : value)) as {
    format?: unknown
    outcomes?: unknown
  }
  if (read.format !== FORMAT || !Array.isArray(read.outcomes)) {
    throw new Error('it holds outcomes in a format that this version does not know')
  }
  return read.outcomes as StoredOutcome[]
}

function isBigint(value: unknown): value is { bigint: string } {
  if (typeof value !== 'object' || value === null) return false
  const entries = Object.entries(value)
  const [name, digits] = entries[0] ?? []
  return entries.length === 1 && name === 'bigint' && typeof digits === 'string' && isBigintText(digits)
}
