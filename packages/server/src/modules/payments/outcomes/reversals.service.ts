import type { Queryable } from '../../../db/database.ts'
import type { Outcome, Reversed } from '../../providers/port/types.ts'
import type { ReversedAttempt } from './reversals.sql.ts'
import { noteReversal } from './reversals.sql.ts'

/**
 * `open`: the payment is not final, and a person decides about it. `taken`: it succeeded by this attempt; a case was
 * opened.
 */
export type JudgedReversal = 'open' | 'taken' | Extract<Outcome, { kind: 'failed' }>

const REJECTED = 48

/**
 * Keeps a supplier's word that it took an attempt back, with the case and the alert that follow from it, in one commit.
 * It moves no money. A failure is returned for an attempt by which the payment did not succeed.
 */
export async function judgeReversal(
  connection: Queryable,
  { reason, code }: Reversed,
  about: ReversedAttempt,
): Promise<JudgedReversal> {
  const word = maskedWord(reason)
  const verdict = await noteReversal(connection, { ...about, word, isFailure: code !== undefined })
  if (verdict === 'taken' || (verdict === 'open' && code === undefined)) return verdict
  return { kind: 'failed', code: code ?? REJECTED, reason }
}

const WORD_MAX = 200
const DIGITS = /\d{6,}/g
const SHOWN_DIGITS = 4

/** Makes a supplier's words one line of limited length, without numbers that name a person or open something. */
export function maskedWord(reason: string): string {
  const line = reason.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()
  const masked = line.replaceAll(DIGITS, (digits) => `…${digits.slice(-SHOWN_DIGITS)}`)
  return [...masked].slice(0, WORD_MAX).join('')
}
