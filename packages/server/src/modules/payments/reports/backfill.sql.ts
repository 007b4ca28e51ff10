import { byteaArray, plainArray, textArray } from '../../../db/arrays.ts'
import type { Tx } from '../../../db/database.ts'
import type { PaymentRow } from '../core/sql.ts'
import type { PaymentCode } from '../core/types.ts'

export async function readNow(tx: Tx): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>('select now() as now')
  const [row] = rows
  if (row === undefined) throw new Error('the database did not tell the time')
  return row.now
}

/** Takes numbers that tell the payments of one millisecond apart. */
export async function takeNumbers(tx: Tx, count: number): Promise<bigint[]> {
  const { rows } = await tx.query<{ number: bigint }>(
    `select nextval('payment_numbers') & 1048575 as number from generate_series(1, $1::integer)`,
    [count],
  )
  return rows.map(({ number }) => number)
}

export type BackfilledRow = Omit<PaymentRow, 'reseller_id' | 'seller'> & {
  plan_code: string | null
  provider: string
}

export async function insertBackfilledRows(
  tx: Tx,
  resellerId: bigint,
  rows: readonly BackfilledRow[],
): Promise<void> {
  const plain = (read: (row: BackfilledRow) => bigint | number) => plainArray(rows.map(read))
  const text = (read: (row: BackfilledRow) => string | null) => textArray(rows.map(read))
  const time = (read: (row: BackfilledRow) => Date) => text((row) => read(row).toISOString())
  await tx.query(
    `insert into payments (reseller_id, id, refid, product_code, product_name, account, canonical_account, amount,
                           face_value, cost, balance_after, code, subproduct_code, biller_code, ref2, plan_code, sealed_input, remarks,
                           failure, serial_number, expiry, note, sealed_output, sender, member_id, provider,
                           created_at, changed_at)
     select $1, p.* from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
                                $9::bigint[], $10::bigint[], $11::bigint[], $12::smallint[], $13::text[], $14::text[],
                                $15::text[], $16::text[], $17::bytea[], $18::text[], $19::text[], $20::text[],
                                $21::text[], $22::text[], $23::bytea[], $24::text[], $25::text[], $26::text[],
                                $27::timestamptz[], $28::timestamptz[]) as p`,
    [
      resellerId,
      plain((row) => row.id),
      text((row) => row.refid),
      text((row) => row.product_code),
      text((row) => row.product_name),
      text((row) => row.account),
      text((row) => row.canonical_account),
      plain((row) => row.amount),
      plain((row) => row.face_value),
      plain((row) => row.cost),
      plain((row) => row.balance_after),
      plain((row) => row.code),
      text((row) => row.subproduct_code),
      text((row) => row.biller_code),
      text((row) => row.ref2),
      text((row) => row.plan_code),
      byteaArray(rows.map((row) => row.sealed_input)),
      text((row) => row.remarks),
      text((row) => row.failure),
      text((row) => row.serial_number),
      text((row) => row.expiry),
      text((row) => row.note),
      byteaArray(rows.map((row) => row.sealed_output)),
      text((row) => row.sender),
      text((row) => row.member_id),
      text((row) => row.provider),
      time((row) => row.created_at),
      time((row) => row.changed_at),
    ],
  )
}

export type BackfilledChange = {
  readonly paymentId: bigint
  readonly code: PaymentCode
  readonly detail: string
  readonly at: Date
}

/** Inserts changes of state in the order in which they happened. */
export async function insertBackfilledChanges(
  tx: Tx,
  resellerId: bigint,
  changes: readonly BackfilledChange[],
): Promise<void> {
  await tx.query(
    `insert into payment_changes (reseller_id, payment_id, kind, code, detail, at)
     select $1, c.payment_id, 'state', c.code, c.detail, c.at
       from unnest($2::bigint[], $3::smallint[], $4::text[], $5::timestamptz[]) with ordinality
         as c (payment_id, code, detail, at, place)
      order by c.place`,
    [
      resellerId,
      plainArray(changes.map((change) => change.paymentId)),
      plainArray(changes.map((change) => change.code)),
      textArray(changes.map((change) => change.detail)),
      textArray(changes.map((change) => change.at.toISOString())),
    ],
  )
}

export type BackfilledWork = {
  readonly paymentId: bigint
  readonly attempt: number
  readonly submittedAt: Date
  readonly dueAt: Date
}

/** Inserts the work of payments that are under way. Nobody holds it, and their providers are asked next. */
export async function insertBackfilledWork(
  tx: Tx,
  resellerId: bigint,
  works: readonly BackfilledWork[],
): Promise<void> {
  if (works.length === 0) return
  await tx.query(
    `insert into payment_work (reseller_id, payment_id, attempt, submitted_at, next_at, is_leased, due_at)
     select $1, w.payment_id, w.attempt, w.submitted_at, now(), false, w.due_at
       from unnest($2::bigint[], $3::smallint[], $4::timestamptz[], $5::timestamptz[])
         as w (payment_id, attempt, submitted_at, due_at)`,
    [
      resellerId,
      plainArray(works.map((work) => work.paymentId)),
      plainArray(works.map((work) => work.attempt)),
      textArray(works.map((work) => work.submittedAt.toISOString())),
      textArray(works.map((work) => work.dueAt.toISOString())),
    ],
  )
}
