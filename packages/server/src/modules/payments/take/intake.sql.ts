import { defineBatchCall } from '../../../db/calls.ts'
import type { Queryable } from '../../../db/database.ts'
import type { KeyCaps } from '../../accounts/types.ts'
import type { ReachedRow } from '../limits/types.ts'
import type { IntakeCommand } from './intake.types.ts'

export type IntakeRow = {
  /** Position of the command, from 1. */
  command: number
  verdict:
    | 'nonce'
    | 'created'
    | 'existing'
    | 'late'
    | 'unquoted'
    | 'repeated'
    | 'limited'
    | 'out_of_stock'
    | 'outranked'
    | 'insufficient'
    | 'absent'
    | 'lost'
  balance: bigint
  /** Id of the payment that was created or exists. */
  id: bigint | null
  /** Milliseconds of the rejection by the database's clock; null: it was not rejected. */
  rejected_ms: number | null
  /** Limit or cap that a limited payment would be over. */
  reached: ReachedRow | null
}

export type SealedCommand = IntakeCommand & { readonly sealedInput: Buffer | null }

/** Batch call of take_payments. An array without any value is sent as null, which costs the function nothing. */
const TAKE = defineBatchCall<SealedCommand>()(
  { name: 'payments_take', text: 'select * from take_payments(...)' },
  [
    ['p_digests', 'uuid[]', ({ nonce }) => nonce?.digest ?? null],
    ['p_request_ids', 'uuid[]', ({ nonce, requestId }) => nonce?.requestId ?? requestId ?? null],
    ['p_signed_at', 'float8[]', ({ nonce }) => nonce?.timestampSeconds ?? null],
    ['p_resellers', 'bigint[]', ({ resellerId }) => resellerId],
    ['p_refids', 'text[]', ({ request }) => request.refid],
    ['p_products', 'text[]', ({ decision }) => decision?.productCode ?? null],
    ['p_product_names', 'text[]', ({ decision }) => decision?.productName ?? null],
    ['p_accounts', 'text[]', ({ request }) => request.account],
    [
      'p_canonical_accounts',
      'text[]',
      ({ decision }) => decision?.canonicalAccount ?? null,
      hasOtherSpelling,
    ],
    ['p_amounts', 'bigint[]', ({ decision }) => decision?.amount ?? null],
    ['p_face_values', 'bigint[]', ({ decision }) => decision?.faceValue ?? null],
    ['p_costs', 'bigint[]', ({ decision }) => decision?.cost ?? null],
    ['p_subproducts', 'text[]', ({ request }) => request.extras.subproductCode],
    ['p_billers', 'text[]', ({ request }) => request.extras.billerCode],
    ['p_ref2s', 'text[]', ({ request }) => request.extras.ref2],
    ['p_plans', 'text[]', ({ decision }) => decision?.planCode ?? null],
    ['p_sealed_inputs', 'bytea[]', ({ sealedInput }) => sealedInput],
    ['p_remarks', 'text[]', ({ request }) => request.remarks],
    ['p_senders', 'text[]', ({ sender }) => sender],
    ['p_members', 'text[]', ({ memberId }) => memberId],
    ['p_providers', 'text[]', ({ provider }) => provider],
    ['p_due_seconds', 'integer[]', ({ decision }) => decision?.dueAfterSeconds ?? null],
    ['p_stock', 'boolean[]', sellsStock, sellsStock],
    ['p_route_notes', 'text[]', ({ routeNote }) => routeNote, hasRouteNote],
    ['p_quotes', 'uuid[]', quoteOf, isQuoted],
    ['p_duplicate_seconds', 'integer[]', ({ duplicateSeconds = 0 }) => duplicateSeconds, isGuarded],
    ['p_categories', 'text[]', ({ decision }) => decision?.category ?? null],
    ['p_purposes', 'bigint[]', ({ purposeId }) => purposeId ?? null, hasPurpose],
    ['p_max_costs', 'bigint[]', ({ caps }) => caps?.maxAmount ?? null, isCapped((caps) => caps.maxAmount)],
    ['p_daily_caps', 'bigint[]', ({ caps }) => caps?.dailyCap ?? null, isCapped((caps) => caps.dailyCap)],
    [
      'p_monthly_caps',
      'bigint[]',
      ({ caps }) => caps?.monthlyCap ?? null,
      isCapped((caps) => caps.monthlyCap),
    ],
    ['p_looks', 'boolean[]', ({ isLookupOnly }) => isLookupOnly, ({ isLookupOnly }) => isLookupOnly],
    ['p_asked_at', 'bigint[]', ({ times }) => times.signedAtSeconds],
    ['p_received_at', 'float8[]', ({ times }) => times.receivedAtMs],
    ['p_not_after', 'float8[]', ({ times }) => times.notAfterMs],
  ],
  { p_skew_seconds: 'integer', p_lease_ms: 'integer' },
)

/** Takes a batch in one call and one commit: see functions/payments/take_payments.sql. */
export async function takePayments(
  connection: Queryable,
  commands: readonly SealedCommand[],
  settings: { skewMaxSeconds: number; leaseMs: number },
): Promise<IntakeRow[]> {
  const { rows } = await connection.query<IntakeRow>(
    TAKE.statement,
    TAKE.valuesOf(commands, { p_skew_seconds: settings.skewMaxSeconds, p_lease_ms: settings.leaseMs }),
  )
  return rows
}

function sellsStock({ decision, reservesStock }: SealedCommand): boolean {
  return decision !== null && reservesStock
}

function quoteOf({ decision }: SealedCommand): string | null {
  return decision?.quoteId ?? null
}

function isQuoted(command: SealedCommand): boolean {
  return quoteOf(command) !== null
}

function hasOtherSpelling({ decision }: SealedCommand): boolean {
  return decision?.canonicalAccount !== undefined
}

function isGuarded({ decision, duplicateSeconds = 0 }: SealedCommand): boolean {
  return decision !== null && duplicateSeconds > 0
}

function hasPurpose({ decision, purposeId }: SealedCommand): boolean {
  return decision !== null && purposeId !== undefined
}

function isCapped(capOf: (caps: KeyCaps) => bigint | null): (command: SealedCommand) => boolean {
  return ({ decision, caps }) => decision !== null && caps !== undefined && capOf(caps) !== null
}

function hasRouteNote({ decision, routeNote }: SealedCommand): boolean {
  return decision !== null && routeNote !== null
}
