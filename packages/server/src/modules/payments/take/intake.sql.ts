import { byteaArray, plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { IntakeCommand } from './intake.types.ts'

export type IntakeRow = {
  /** From 1 */
  command: number
  verdict:
    | 'nonce'
    | 'created'
    | 'existing'
    | 'late'
    | 'out_of_stock'
    | 'outranked'
    | 'insufficient'
    | 'absent'
  balance: bigint
  /** Of what was created or exists. */
  id: bigint | null
  /** When it was rejected, by the database's clock; null: it was not. */
  rejected_ms: number | null
}

const TAKE = {
  name: 'payments_take',
  text: `select * from take_payments($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
                                     $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)`,
}

export type SealedCommand = IntakeCommand & { readonly sealedInput: Buffer | null }

/** One call, one commit: see the migration for what the database does with it. */
export async function takePayments(
  connection: Queryable,
  commands: readonly SealedCommand[],
  settings: { skewMaxSeconds: number; leaseMs: number },
): Promise<IntakeRow[]> {
  const plain = (read: (command: SealedCommand) => string | number | bigint | null) =>
    plainArray(commands.map(read))
  const text = (read: (command: SealedCommand) => string | null) => textArray(commands.map(read))
  const { rows } = await connection.query<IntakeRow>(TAKE, [
    plain(({ nonce }) => nonce?.digest ?? null),
    plain(({ nonce }) => nonce?.requestId ?? null),
    plain(({ nonce }) => nonce?.timestampSeconds ?? null),
    settings.skewMaxSeconds,
    plain(({ resellerId }) => resellerId),
    text(({ request }) => request.refid),
    text(({ decision }) => decision?.productCode ?? null),
    text(({ decision }) => decision?.productName ?? null),
    text(({ request }) => request.account),
    plain(({ decision }) => decision?.amount ?? null),
    plain(({ decision }) => decision?.faceValue ?? null),
    plain(({ decision }) => decision?.cost ?? null),
    text(({ request }) => request.extras.subproductCode),
    text(({ request }) => request.extras.billerCode),
    text(({ request }) => request.extras.ref2),
    text(({ decision }) => decision?.planCode ?? null),
    byteaArray(commands.map(({ sealedInput }) => sealedInput)),
    text(({ request }) => request.remarks),
    text(({ sender }) => sender),
    text(({ memberId }) => memberId),
    text(({ provider }) => provider),
    plain(({ decision }) => decision?.dueAfterSeconds ?? null),
    settings.leaseMs,
    commands.some(sellsStock) ? plain((command) => (sellsStock(command) ? 't' : 'f')) : null,
    commands.some(hasRouteNote) ? text(({ routeNote }) => routeNote) : null,
    commands.some(({ onlyLooks }) => onlyLooks) ? plain(({ onlyLooks }) => (onlyLooks ? 't' : 'f')) : null,
    plain(({ times }) => times.signedAtSeconds),
    plain(({ times }) => times.receivedAtMs),
    plain(({ times }) => times.notAfterMs),
  ])
  return rows
}

function sellsStock({ decision, reservesStock }: SealedCommand): boolean {
  return decision !== null && reservesStock
}

function hasRouteNote({ decision, routeNote }: SealedCommand): boolean {
  return decision !== null && routeNote !== null
}
