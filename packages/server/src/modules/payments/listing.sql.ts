import type { Queryable, Statement } from '../../db/database.ts'
import type { CodeFilter } from './history.rules.ts'
import type { Stretch } from './listing.rules.ts'
import type { PaymentCode } from './types.ts'

export type ListedRow = {
  id: bigint
  refid: string
  product_code: string
  product_name: string
  account: string
  amount: bigint
  face_value: bigint
  cost: bigint
  code: PaymentCode
  biller_code: string | null
  remarks: string
  failure: string | null
  serial_number: string | null
  expiry: string | null
  sealed_output: Buffer | null
  sender: string
  member_id: string
  created_at: Date
  changed_at: Date
}

export type ListingQuery = {
  readonly resellerId: bigint
  /** Newest first, apart from one another. */
  readonly stretches: readonly Stretch[]
  readonly account: string | null
  readonly product: string | null
  readonly codes: CodeFilter
  readonly limit: number
}

/** Newest first. A stretch is one of the primary key, or of payments_account; nothing before it is walked through. */
export async function listPaymentStretches(connection: Queryable, query: ListingQuery): Promise<ListedRow[]> {
  const { statement, values } = stretchStatement(query)
  const { rows } = await connection.query<ListedRow>(statement, values)
  return rows
}

function stretchStatement(query: ListingQuery): { statement: Statement; values: unknown[] } {
  const { account, product, codes } = query
  const values: unknown[] = [
    query.resellerId,
    query.stretches.map(({ fromId }) => fromId),
    query.stretches.map(({ untilId }) => untilId),
    query.limit,
  ]
  const asked: { readonly name: string; readonly condition: string }[] = []
  const value = (each: unknown) => `$${values.push(each)}`
  if (account !== null) asked.push({ name: 'account', condition: `account = ${value(account)}` })
  if (product !== null) asked.push({ name: 'product', condition: `product_code = ${value(product)}` })
  if (codes !== null) {
    const known = `code = any(${value(codes.codes)}::smallint[])`
    const other = `${value(codes.hasFailed)}::boolean and code <> all('{0,1,20,53}'::smallint[])`
    asked.push({ name: 'code', condition: `(${known} or (${other}))` })
  }
  return {
    statement: {
      name: ['payments_stretches', ...asked.map(({ name }) => name)].join('_'),
      text: `
        select p.* from unnest($2::bigint[], $3::bigint[]) as s (from_id, until_id)
         cross join lateral (
           select id, refid, product_code, product_name, account, amount, face_value, cost, code, biller_code, remarks,
                  failure, serial_number, expiry, sealed_output, sender, member_id, created_at, changed_at
             from payments
            where reseller_id = $1 and id >= s.from_id and id < s.until_id
                  ${asked.map(({ condition }) => `and ${condition}`).join(' ')}
            order by id desc limit $4) p
         order by p.id desc limit $4`,
    },
    values,
  }
}
