import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import type { Batch, BatchLine } from './types.ts'
import { BATCHES_MAX, KEPT_LINES_MAX } from './types.ts'

/** Keeps a reseller's batches from changing until the transaction ends. */
export async function lockBatches(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query(`select from payment_batches where reseller_id = $1 for update`, [resellerId])
}

export async function insertBatch(
  tx: Tx,
  resellerId: bigint,
  batch: {
    readonly memberId: bigint
    readonly name: string
    readonly scheduleId?: bigint
    readonly run?: number
  },
): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(
    `insert into payment_batches (reseller_id, member_id, name, schedule_id, run)
     values ($1, $2, $3, $4, $5) returning id`,
    [resellerId, batch.memberId, batch.name, batch.scheduleId ?? null, batch.run ?? null],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the batch was not kept')
  return row.id
}

/** Adds lines to a batch. A line that is there already stays as it is. */
export async function insertBatchLines(
  tx: Tx,
  resellerId: bigint,
  batchId: bigint,
  lines: readonly BatchLine[],
): Promise<void> {
  const text = (read: (line: BatchLine) => string | null) => textArray(lines.map(read))
  await tx.query(
    `insert into payment_batch_lines (reseller_id, batch_id, line, refid, product, account, amount, subproduct_code,
                                      biller_code, ref2, remarks, reference)
     select $1, $2, l.* from unnest($3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                                    $9::text[], $10::text[], $11::text[], $12::text[]) as l
     on conflict do nothing`,
    [
      resellerId,
      batchId,
      plainArray(lines.map(({ line }) => line)),
      text(({ refid }) => refid),
      text(({ product }) => product),
      text(({ account }) => account),
      text(({ amount }) => amount),
      text(({ subproductCode }) => subproductCode),
      text(({ billerCode }) => billerCode),
      text(({ ref2 }) => ref2),
      text(({ remarks }) => remarks),
      text(({ reference }) => reference),
    ],
  )
}

/** Notes why the run of a schedule left a line out. */
export async function noteRefusal(
  tx: Tx,
  resellerId: bigint,
  batchId: bigint,
  { line, refusal }: { readonly line: number; readonly refusal: string },
): Promise<void> {
  await tx.query(
    'update payment_batch_lines set refusal = $4 where reseller_id = $1 and batch_id = $2 and line = $3',
    [resellerId, batchId, line, refusal],
  )
}

/** Deletes the oldest batches beyond the limits. The newest one stays, however long it is. */
export async function deleteOldBatches(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query(
    `delete from payment_batches b using (
       select id, row_number() over (order by id desc) as place, sum(lines) over (order by id desc) as lines
         from (select b.id, (select count(*) from payment_batch_lines l
                              where l.reseller_id = $1 and l.batch_id = b.id) as lines
                 from payment_batches b where b.reseller_id = $1) counted
     ) old
      where b.reseller_id = $1 and b.id = old.id and old.place > 1 and (old.place > $2 or old.lines > $3)`,
    [resellerId, BATCHES_MAX, KEPT_LINES_MAX],
  )
}

export async function findBatchOwner(
  connection: Queryable,
  resellerId: bigint,
  batchId: bigint,
): Promise<bigint | undefined> {
  const { rows } = await connection.query<{ member_id: bigint }>(
    'select member_id from payment_batches where reseller_id = $1 and id = $2',
    [resellerId, batchId],
  )
  return rows[0]?.member_id
}

type BatchRow = {
  id: bigint
  member_id: bigint
  name: string
  created_at: Date
  schedule_id: bigint | null
  run: number | null
  cost: bigint
  lines: bigint
  successful: bigint
  pending: bigint
  refunded: bigint
  unpaid: bigint
}

const LIST = {
  name: 'payment_batches_list_2',
  // The limit keeps each refid an index lookup: a join of the whole could read all payments of the reseller.
  text: `
    select b.id, b.member_id, b.name, b.created_at, b.schedule_id, b.run, count(l.line) as lines,
           coalesce(sum(p.cost) filter (where p.code in (0, 1, 20)), 0)::bigint as cost,
           count(*) filter (where p.code = 20) as successful, count(*) filter (where p.code in (0, 1)) as pending,
           count(*) filter (where p.code = 53) as refunded,
           count(l.line) filter (where p.code is null) as unpaid
      from payment_batches b
      left join payment_batch_lines l on l.reseller_id = b.reseller_id and l.batch_id = b.id
      left join lateral (
        select code, cost from payments
         where reseller_id::text || '/' || refid = $1::bigint::text || '/' || l.refid and reseller_id = $1
         limit 1) p on true
     where b.reseller_id = $1 and ($3::bigint is null or b.id = $3)
     group by b.reseller_id, b.id order by b.id desc limit $2`,
}

/** Lists batches with what became of their lines, newest first. `only`: one of them; null: all. */
export async function listBatchRows(
  connection: Queryable,
  resellerId: bigint,
  only: bigint | null = null,
): Promise<Batch[]> {
  const { rows } = await connection.query<BatchRow>(LIST, [resellerId, BATCHES_MAX, only])
  return rows.map(({ id, member_id: memberId, name, created_at: createdAt, ...row }) => {
    const [lines, successful, pending] = [Number(row.lines), Number(row.successful), Number(row.pending)]
    const [refunded, unpaid] = [Number(row.refunded), Number(row.unpaid)]
    const failed = lines - successful - pending - refunded - unpaid
    const { schedule_id: scheduleId, run, cost } = row
    const counts = { lines, successful, pending, failed, refunded, unpaid, cost }
    return { id, memberId, name, createdAt, scheduleId, run, counts }
  })
}

type LineRow = Pick<
  BatchLine,
  'line' | 'refid' | 'product' | 'account' | 'amount' | 'ref2' | 'remarks' | 'reference' | 'refusal'
> & { subproduct_code: string | null; biller_code: string | null }

/** Lists lines of a batch in the order of the file, behind a line. */
export async function listBatchLineRows(
  connection: Queryable,
  resellerId: bigint,
  batchId: bigint,
  page: { readonly after: number; readonly limit: number },
): Promise<BatchLine[]> {
  const { rows } = await connection.query<LineRow>(
    `select line, refid, product, account, amount, subproduct_code, biller_code, ref2, remarks, reference, refusal
       from payment_batch_lines
      where reseller_id = $1 and batch_id = $2 and line > $3 order by line limit $4`,
    [resellerId, batchId, page.after, page.limit],
  )
  return rows.map(({ subproduct_code: subproductCode, biller_code: billerCode, ...row }) => ({
    ...row,
    subproductCode,
    billerCode,
  }))
}
