import { SELLER } from '../core/sql.ts'
import type { PaymentCode, SellerKind } from '../core/types.ts'
import type { CodeFilter } from './history.rules.ts'

/** Row of a payment as lists show it. */
export type LineRow = {
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
  seller: SellerKind | null
  created_at: Date
  changed_at: Date
}

export const LINE_COLUMNS = `
  id, refid, product_code, product_name, account, amount, face_value, cost, code, biller_code, remarks, failure,
  serial_number, expiry, sealed_output, sender, member_id, ${SELLER}, created_at, changed_at`

/**
 * Builds the bounds of the series of stretches of time that a range of ids touches. The index payments_of_customer begins
 * with the stretch, so a customer's payments are looked up in one stretch after the other, for each account that the
 * customer may be: `from generate_series(BOUNDS) as stretches (stretch) cross join unnest($1::text[]) as customers
 * (account) cross join lateral (select … where OF_CUSTOMER …)`. One text may be two customers: a number that was written
 * otherwise, and an account that is no number.
 */
export function stretchBounds(fromId: string, untilId: string): string {
  return `${fromId} >> 52, (${untilId} - 1) >> 52`
}

/** Finds a customer, however the number was written. */
export const CUSTOMER = 'coalesce(canonical_account, account)'

/** Builds the conditions of a customer's payments in one stretch, at one reseller or at all of them (null). */
export function ofCustomer(resellerId: string | null): string {
  const ofReseller = resellerId === null ? '' : `and reseller_id + 0 = ${resellerId}`
  return `(id >> 52)::smallint = stretches.stretch::smallint and ${CUSTOMER} = customers.account ${ofReseller}`
}

export type LineFilter = {
  /** Accounts of the customer in their canonical form; null: any. */
  readonly accounts: readonly string[] | null
  readonly product: string | null
  readonly codes: CodeFilter
  /** Member who sold them; null and left out: anybody. */
  readonly member?: string | null
}

/** Finds the payments of a member. An API key with the same number is not meant. */
export function ofMember(member: string): string {
  return `member_id = ${member} and purpose_id is null and category is not null`
}

/**
 * Builds only the conditions that are asked for, so that each combination has a plan of its own. `name` is part of the
 * statement's name. The condition of a customer is built by `ofCustomer`; it has only its part of the name from here.
 */
export function conditionsOf(
  { accounts, product, codes, member = null }: LineFilter,
  value: (each: unknown) => string,
): { readonly name: string; readonly text: string } {
  const names: string[] = accounts === null ? [] : ['_account']
  const conditions: string[] = []
  const ask = (name: string, condition: string) => {
    names.push(`_${name}`)
    conditions.push(`and ${condition}`)
  }
  if (member !== null) ask('member', ofMember(value(member)))
  if (product !== null) ask('product', `product_code = ${value(product)}`)
  if (codes !== null) {
    const known = `code = any(${value(codes.codes)}::smallint[])`
    const other = `${value(codes.hasFailed)}::boolean and code <> all('{0,1,20,53}'::smallint[])`
    ask('code', `(${known} or (${other}))`)
  }
  return { name: names.join(''), text: conditions.join(' ') }
}
