import { text } from './fields.ts'

// Fields of the record that a person leaves behind.

const REASON_LENGTH_MAX = 200

/** Reason of an act, as the audit log, cases and settlements keep it. */
export const REASON = text(1, 500)

/** Reason as the catalogue's and the stock's own records keep it. */
export const SHORT_REASON = text(1, REASON_LENGTH_MAX)

/** Shortens a reason that the audit log took to the length of a short one. */
export function shortReason(reason: string): string {
  return [...reason].slice(0, REASON_LENGTH_MAX).join('')
}

/** Remarks of a posting, as the wallet's statement shows them. */
export const REMARKS = text(1, 200)

/** Name of a posting or of a run, chosen by the person: under the same name nothing moves twice. */
export const REFERENCE = text(1, 100)

/** Name of a person, for the record. */
export const AUTHOR = text(1, 100)
