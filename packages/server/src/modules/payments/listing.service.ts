import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { DayRange } from '../../lib/dates.ts'
import type { Amount } from '../wallet/types.ts'
import type { Status } from './history.rules.ts'
import { codeFilterOf, firstIdOf, possibleDays, STATUSES, statusOf, totalsOf } from './history.rules.ts'
import { openPicture, sumDays } from './history.sql.ts'
import type { ListedRow, ListingQuery } from './listing.sql.ts'
import { listPaymentStretch } from './listing.sql.ts'
import { findPayment, readFresh } from './records.service.ts'
import { openOutput } from './secrets.service.ts'
import { isFinal } from './states.rules.ts'
import { maskLink, maskSecret } from './support.rules.ts'
import type { Payment } from './types.ts'

export const PAYMENT_STATUSES: readonly Status[] = STATUSES
export type PaymentStatus = Status

/** How what is worth money is shown to those who may not use it; rules of other modules take it as a parameter. */
export const MASKS = { secret: maskSecret, link: maskLink }

export type PaymentFilter = {
  readonly days: DayRange
  /** Empty: all. */
  readonly statuses: readonly PaymentStatus[]
  readonly account: string | null
  readonly product: string | null
}

/** A payment as its account's own people see it in a list; its secrets are open. */
export type ListedPayment = Pick<
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
  | 'createdAt'
  | 'changedAt'
> & {
  readonly status: PaymentStatus
  readonly isFinal: boolean
  readonly billerCode: string | null
  readonly output: Pick<Payment['output'], 'serialNumber' | 'pin' | 'expiry' | 'voucherLink'>
}

export type PaymentPage = { readonly payments: readonly ListedPayment[]; readonly hasMore: boolean }

export type DayTotals = {
  readonly day: number
  readonly counts: Readonly<Record<PaymentStatus, bigint>>
  /** Over what succeeded or still may, in ringgit. */
  readonly faceValue: Amount
  readonly cost: Amount
}

export type PaymentListing = {
  /** Newest first; `before`: older than this payment alone. */
  list(
    resellerId: bigint,
    filter: PaymentFilter,
    page: { readonly before: bigint | null; readonly limit: number },
  ): Promise<PaymentPage>
  /** None or one: refids are unique. */
  findByRefid(resellerId: bigint, refid: string): Promise<ListedPayment | undefined>
  /** All that match, page by page, each read when it is asked for: what is held is one page, however many there are. */
  pages(resellerId: bigint, filter: PaymentFilter): AsyncGenerator<readonly ListedPayment[]>
  /** One for every day of the range, oldest first. */
  sumByDay(resellerId: bigint, days: DayRange): Promise<readonly DayTotals[]>
}

const EXPORT_PAGE = 1_000

export function createPaymentListing(settings: { database: Database; vault: Vault }): PaymentListing {
  const { database, vault } = settings

  async function stretch(query: ListingQuery): Promise<ListedPayment[]> {
    const rows = await listPaymentStretch(database, query)
    return readFresh(vault, () => rows.map((row) => toListed(vault, query.resellerId, row)))
  }

  return {
    async list(resellerId, filter, { before, limit }) {
      const query = queryOf(resellerId, filter, before, limit + 1)
      const found = query === undefined ? [] : await stretch(query)
      return { payments: found.slice(0, limit), hasMore: found.length > limit }
    },
    async findByRefid(resellerId, refid) {
      const payment = await findPayment(database, vault, resellerId, refid)
      return payment && { ...payment, ...statesOf(payment.code), billerCode: payment.extras.billerCode }
    },
    async *pages(resellerId, filter) {
      let before: bigint | null = null
      for (;;) {
        const query = queryOf(resellerId, filter, before, EXPORT_PAGE)
        const page: ListedPayment[] = query === undefined ? [] : await stretch(query)
        if (page.length > 0) yield page
        if (page.length < EXPORT_PAGE) return
        before = page.at(-1)?.id ?? null
      }
    },
    async sumByDay(resellerId, days) {
      const sums = await database.transaction(async (tx) => {
        await openPicture(tx)
        return sumDays(tx, resellerId, days, null)
      })
      return Array.from({ length: days.to - days.from + 1 }, (_, index) => {
        const day = days.from + index
        const { counts, faceValue, cost } = totalsOf(sums.filter((sum) => sum.day === day))
        return { day, counts, faceValue, cost }
      })
    },
  }
}

/** undefined: there can be no payments in those days. */
function queryOf(
  resellerId: bigint,
  { days: wanted, statuses, account, product }: PaymentFilter,
  before: bigint | null,
  limit: number,
): ListingQuery | undefined {
  const days = possibleDays(wanted)
  if (days === undefined) return undefined
  const end = firstIdOf(days.to + 1)
  return {
    resellerId,
    fromId: firstIdOf(days.from),
    untilId: before !== null && before < end ? before : end,
    account,
    product,
    codes: codeFilterOf(statuses),
    limit,
  }
}

function statesOf(code: Payment['code']): Pick<ListedPayment, 'status' | 'isFinal'> {
  return { status: statusOf(code), isFinal: isFinal(code) }
}

function toListed(vault: Vault, resellerId: bigint, row: ListedRow): ListedPayment {
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
    ...statesOf(row.code),
    billerCode: row.biller_code,
    remarks: row.failure ?? row.remarks,
    sender: row.sender,
    memberId: row.member_id,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    output: {
      serialNumber: row.serial_number ?? '',
      expiry: row.expiry ?? '',
      ...openOutput(vault, resellerId, row.id, row.sealed_output),
    },
  }
}
