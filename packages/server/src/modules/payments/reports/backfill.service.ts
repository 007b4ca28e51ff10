import type { Tx } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { assert } from '../../../lib/errors.ts'
import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { Amount } from '../../../lib/money.ts'
import type { FulfilledOutput } from '../../providers/port/types.ts'
import type { BackfilledMovement } from '../../wallet/balance/backfill.service.ts'
import { insertBackfilledMovements } from '../../wallet/balance/backfill.service.ts'
import { referenceOf } from '../core/schedule.rules.ts'
import { sealInput, sealOutput } from '../core/secrets.service.ts'
import { ACCEPTED, isFinal, mayMove, PROCESSING, SUCCEEDED, VOIDED } from '../core/states.rules.ts'
import type { Decision, PaymentCode, PaymentRequest } from '../core/types.ts'
import type { BackfilledRow, BackfilledWork } from './backfill.sql.ts'
import {
  insertBackfilledChanges,
  insertBackfilledRows,
  insertBackfilledWork,
  readNow,
  takeNumbers,
} from './backfill.sql.ts'

/** Payment that was taken in the past. */
export type BackfilledPayment = {
  readonly request: PaymentRequest
  readonly decision: Decision
  readonly provider: string
  readonly sender: string
  readonly memberId: string
  readonly createdAt: Date
  /** Changes of state, oldest first. The payment is work that goes on when the last one is not final. */
  readonly steps: readonly BackfilledStep[]
}

export type BackfilledStep = { readonly at: Date } & (
  | { readonly kind: 'processing' }
  /** Success, with the output that the provider gave for the order of this reference. */
  | { readonly kind: 'succeeded'; readonly outputFor: (reference: string) => FulfilledOutput }
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly reason: string }
  | { readonly kind: 'voided' }
)

export type Backfill = {
  readonly resellerId: bigint
  readonly payments: readonly BackfilledPayment[]
  /** Movements of the wallet's money that no payment made. */
  readonly otherMovements: readonly BackfilledMovement[]
}

/** Reads the time by the database's clock. */
export { readNow }

type Numbered = BackfilledPayment & { readonly id: bigint }

/**
 * Inserts a history for a reseller whose wallet has no entries: payments, their money and their timelines, as the
 * intake and the resolver would have left them.
 */
export async function insertBackfill(tx: Tx, vault: Vault, backfill: Backfill): Promise<void> {
  const { resellerId, otherMovements } = backfill
  const payments = await numbered(tx, backfill.payments)
  const movements = [...otherMovements, ...payments.flatMap(movementsOf)].sort(
    (a, b) => a.at.getTime() - b.at.getTime(),
  )
  const balances = await insertBackfilledMovements(tx, resellerId, movements)
  const lastBalances = new Map<bigint | null, Amount>()
  for (const [index, { paymentId }] of movements.entries()) {
    lastBalances.set(paymentId, balances[index] ?? 0n)
  }
  const rows = payments.map((payment) =>
    rowOf(vault, resellerId, payment, lastBalances.get(payment.id) ?? 0n),
  )
  await insertBackfilledRows(tx, resellerId, rows)
  const changes = payments.flatMap(({ id, steps }) =>
    steps.map((step) => ({
      paymentId: id,
      code: codeOf(step),
      detail: failureOf(step) ?? '',
      at: step.at,
    })),
  )
  await insertBackfilledChanges(
    tx,
    resellerId,
    changes.sort((a, b) => a.at.getTime() - b.at.getTime()),
  )
  await insertBackfilledWork(tx, resellerId, payments.filter(isUnderWay).map(workOf))
}

function isUnderWay({ steps }: BackfilledPayment): boolean {
  const last = steps.at(-1)
  return last !== undefined && !isFinal(codeOf(last))
}

const SECOND_MS = 1_000

function workOf({ id, createdAt, decision }: Numbered): BackfilledWork {
  const dueAt = new Date(createdAt.getTime() + decision.dueAfterSeconds * SECOND_MS)
  return { paymentId: id, attempt: FIRST_ATTEMPT, submittedAt: createdAt, dueAt }
}

async function numbered(tx: Tx, payments: readonly BackfilledPayment[]): Promise<Numbered[]> {
  const numbers = await takeNumbers(tx, payments.length)
  return payments.map((payment, index) => {
    assertLifeIsAllowed(payment)
    const id = (BigInt(payment.createdAt.getTime()) << 20n) | (numbers[index] ?? 0n)
    return { ...payment, id }
  })
}

function assertLifeIsAllowed({ createdAt, steps }: BackfilledPayment): void {
  let code: PaymentCode = ACCEPTED
  let at = createdAt
  for (const step of steps) {
    const next = codeOf(step)
    assert(mayMove(code, next) && step.at >= at, `a payment moves from ${code} to ${next} in its time`)
    code = next
    at = step.at
  }
}

function codeOf(step: BackfilledStep): PaymentCode {
  switch (step.kind) {
    case 'processing':
      return PROCESSING
    case 'succeeded':
      return SUCCEEDED
    case 'voided':
      return VOIDED
    case 'failed':
      return step.code
  }
}

const VOIDED_REASON = 'Refund'

function failureOf(step: BackfilledStep): string | null {
  if (step.kind === 'failed') return step.reason
  return step.kind === 'voided' ? VOIDED_REASON : null
}

/** Lists the movements of a payment: the debit when it was taken, and the refund if there was one. */
function movementsOf({ id, decision, request, createdAt, steps }: Numbered): BackfilledMovement[] {
  const remarks = `${decision.productCode} ${request.account}`
  const refunds = steps.filter((step) => step.kind === 'failed' || step.kind === 'voided')
  return [
    { kind: 'payment', amount: -decision.cost, remarks, paymentId: id, at: createdAt },
    ...refunds.map(
      ({ at }): BackfilledMovement => ({ kind: 'refund', amount: decision.cost, remarks, paymentId: id, at }),
    ),
  ]
}

const FIRST_ATTEMPT = 1

function rowOf(vault: Vault, resellerId: bigint, payment: Numbered, balanceAfter: Amount): BackfilledRow {
  const { id, request, decision, steps } = payment
  const { refid, account, remarks, extras } = request
  const last = steps.at(-1)
  assert(last !== undefined, 'a payment of the past was sent')
  const success = steps.find((step) => step.kind === 'succeeded')
  const output = success?.outputFor(referenceOf(id, FIRST_ATTEMPT))
  return {
    id,
    refid,
    product_code: decision.productCode,
    product_name: decision.productName,
    account,
    canonical_account: decision.canonicalAccount ?? null,
    amount: decision.amount,
    face_value: decision.faceValue,
    cost: decision.cost,
    balance_after: balanceAfter,
    code: codeOf(last),
    subproduct_code: extras.subproductCode,
    biller_code: extras.billerCode,
    ref2: extras.ref2,
    plan_code: decision.planCode,
    sealed_input: sealInput(vault, resellerId, refid, extras.icNumber),
    remarks,
    failure: failureOf(last),
    serial_number: output?.serialNumber ?? null,
    expiry: output?.expiry ?? null,
    note: output?.note ?? null,
    sealed_output: output === undefined ? null : sealOutput(vault, resellerId, id, output),
    sender: payment.sender,
    member_id: payment.memberId,
    provider: payment.provider,
    created_at: payment.createdAt,
    changed_at: last.at,
  }
}
