import { defineCall } from '../../../db/calls.ts'
import type { Queryable } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'

/** Attempt that a supplier says it took back, and how that was heard. */
export type ReversedAttempt = {
  readonly resellerId: bigint
  readonly id: bigint
  readonly attempt: number
  readonly provider: string
  /** Reference under which the supplier has it. */
  readonly reference: string
  readonly evidence: string
}

const NOTE = defineCall(
  { name: 'payments_note_reversal', text: 'select note_reversal(...) as verdict' },
  {
    p_reseller: 'bigint',
    p_payment: 'bigint',
    p_attempt: 'smallint',
    p_provider: 'text',
    p_reference: 'text',
    p_word: 'text',
    p_evidence: 'text',
    p_ends: 'boolean',
  },
)

/** `open`: the payment is not final. `taken`: it succeeded by this attempt. `beside`: the attempt did not end it. */
export type ReversalVerdict = 'open' | 'taken' | 'beside'

/** Notes the word of a supplier once, with the case and the alert that follow from it. `isFailure`: a failure follows. */
export async function noteReversal(
  connection: Queryable,
  about: ReversedAttempt & { readonly word: string; readonly isFailure: boolean },
): Promise<ReversalVerdict> {
  const values = NOTE.valuesOf({
    p_reseller: about.resellerId,
    p_payment: about.id,
    p_attempt: about.attempt,
    p_provider: about.provider,
    p_reference: about.reference,
    p_word: about.word,
    p_evidence: about.evidence,
    p_ends: about.isFailure,
  })
  const { rows } = await connection.query<{ verdict: ReversalVerdict }>(NOTE.statement, values)
  assert(rows[0] !== undefined, 'note_reversal gives a verdict')
  return rows[0].verdict
}
