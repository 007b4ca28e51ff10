import type { Queryable } from '../../../db/database.ts'
import { dayOf } from '../../../lib/dates.ts'
import type { Amount } from '../../../lib/money.ts'
import type { NumberPlans } from '../../../lib/numbers/plans.ts'
import { customersOf } from '../../catalog/model/accounts.rules.ts'
import type { PaymentCode, SellerKind } from '../core/types.ts'
import type { Status } from './history.rules.ts'
import { DAYS_MAX, statusOf } from './history.rules.ts'
import { rangeOfDays } from './listing.rules.ts'
import { idRangesOf } from './summaries.rules.ts'
import type { SummaryRow } from './summaries.sql.ts'
import {
  findFirstAt,
  listSummariesById,
  listSummariesByRefid,
  listSummariesInRanges,
  listSummariesOfCustomer,
} from './summaries.sql.ts'

/** Payment without anything that is worth money by itself, so that no vault is needed to read it. */
export type PaymentSummary = {
  readonly id: bigint
  readonly refid: string
  readonly status: Status
  readonly code: PaymentCode
  readonly productCode: string
  readonly productName: string
  readonly account: string
  readonly amount: Amount
  readonly faceValue: Amount
  readonly cost: Amount
  readonly remarks: string
  readonly memberId: string
  readonly seller?: SellerKind | null | undefined
  readonly createdAt: Date
  readonly changedAt: Date
}

export type SummaryQuery = {
  readonly resellerId: bigint
  readonly text: string
  /** Plans by which numbers are read. */
  readonly plans: NumberPlans
  readonly nowMs: number
}

export async function listSummaries(
  connection: Queryable,
  resellerId: bigint,
  ids: readonly bigint[],
): Promise<PaymentSummary[]> {
  return ids.length === 0 ? [] : (await listSummariesById(connection, resellerId, ids)).map(toSummary)
}

/**
 * Finds payments of one account whose refid or id begins with the text, and those of the last year to the customer whom
 * it names, however the number is written.
 */
export async function findSummaries(
  connection: Queryable,
  { resellerId, text, plans, nowMs }: SummaryQuery,
  limit: number,
): Promise<PaymentSummary[]> {
  const byRefid = await listSummariesByRefid(connection, resellerId, text, limit)
  const ranges = idRangesOf(text)
  const byId = ranges.length === 0 ? [] : await listSummariesInRanges(connection, resellerId, ranges, limit)
  const today = dayOf(nowMs)
  const year = rangeOfDays({ from: today - DAYS_MAX, to: today }, null)
  const customers = customersOf(text, plans)
  const byCustomer = await listSummariesOfCustomer(connection, resellerId, customers, year, limit)
  const found = new Map([...byRefid, ...byId, ...byCustomer].map((row) => [row.id, row]))
  return [...found.values()].slice(0, limit).map(toSummary)
}

/** Time of the account's first payment; null: it has none. */
export function findFirstPayment(connection: Queryable, resellerId: bigint): Promise<Date | null> {
  return findFirstAt(connection, resellerId)
}

function toSummary(row: SummaryRow): PaymentSummary {
  return {
    id: row.id,
    refid: row.refid,
    status: statusOf(row.code),
    code: row.code,
    productCode: row.product_code,
    productName: row.product_name,
    account: row.account,
    amount: row.amount,
    faceValue: row.face_value,
    cost: row.cost,
    remarks: row.failure ?? row.remarks,
    memberId: row.member_id,
    seller: row.seller,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  }
}
