import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { PaymentCode } from '../core/types.ts'
import type { CodeFilter } from './history.rules.ts'
import { CUSTOMER, ofCustomer, stretchBounds } from './lines.sql.ts'

export type FoundRow = {
  reseller_id: bigint
  id: bigint
  refid: string
  product_code: string
  product_name: string
  account: string
  /** Account in its canonical form. */
  customer: string
  amount: bigint
  face_value: bigint
  cost: bigint
  code: PaymentCode
  remarks: string
  failure: string | null
  provider: string
  created_at: Date
  changed_at: Date
}

/** SearchPath by which payments are found: one index, or the queue of work. All other conditions filter its result. */
export type SearchPath =
  | { readonly by: 'id'; readonly id: bigint }
  | { readonly by: 'refid'; readonly resellerIds: readonly bigint[]; readonly refid: string }
  | { readonly by: 'account'; readonly accounts: readonly string[] }
  | { readonly by: 'reseller'; readonly resellerId: bigint }
  | { readonly by: 'pending' }
  | { readonly by: 'time' }

export type SearchQuery = {
  readonly way: SearchPath
  readonly resellerId: bigint | null
  readonly product: string | null
  readonly provider: string | null
  /** Number that the provider gave to the order. */
  readonly serialNumber: string | null
  /** Only payments past their due time. */
  readonly isOverdue: boolean
  readonly codes: CodeFilter
  /** Range of ids: `fromId` is included, `untilId` is not. */
  readonly fromId: bigint
  readonly untilId: bigint
  readonly limit: number
}

const COLUMNS = `reseller_id, id, refid, product_code, product_name, account, ${CUSTOMER} as customer, amount, face_value, cost, code, remarks,
  failure, provider, created_at, changed_at`

/**
 * Searches payments of all resellers, newest first. The ways that go back in time need a transaction in which the
 * planner is kept to their indexes: for rare payments it would otherwise read the whole table, with several workers at
 * once.
 */
export async function searchPayments(connection: Queryable, query: SearchQuery): Promise<FoundRow[]> {
  if (goesBackInTime(query.way)) await keepToIndexes(connection)
  const values: unknown[] = []
  const value = (each: unknown) => `$${values.push(each)}`
  const conditions = [
    ...searchPathOf(query, value),
    // The way to a customer has the reseller in its own form, for its index.
    ...(query.resellerId === null || query.way.by === 'account'
      ? []
      : [`reseller_id = ${value(query.resellerId)}`]),
    ...(query.product === null ? [] : [`product_code = ${value(query.product)}`]),
    ...(query.provider === null ? [] : [`provider = ${value(query.provider)}`]),
    ...(query.serialNumber === null ? [] : [`serial_number = ${value(query.serialNumber)}`]),
    // The queue of work is asked for it by itself.
    ...(query.isOverdue && query.way.by !== 'pending' ? [IS_OVERDUE] : []),
    ...codesOf(query.codes, value),
  ]
  const limit = value(query.limit)
  const source = sourceOf(query, conditions.join(' and '), value, limit)
  const { rows } = await connection.query<FoundRow>(
    // Materialized: to get the order, the planner would otherwise scan the payments of all resellers.
    `with found as materialized (${source})
     select * from found order by id desc limit ${limit}`,
    values,
  )
  return rows
}

const IS_OVERDUE = `exists (
  select from payment_work due
   where due.reseller_id = payments.reseller_id and due.payment_id = payments.id and due.due_at < now())`

function goesBackInTime({ by }: SearchPath): boolean {
  return by === 'reseller' || by === 'pending' || by === 'time'
}

async function keepToIndexes(connection: Queryable): Promise<void> {
  await connection.query(
    `set local enable_seqscan = off; set local enable_bitmapscan = off;
     set local max_parallel_workers_per_gather = 0`,
  )
}

function sourceOf(
  query: SearchQuery,
  conditions: string,
  value: (each: unknown) => string,
  limit: string,
): string {
  const { way, isOverdue } = query
  if (way.by === 'account') return sourceOfCustomer(query, way.accounts, conditions, value)
  if (way.by !== 'pending') {
    return `select ${COLUMNS} from payments where ${conditions} ${orderOf(way, limit)}`
  }
  // `limit 1` makes it one lookup in the primary key per payment, until the page is full.
  const due = isOverdue ? 'where due_at < now()' : ''
  return `select p.* from (select reseller_id, payment_id from payment_work ${due} order by payment_id desc) w
            join lateral (
              select ${COLUMNS} from payments
               where reseller_id = w.reseller_id and id = w.payment_id and ${conditions} limit 1
            ) p on true
           order by w.payment_id desc limit ${limit}`
}

/** Looks in one stretch of time after the other. A search without days begins and ends with the payments that there are. */
function sourceOfCustomer(
  { fromId, untilId }: SearchQuery,
  accounts: readonly string[],
  conditions: string,
  value: (each: unknown) => string,
): string {
  const bounds = stretchBounds(
    `greatest(${value(fromId)}::bigint, (select min(id + 0) from payments))`,
    `least(${value(untilId)}::bigint, (select max(id + 0) from payments) + 1)`,
  )
  // Offset: the planner keeps the subquery, and looks it up by the index for each stretch.
  return `select p.* from generate_series(${bounds}) as stretches (stretch)
           cross join unnest(${value(accounts)}::text[]) as customers (account)
           cross join lateral (
             select ${COLUMNS} from payments where ${conditions} offset 0) p`
}

function searchPathOf(
  { way, resellerId, fromId, untilId }: SearchQuery,
  value: (each: unknown) => string,
): string[] {
  switch (way.by) {
    case 'id':
      return [`id + 0 = ${value(way.id)}`, `id >= ${value(fromId)}`, `id < ${value(untilId)}`]
    case 'refid': {
      const keys = textArray(way.resellerIds.map((id) => `${id}/${way.refid}`))
      return [
        `reseller_id::text || '/' || refid = any(${value(keys)}::text[])`,
        `id >= ${value(fromId)}`,
        `id < ${value(untilId)}`,
      ]
    }
    case 'account':
      return [
        ofCustomer(resellerId === null ? null : value(resellerId)),
        // `+id` is in no index: the primary key could serve a range of ids, of days that are newer than the statistics.
        `+id >= ${value(fromId)}`,
        `+id < ${value(untilId)}`,
      ]
    case 'reseller':
      return [`reseller_id = ${value(way.resellerId)}`, `id >= ${value(fromId)}`, `id < ${value(untilId)}`]
    case 'pending':
      return [`w.payment_id >= ${value(fromId)}`, `w.payment_id < ${value(untilId)}`]
    case 'time':
      return [`id + 0 >= ${value(fromId)}`, `id + 0 < ${value(untilId)}`]
  }
}

/** Returns the order of a way that follows time itself: the scan then ends when the page is full. */
function orderOf(way: SearchPath, limit: string): string {
  if (way.by === 'time') return `order by id + 0 desc limit ${limit}`
  return way.by === 'reseller' ? `order by id desc limit ${limit}` : ''
}

function codesOf(codes: CodeFilter, value: (each: unknown) => string): string[] {
  if (codes === null) return []
  const known = `code = any(${value(codes.codes)}::smallint[])`
  const other = `${value(codes.hasFailed)}::boolean and code <> all('{0,1,20,53}'::smallint[])`
  return [`(${known} or (${other}))`]
}

const LIST_OVERDUE = {
  name: 'payments_search_overdue',
  text: `select w.payment_id, w.due_at
           from unnest($1::bigint[], $2::bigint[]) as p (reseller_id, id)
           join payment_work w on w.reseller_id = p.reseller_id and w.payment_id = p.id
          where w.due_at < now()`,
}

/** Finds since when these payments are past their due time; the others are left out. */
export async function listOverdue(
  connection: Queryable,
  payments: readonly Pick<FoundRow, 'reseller_id' | 'id'>[],
): Promise<ReadonlyMap<bigint, Date>> {
  if (payments.length === 0) return new Map()
  const { rows } = await connection.query<{ payment_id: bigint; due_at: Date }>(LIST_OVERDUE, [
    plainArray(payments.map((each) => each.reseller_id)),
    plainArray(payments.map((each) => each.id)),
  ])
  return new Map(rows.map((row) => [row.payment_id, row.due_at]))
}
