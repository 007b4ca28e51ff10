import type { PaymentCode } from '../payment/types.ts'
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
  created_at: Date
  changed_at: Date
}

export const LINE_COLUMNS = `
  id, refid, product_code, product_name, account, amount, face_value, cost, code, biller_code, remarks, failure,
  serial_number, expiry, sealed_output, sender, member_id, created_at, changed_at`

export type LineFilter = {
  readonly account: string | null
  readonly product: string | null
  readonly codes: CodeFilter
}

/**
 * Builds only the conditions that are asked for, so that each combination has a plan of its own. `name` is part of the
 * statement's name.
 */
export function conditionsOf(
  { account, product, codes }: LineFilter,
  value: (each: unknown) => string,
): { readonly name: string; readonly text: string } {
  const names: string[] = []
  const conditions: string[] = []
  const ask = (name: string, condition: string) => {
    names.push(`_${name}`)
    conditions.push(`and ${condition}`)
  }
  if (account !== null) ask('account', `account = ${value(account)}`)
  if (product !== null) ask('product', `product_code = ${value(product)}`)
  if (codes !== null) {
    const known = `code = any(${value(codes.codes)}::smallint[])`
    const other = `${value(codes.hasFailed)}::boolean and code <> all('{0,1,20,53}'::smallint[])`
    ask('code', `(${known} or (${other}))`)
  }
  return { name: names.join(''), text: conditions.join(' ') }
}
