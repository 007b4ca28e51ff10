import { formatDayFirst } from '../../lib/dates.ts'
import { PRODUCT } from '../payments/core/fields.rules.ts'
import type { BillProblem, BillResult } from './types.ts'

// Clients compare these texts, so they never change.

const VALID = 'Account no is valid'
const NOT_PRESENTED = 'Bill presentment is unavailable for this product'
const UNAVAILABLE = 'Service unavailable. Please try again later'

/** Only the account's refusal keeps a customer from paying; the others say that the question was wrong. */
const PROBLEMS: Readonly<Record<BillProblem, string>> = {
  product: 'The provided product is invalid',
  account: 'Invalid account no',
  biller_code: 'The provided biller code is invalid',
  ref2: 'Ref-2 is required',
  amount: 'The provided amount is invalid',
}

/** Shows every field always; null: the biller did not return it. */
const NOTHING_GIVEN = {
  BillerName: null,
  CustomerName: null,
  Outstanding: null,
  Balance: null,
  Data: null,
  Address: null,
  'E-Bill': null,
  CustomField: null,
  DueDate: null,
}

/** Shows a refusal, with empty texts instead of null. */
const NOTHING = {
  BillerName: '',
  CustomerName: '',
  Outstanding: null,
  Balance: '',
  Data: '',
  Address: '',
  'E-Bill': '',
  CustomField: '',
  DueDate: '',
} as const

const PRODUCT_LENGTH_MAX = Number(PRODUCT.schema.maxLength)

export function billView(productCode: string, result: BillResult, now: Date) {
  const metadata = {
    status_code: 200 as const,
    product_code: productCode.slice(0, PRODUCT_LENGTH_MAX),
    last_updated: formatDayFirst(now),
  }
  switch (result.kind) {
    case 'found':
      return { data: { message: VALID, ...NOTHING_GIVEN, ...result.bill }, metadata, ...payable(VALID) }
    case 'not_presented':
      return { data: { message: NOT_PRESENTED, ...NOTHING_GIVEN }, metadata, ...payable(NOT_PRESENTED) }
    case 'unavailable':
      return { data: { message: UNAVAILABLE, ...NOTHING_GIVEN }, metadata, ...payable(UNAVAILABLE) }
    case 'refused': {
      const text = PROBLEMS[result.problem]
      return {
        data: { message: text, ...NOTHING },
        metadata: { ...metadata, status_code: 400 as const },
        transaction_validity: null,
        transaction_message: null,
        error_message: text,
      }
    }
  }
}

/** Fields of an answer after which the customer may pay. */
function payable(message: string) {
  return { transaction_validity: true, transaction_message: message, error_message: '' } as const
}
