import { byteaArray, plainArray, textArray } from '../../db/arrays.ts'
import type { Queryable } from '../../db/database.ts'
import type { Amount } from '../wallet/types.ts'
import type { PaymentCode } from './types.ts'

/** One step along the table of states; null fields stay as they are. */
export type Move = {
  readonly resellerId: bigint
  readonly id: bigint
  readonly code: PaymentCode
  readonly failure: string | null
  readonly serialNumber: string | null
  readonly expiry: string | null
  readonly note: string | null
  readonly sealedOutput: Buffer | null
  /** Code 1 only: when to ask next. */
  readonly nextMs: number | null
  /** Which attempt this was heard of; left out: it is about the payment itself. */
  readonly attempt?: number | null
}

const RESOLVE = {
  name: 'payments_resolve',
  text: 'select command, balance from resolve_payments($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
}

/** The moves that were made, by their place in the list from 0, with the balance that a refund left. */
export async function resolvePayments(
  connection: Queryable,
  moves: readonly Move[],
): Promise<Map<number, Amount | null>> {
  const text = (read: (move: Move) => string | null) => textArray(moves.map(read))
  const { rows } = await connection.query<{ command: number; balance: bigint | null }>(RESOLVE, [
    plainArray(moves.map((move) => move.resellerId)),
    plainArray(moves.map((move) => move.id)),
    plainArray(moves.map((move) => move.code)),
    text((move) => move.failure),
    text((move) => move.serialNumber),
    text((move) => move.expiry),
    text((move) => move.note),
    byteaArray(moves.map((move) => move.sealedOutput)),
    plainArray(moves.map((move) => move.nextMs)),
    plainArray(moves.map((move) => move.attempt ?? null)),
  ])
  return new Map(rows.map((row) => [row.command - 1, row.balance]))
}
