import { defineBatchCall } from '../../../db/calls.ts'
import type { Queryable } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import type { PaymentCode } from '../core/types.ts'

/** Step in the table of states; null fields stay as they are. */
export type Move = {
  readonly resellerId: bigint
  readonly id: bigint
  readonly code: PaymentCode
  readonly failure: string | null
  readonly serialNumber: string | null
  readonly expiry: string | null
  readonly note: string | null
  readonly sealedOutput: Buffer | null
  /** Milliseconds until the next question; code 1 only. */
  readonly nextMs: number | null
  /** Attempt that the outcome is about; left out: it is about the payment itself. */
  readonly attempt?: number | null
  /** Source of the outcome, when it was not the provider's own answer. */
  readonly evidence?: string | null
  /** Lease that must still be held for this move to count; left out: the lease does not matter. */
  readonly lease?: number | null
}

/** Results by position in the list, from 0. */
export type Resolution = {
  /** Moves that were made, with the balance after a refund. */
  readonly moved: ReadonlyMap<number, Amount | null>
  /** Outcomes that contradict a final state and were not received before. */
  readonly contradictions: readonly number[]
}

const RESOLVE = defineBatchCall<Move>()(
  {
    name: 'payments_resolve',
    text: 'select command, balance, is_contradiction from resolve_payments(...)',
  },
  [
    ['p_resellers', 'bigint[]', (move) => move.resellerId],
    ['p_ids', 'bigint[]', (move) => move.id],
    ['p_codes', 'smallint[]', (move) => move.code],
    ['p_failures', 'text[]', (move) => move.failure],
    ['p_serials', 'text[]', (move) => move.serialNumber],
    ['p_expiries', 'text[]', (move) => move.expiry],
    ['p_notes', 'text[]', (move) => move.note],
    ['p_sealed_outputs', 'bytea[]', (move) => move.sealedOutput],
    ['p_next_ms', 'integer[]', (move) => move.nextMs],
    ['p_attempts', 'smallint[]', (move) => move.attempt ?? null],
    ['p_evidence', 'text[]', (move) => move.evidence ?? null],
    ['p_leases', 'integer[]', (move) => move.lease ?? null],
  ],
  {},
)

type ResolvedRow = { command: number; balance: bigint | null; is_contradiction: boolean }

export async function resolvePayments(connection: Queryable, moves: readonly Move[]): Promise<Resolution> {
  const { rows } = await connection.query<ResolvedRow>(RESOLVE.statement, RESOLVE.valuesOf(moves, {}))
  const [said, done] = [
    rows.filter((row) => row.is_contradiction),
    rows.filter((row) => !row.is_contradiction),
  ]
  return {
    moved: new Map(done.map((row) => [row.command - 1, row.balance])),
    contradictions: said.map((row) => row.command - 1),
  }
}
