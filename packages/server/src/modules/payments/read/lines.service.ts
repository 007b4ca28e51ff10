import type { Vault } from '../../../db/vault.ts'
import { openOutput } from '../core/secrets.service.ts'
import type { Payment } from '../core/types.ts'
import type { LineRow } from './lines.sql.ts'

/** Payment as lists show it: a part of its fields, without the sealed input. */
export type PaymentLine = Pick<
  Payment,
  | 'id'
  | 'refid'
  | 'productCode'
  | 'productName'
  | 'account'
  | 'amount'
  | 'faceValue'
  | 'cost'
  | 'code'
  | 'remarks'
  | 'sender'
  | 'memberId'
  | 'seller'
  | 'createdAt'
  | 'changedAt'
> & {
  readonly billerCode: string | null
  readonly output: Pick<Payment['output'], 'serialNumber' | 'pin' | 'expiry' | 'voucherLink'>
}

/** Converts a row to a line and opens its secrets. */
export function toLine(vault: Vault, resellerId: bigint, row: LineRow): PaymentLine {
  return {
    id: row.id,
    refid: row.refid,
    productCode: row.product_code,
    productName: row.product_name,
    account: row.account,
    amount: row.amount,
    faceValue: row.face_value,
    cost: row.cost,
    code: row.code,
    billerCode: row.biller_code,
    remarks: row.failure ?? row.remarks,
    sender: row.sender,
    memberId: row.member_id,
    seller: row.seller,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    output: {
      serialNumber: row.serial_number ?? '',
      expiry: row.expiry ?? '',
      ...openOutput(vault, resellerId, row.id, row.sealed_output),
    },
  }
}
