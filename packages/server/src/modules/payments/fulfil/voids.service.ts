import type { Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import type { Order } from '../../providers/port/types.ts'
import { referenceOf } from '../core/schedule.rules.ts'
import { openInput } from '../core/secrets.service.ts'
import { findFulfilled } from './voids.sql.ts'
import { findAttemptProvider } from './work.sql.ts'

/** Order that a provider fulfilled, as it was sent there. */
export type FulfilledOrder = { readonly provider: string; readonly order: Order }

/** Finds the provider of the attempt that succeeded: the one that a void is requested from. */
export async function findFulfillingProvider(
  connection: Queryable,
  payment: { readonly resellerId: bigint; readonly id: bigint },
): Promise<string | undefined> {
  const row = await findFulfilled(connection, payment.resellerId, payment.id)
  return row && findAttemptProvider(connection, payment, row.attempt)
}

/** Returns the order of the attempt that succeeded, and its provider: a void is requested with them. */
export async function getFulfilledOrder(
  connection: Queryable,
  vault: Vault,
  payment: { readonly resellerId: bigint; readonly id: bigint },
): Promise<FulfilledOrder> {
  const row = await findFulfilled(connection, payment.resellerId, payment.id)
  const provider = row && (await findAttemptProvider(connection, payment, row.attempt))
  if (row === undefined || provider === undefined) {
    throw new Error(`payment ${payment.id} has no attempt that succeeded`)
  }
  const order = await withFreshKeys(vault, () => ({
    reference: row.supplier_reference ?? referenceOf(row.id, row.attempt),
    supplierId: row.supplier_id,
    productCode: row.product_code,
    account: row.account,
    amount: row.amount,
    faceValue: row.face_value,
    subproductCode: row.plan_code,
    billerCode: row.biller_code,
    ref2: row.ref2,
    icNumber: openInput(vault, row.reseller_id, row.refid, row.sealed_input),
    submittedAt: row.submitted_at,
  }))
  return { provider, order }
}
