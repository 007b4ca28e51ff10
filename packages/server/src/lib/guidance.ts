/**
 * Ways in which a caller may send a request again after an answer.
 *
 * - `never`: it would end the same way, or must not be repeated.
 * - `after_change`: after the caller corrected what was wrong. A rejected payment keeps its refid.
 * - `later`: unchanged, after `Retry-After` or a few seconds. Nothing was done.
 * - `ask_first`: it is not known whether it was done. Read first; a payment is read by sending it again with its refid.
 * - `new_refid`: the payment is final. Another attempt is another payment.
 * - `poll`: unchanged, every 5 to 10 seconds, until the payment is final.
 * - `not_needed`: it is done.
 */
export const RETRIES = [
  'never',
  'after_change',
  'later',
  'ask_first',
  'new_refid',
  'poll',
  'not_needed',
] as const
export type Retry = (typeof RETRIES)[number]

/** Help for the reader of an answer: why it came, what to do, and whether to send the request again. */
export type Guidance = { readonly cause: string; readonly remedy: string; readonly retry: Retry }

/** Ways in which a program may send the same request again by itself, without a person and without a change. */
const SAFE: ReadonlySet<Retry> = new Set<Retry>(['later', 'poll', 'not_needed'])

export function isRetrySafe(retry: Retry): boolean {
  return SAFE.has(retry)
}
