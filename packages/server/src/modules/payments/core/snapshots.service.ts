import type { Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import type { Amount } from '../../../lib/money.ts'
import { toPayment } from './records.service.ts'
import type { PaymentRow } from './sql.ts'
import { listPaymentRows } from './sql.ts'
import { stateOf } from './states.rules.ts'
import type { Payment, PaymentCode } from './types.ts'

/** A payment at one moment of its life. */
export type PaymentMoment = {
  readonly resellerId: bigint
  readonly id: bigint
  /** State at that moment; null: the present state. */
  readonly code: PaymentCode | null
  /** Balance of the wallet at that moment; null: the balance after the payment's latest movement of money. */
  readonly balance: Amount | null
  readonly at: Date
}

export type PaymentSnapshot = {
  /** Payment as it was, without the identity number: no receiver gets that. */
  readonly payment: Payment
  readonly state: ReturnType<typeof stateOf>
  /** Present state code of the payment. */
  readonly presentCode: PaymentCode
}

/** Returns the payments in the order of the moments; undefined where there is no such payment. */
export async function readPaymentsAt(
  connection: Queryable,
  vault: Vault,
  moments: readonly PaymentMoment[],
): Promise<(PaymentSnapshot | undefined)[]> {
  if (moments.length === 0) return []
  const keys = new Map(moments.map((moment) => [keyOf(moment.resellerId, moment.id), moment]))
  const rows = await listPaymentRows(connection, [...keys.values()])
  const found = new Map(rows.map((row) => [keyOf(row.reseller_id, row.id), row]))
  return withFreshKeys(vault, () =>
    moments.map((moment) => {
      const row = found.get(keyOf(moment.resellerId, moment.id))
      if (row === undefined) return undefined
      const payment = toPayment(vault, rowAt(row, moment))
      return { payment, state: stateOf(payment.code), presentCode: row.code }
    }),
  )
}

function keyOf(resellerId: bigint, id: bigint): string {
  return `${resellerId} ${id}`
}

const NO_OUTPUT = { serial_number: null, expiry: null, note: null, sealed_output: null } as const

/**
 * Restores a row as it was at a moment. Only the state, its time and the balance are ever replaced; fields that a later
 * state added are left out.
 */
function rowAt(row: PaymentRow, { code: codeThen, balance, at }: PaymentMoment): PaymentRow {
  const code = codeThen ?? row.code
  const state = stateOf(code)
  const isUndone = state === 'failed' || state === 'voided'
  const isFulfilled = state === 'succeeded' || state === 'voided'
  return {
    ...row,
    code,
    changed_at: at,
    balance_after: balance ?? row.balance_after,
    failure: isUndone ? row.failure : null,
    sealed_input: null,
    ...(!isFulfilled && NO_OUTPUT),
  }
}
