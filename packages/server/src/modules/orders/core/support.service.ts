import type { Queryable } from '../../../db/database.ts'
import type { ResellerNames } from '../../accounts/public.sql.ts'
import { listResellerNames } from '../../accounts/public.sql.ts'
import { ORDER_CODE } from './fields.rules.ts'
import { listUnitRows } from './records.sql.ts'
import type { SupportLineRow, SupportRow } from './support.sql.ts'
import { findAnyRow, listPlainLines } from './support.sql.ts'
import type { Order, OrderLine, OrderUnit } from './types.ts'

/** Order as operators see it: how it goes, and nothing that its customer typed. */
export type OrderReport = ResellerNames &
  Pick<
    Order,
    | 'code'
    | 'reference'
    | 'state'
    | 'total'
    | 'refund'
    | 'paymentReference'
    | 'cancelReason'
    | 'createdAt'
    | 'expiresAt'
    | 'confirmedAt'
    | 'completedAt'
    | 'units'
  > & {
    readonly lines: readonly ReportLine[]
    /** Time of the next look: its expiry, or the next look at its payments. Null: it is final. */
    readonly nextAt: Date | null
    /** Looks at its payments since it was confirmed. Null: it is final. */
    readonly looks: number | null
  }

export type ReportLine = Pick<
  OrderLine,
  'line' | 'productCode' | 'productName' | 'amount' | 'quantity' | 'unitPrice'
>

/** Refid of a unit: the order's code, the line and the number of the unit. */
const UNIT_REFID = /^(ord_[0-9a-z]{24})-\d{1,2}-\d{1,2}$/

/**
 * Finds an order of any reseller by its id, or by the refid of one of its payments. It changes nothing: an order past
 * its expiry is shown as it is.
 */
export async function findAnyOrder(connection: Queryable, name: string): Promise<OrderReport | undefined> {
  const code = ORDER_CODE.read(UNIT_REFID.exec(name)?.[1] ?? name)
  const row = code === undefined ? undefined : await findAnyRow(connection, code)
  if (row === undefined) return undefined
  const { reseller_id: resellerId, id } = row
  // Units are read after their order: one that is final then has final units.
  const [lines, units, names] = await Promise.all([
    listPlainLines(connection, resellerId, id),
    listUnitRows(connection, [{ resellerId, id }]),
    listResellerNames(connection, [resellerId]),
  ])
  return {
    ...(names.get(resellerId) ?? { account: '', name: '' }),
    ...toReport(row),
    lines: lines.map(toLine),
    units: units.map(
      ({ line, number, refid, state, price, payment_id: paymentId, error }): OrderUnit => ({
        line,
        number,
        refid,
        state,
        price,
        paymentId,
        error,
      }),
    ),
  }
}

function toReport(row: SupportRow): Omit<OrderReport, keyof ResellerNames | 'lines' | 'units'> {
  return {
    code: row.code,
    reference: row.reference,
    state: row.state,
    total: row.total,
    refund: row.refund,
    paymentReference: row.payment_reference,
    cancelReason: row.cancel_reason,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    confirmedAt: row.confirmed_at,
    completedAt: row.completed_at,
    nextAt: row.next_at,
    looks: row.looks,
  }
}

function toLine(row: SupportLineRow): ReportLine {
  return {
    line: row.line,
    productCode: row.product_code,
    productName: row.product_name,
    amount: row.amount,
    quantity: row.quantity,
    unitPrice: row.unit_price,
  }
}
