import type { Database, Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { openInput, openOutput } from './secrets.service.ts'
import type { PaymentRow } from './sql.ts'
import { findPaymentRow, findPaymentRowById } from './sql.ts'
import type { Payment } from './types.ts'

/** Converts a row to a payment and opens its secrets. */
export function toPayment(vault: Vault, row: PaymentRow): Payment {
  const { pin, voucherLink } = openOutput(vault, row.reseller_id, row.id, row.sealed_output)
  return {
    resellerId: row.reseller_id,
    id: row.id,
    refid: row.refid,
    productCode: row.product_code,
    productName: row.product_name,
    account: row.account,
    canonicalAccount: row.canonical_account,
    amount: row.amount,
    faceValue: row.face_value,
    cost: row.cost,
    balanceAfter: row.balance_after,
    code: row.code,
    extras: {
      subproductCode: row.subproduct_code,
      billerCode: row.biller_code,
      ref2: row.ref2,
      icNumber: openInput(vault, row.reseller_id, row.refid, row.sealed_input),
    },
    remarks: row.failure ?? row.remarks,
    output: {
      serialNumber: row.serial_number ?? '',
      pin,
      expiry: row.expiry ?? '',
      voucherLink,
      note: row.note ?? '',
    },
    sender: row.sender,
    memberId: row.member_id,
    seller: row.seller,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  }
}

export async function findPayment(
  connection: Queryable,
  vault: Vault,
  resellerId: bigint,
  refid: string,
): Promise<Payment | undefined> {
  const row = await findPaymentRow(connection, resellerId, refid)
  return row && withFreshKeys(vault, () => toPayment(vault, row))
}

export async function findPaymentById(
  database: Database,
  vault: Vault,
  resellerId: bigint,
  id: bigint,
): Promise<Payment | undefined> {
  const row = await findPaymentRowById(database, resellerId, id)
  return row && withFreshKeys(vault, () => toPayment(vault, row))
}
