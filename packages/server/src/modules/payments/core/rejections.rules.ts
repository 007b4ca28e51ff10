import type { FieldErrors } from '../../../lib/errors.ts'
import type { Guidance } from '../../../lib/guidance.ts'
import type { Rejection, RejectionCode } from './types.ts'

/** Rejection as it is declared. Clients compare its code and remarks: they never change. The message is for people. */
export type RejectionGuide = Guidance & {
  readonly code: RejectionCode
  readonly remarks: string
  readonly message: string
  /** Wire names of the fields that are at fault. */
  readonly fields?: readonly string[]
}

const PLAN_CODE = 'extras.subproduct_code'

const SUSPENDED = {
  code: 41,
  remarks: 'Account_Suspended',
  cause: 'Your account is suspended, or may read and not pay.',
  remedy: 'Ask the operator. Do not send it again before.',
  retry: 'after_change',
} as const

const INVALID_ACCOUNT = {
  code: 52,
  remarks: 'Invalid_Account',
  fields: ['account'],
  cause: "The account does not fit the product's pattern, or is not that of the named loan.",
  remedy: 'Have it checked by the customer. `errors.account` says what is expected.',
  retry: 'after_change',
} as const

/** Every rejection by code; within a code in the order in which a request is checked. */
export const REJECTION_GUIDES = {
  suspended: { ...SUSPENDED, message: 'This account is suspended.' },
  readOnly: { ...SUSPENDED, message: 'This account is not authorised for payments.' },
  keyProductNotAllowed: {
    code: 41,
    remarks: 'Key_Product_Not_Allowed',
    message: 'This API key may not sell the product.',
    fields: ['product'],
    cause: 'The API key is for other products. `GET /v2/key` names them.',
    remedy: 'Use another key, or let an admin of the account change this one.',
    retry: 'after_change',
  },
  keyAmountCap: {
    code: 41,
    remarks: 'Key_Amount_Cap',
    message: 'The payment costs more than its key may pay at once.',
    fields: ['amount'],
    cause: 'The cost is above the `max_amount` of the key.',
    remedy: 'Pay with another key.',
    retry: 'after_change',
  },
  keyDailyCap: {
    code: 41,
    remarks: 'Key_Daily_Cap',
    message: 'The key has paid what it may in a day.',
    fields: ['amount'],
    cause: 'With this payment the key would have paid more than its `daily_cap`.',
    remedy: 'Pay with another key, or wait until the cap begins anew: `errors.amount` says when.',
    retry: 'after_change',
  },
  keyMonthlyCap: {
    code: 41,
    remarks: 'Key_Monthly_Cap',
    message: 'The key has paid what it may in a month.',
    fields: ['amount'],
    cause: 'With this payment the key would have paid more than its `monthly_cap`.',
    remedy: 'Pay with another key, or wait until the cap begins anew: `errors.amount` says when.',
    retry: 'after_change',
  },
  insufficientBalance: {
    code: 43,
    remarks: 'Insufficient_Balance',
    message: 'The wallet balance is too low.',
    cause: 'The wallet holds less than the payment costs.',
    remedy: 'Deposit, then send the same body again.',
    retry: 'after_change',
  },
  invalidFormat: {
    code: 44,
    remarks: 'Invalid_Format',
    message: 'The given data was invalid.',
    cause: 'A field is missing, of the wrong type, too long, or has control characters.',
    remedy: 'Correct the fields that `errors` names.',
    retry: 'after_change',
  },
  invalidProduct: {
    code: 44,
    remarks: 'Invalid_Product',
    message: 'There is no such product.',
    fields: ['product'],
    cause: 'There is no such product, or your account may not buy it.',
    remedy: 'Take the code from `GET /v2/catalog`. Codes are case-sensitive.',
    retry: 'after_change',
  },
  productUnavailable: {
    code: 44,
    remarks: 'Product_Unavailable',
    message: 'The product is not available.',
    fields: ['product'],
    cause:
      'The product is inactive, you switched it off, nobody fulfils it, or an operator stopped its sale.',
    remedy: 'Look at `is_active` in the catalogue and at the network status; offer something else.',
    retry: 'after_change',
  },
  planCodeNeeded: {
    code: 44,
    remarks: 'Several plans available for this amount and a plan code is needed',
    message: 'Several plans are available for this amount: say which in extras.subproduct_code.',
    fields: [PLAN_CODE],
    cause: 'The amount names several plans, or the product needs a code: a student loan always does.',
    remedy: "Send the chosen option's `code` as `extras.subproduct_code`.",
    retry: 'after_change',
  },
  planCodeUnknown: {
    code: 44,
    remarks: 'Unknown or inactive option code',
    message: 'The plan code is unknown or inactive.',
    fields: [PLAN_CODE],
    cause: 'No active option has this `extras.subproduct_code`; a loan type is K, U, S or SP.',
    remedy: 'Fetch the options again; codes are case-sensitive.',
    retry: 'after_change',
  },
  planCodeMismatch: {
    code: 44,
    remarks: 'Option code does not match amount',
    message: 'The amount is not that of the plan code.',
    fields: [PLAN_CODE, 'amount'],
    cause: 'The amount is not the `denomination` of the option that `extras.subproduct_code` names.',
    remedy: "Send the option's `denomination`, not its price.",
    retry: 'after_change',
  },
  billerCodeRequired: {
    code: 44,
    remarks: 'Biller_Code_Required',
    message: 'A biller code is required.',
    fields: ['extras.biller_code'],
    cause: 'A bill payment without `extras.biller_code`.',
    remedy: 'Take it from the biller list or the options.',
    retry: 'after_change',
  },
  invalidBillerCode: {
    code: 44,
    remarks: 'Invalid_Biller_Code',
    message: 'The biller code is unknown or inactive.',
    fields: ['extras.biller_code'],
    cause: 'No active biller has this code.',
    remedy: 'Refresh your list of billers.',
    retry: 'after_change',
  },
  icNumberRequired: {
    code: 44,
    remarks: 'IC_Number_Required',
    message: 'An identity or passport number is required.',
    fields: ['extras.ic_number'],
    cause: 'A bill payment or student loan without `extras.ic_number`.',
    remedy: "Ask for the payee's identity or passport number.",
    retry: 'after_change',
  },
  invalidIcNumber: {
    code: 44,
    remarks: 'Invalid_IC_Number',
    message: 'The identity or passport number must be 5 to 20 letters and digits, without dashes.',
    fields: ['extras.ic_number'],
    cause: 'The identity or passport number is not 5 to 20 letters and digits.',
    remedy: 'Leave out dashes and spaces.',
    retry: 'after_change',
  },
  ref2Required: {
    code: 44,
    remarks: 'Ref2_Required',
    message: 'This biller requires a second reference.',
    fields: ['extras.ref2'],
    cause: 'The biller needs a second reference: its option says `ref2_required`.',
    remedy: 'Ask for it, and send it as `extras.ref2`.',
    retry: 'after_change',
  },
  quoteUnknown: {
    code: 44,
    remarks: 'Quote_Unknown',
    message: 'There is no such quote.',
    fields: ['quote_id'],
    cause: 'Your account has no quote with this `quote_id`.',
    remedy: 'Ask for a quote again, and send its `quote_id` as it is.',
    retry: 'after_change',
  },
  quoteMismatch: {
    code: 44,
    remarks: 'Quote_Mismatch',
    message: 'The quote is for another payment.',
    fields: ['quote_id'],
    cause: 'Product, account, amount, plan or extras are not those that were quoted.',
    remedy: 'Ask for a quote for this payment. `errors.quote_id` says what differs.',
    retry: 'after_change',
  },
  quoteUsed: {
    code: 44,
    remarks: 'Quote_Used',
    message: 'The quote was paid already, under another refid.',
    fields: ['quote_id'],
    cause: 'A quote pays once. That counts for a payment that failed since, too.',
    remedy: 'Look at the transaction that `errors.quote_id` names; for another payment ask for a new quote.',
    retry: 'after_change',
  },
  quoteExpired: {
    code: 44,
    remarks: 'Quote_Expired',
    message: 'The quote has expired.',
    fields: ['quote_id'],
    cause: 'The quote holds its cost until `expires_at`; at most 10,000 of an account are open.',
    remedy: 'Ask for a quote again.',
    retry: 'after_change',
  },
  costAboveMaximum: {
    code: 44,
    remarks: 'Cost_Above_Maximum',
    message: 'The payment costs more than max_cost.',
    fields: ['max_cost'],
    cause: 'The cost of now is above the `max_cost` of the request.',
    remedy: 'Decide again: `errors.max_cost` names the cost.',
    retry: 'after_change',
  },
  outOfStock: {
    code: 45,
    remarks: 'Out_Of_Stock',
    message: 'The product is out of stock.',
    fields: ['product'],
    cause: 'Nothing of this product is left.',
    remedy: 'Try later, or offer another denomination.',
    retry: 'after_change',
  },
  temporaryError: {
    code: 49,
    remarks: 'Temporary_Error_Please_Try_Again',
    message: 'A temporary error occurred. Please try again with the same refid.',
    cause: 'No provider of the product takes orders just now, or nothing could be written.',
    remedy: 'Send the same body again after a few seconds.',
    retry: 'later',
  },
  invalidAccount: { ...INVALID_ACCOUNT, message: 'The account is not valid for this product.' },
  invalidLoanAccount: {
    ...INVALID_ACCOUNT,
    message: 'The account is not that of the loan which extras.subproduct_code and extras.ic_number name.',
  },
  possibleDuplicate: {
    code: 54,
    remarks: 'Possible_Duplicate',
    message: 'The same payment was taken a moment ago.',
    fields: ['account'],
    cause: 'Product, account and amount are those of a payment in the `duplicate_window_seconds` before.',
    remedy:
      'Look at the payment that `errors.account` names. Where both are meant, send `allow_duplicate: true`.',
    retry: 'after_change',
  },
  accountDailyLimit: {
    code: 54,
    remarks: 'Account_Daily_Limit',
    message: 'The account has reached its limit of the day.',
    fields: ['account'],
    cause: 'More payments of the day, or a larger sum, than one account may get.',
    remedy: 'Wait until it begins anew: `errors.account` names the limit, what is used and that time.',
    retry: 'after_change',
  },
  accountMonthlyLimit: {
    code: 54,
    remarks: 'Account_Monthly_Limit',
    message: 'The account has reached its limit of the month.',
    fields: ['account'],
    cause: 'More payments of the month, or a larger sum, than one account may get.',
    remedy: 'Wait until it begins anew: `errors.account` names the limit, what is used and that time.',
    retry: 'after_change',
  },
  dailyLimit: {
    code: 54,
    remarks: 'Daily_Limit',
    message: 'Your limit of the day is reached.',
    fields: ['amount'],
    cause: 'More payments of the day, or a larger sum, than your account may make.',
    remedy: 'Wait until it begins anew: `errors.amount` names the limit, what is used and that time.',
    retry: 'after_change',
  },
  monthlyLimit: {
    code: 54,
    remarks: 'Monthly_Limit',
    message: 'Your limit of the month is reached.',
    fields: ['amount'],
    cause: 'More payments of the month, or a larger sum, than your account may make.',
    remedy: 'Wait until it begins anew: `errors.amount` names the limit, what is used and that time.',
    retry: 'after_change',
  },
  memberDailyLimit: {
    code: 54,
    remarks: 'Member_Daily_Limit',
    message: 'Your own limit of the day is reached.',
    fields: ['amount'],
    cause: 'More payments of the day, or a larger sum, than this member of the shop may sell.',
    remedy:
      'Wait until it begins anew, or ask your manager: `errors.amount` names the limit, what is used and that time.',
    retry: 'after_change',
  },
  memberMonthlyLimit: {
    code: 54,
    remarks: 'Member_Monthly_Limit',
    message: 'Your own limit of the month is reached.',
    fields: ['amount'],
    cause: 'More payments of the month, or a larger sum, than this member of the shop may sell.',
    remedy:
      'Wait until it begins anew, or ask your manager: `errors.amount` names the limit, what is used and that time.',
    retry: 'after_change',
  },
  limitReached: {
    code: 54,
    remarks: 'Duplicate_Or_Daily_Limit',
    message: 'The account was just paid for, or has reached its daily limit.',
    fields: ['account'],
    cause: 'The account was just paid for, or has reached its limit of the day.',
    remedy: 'Do not repeat it today.',
    retry: 'never',
  },
  blacklisted: {
    code: 56,
    remarks: 'Account_Blacklisted',
    message: 'The account is blacklisted.',
    fields: ['account'],
    cause: 'The account is not served.',
    remedy: 'Do not send it again.',
    retry: 'never',
  },
  invalidDenomination: {
    code: 58,
    remarks: 'Invalid_Denomination',
    message: 'The amount is not one of the product.',
    fields: ['amount'],
    cause: 'The amount is no denomination of the product, or outside its limits or yours.',
    remedy: 'Take the amount from the options, or keep within `min` and `max`.',
    retry: 'after_change',
  },
  identityCheckFailed: {
    code: 62,
    remarks: 'Identity_Check_Failed',
    message: 'The identity check failed. Do not try again.',
    fields: ['extras.ic_number'],
    cause: 'The payee did not pass the check of identity.',
    remedy: 'Final: do not send it again.',
    retry: 'never',
  },
} as const satisfies Readonly<Record<string, RejectionGuide>>

type RejectionName = keyof typeof REJECTION_GUIDES
/** Rejections whose message or fields differ from request to request have a function of their own. */
type FixedName = Exclude<RejectionName, 'invalidFormat' | 'invalidDenomination'>

function rejectionOf({ code, remarks, message, fields = [] }: RejectionGuide): Rejection {
  return { code, remarks, message, errors: Object.fromEntries(fields.map((name) => [name, [message]])) }
}

function fixedRejections(): Readonly<Record<FixedName, Rejection>> {
  const { invalidFormat: _, invalidDenomination: __, ...fixed } = REJECTION_GUIDES
  const entries = Object.entries(fixed).map(([name, guide]) => [name, rejectionOf(guide)])
  return Object.fromEntries(entries) as Record<FixedName, Rejection>
}

export const REJECTIONS = fixedRejections()

const BY_REMARKS: ReadonlyMap<string, RejectionGuide> = new Map(
  Object.values<RejectionGuide>(REJECTION_GUIDES).map((guide) => [guide.remarks, guide]),
)

/** Finds the help for a rejection by its remarks. */
export function findRejection(remarks: string | null): RejectionGuide | undefined {
  return remarks === null ? undefined : BY_REMARKS.get(remarks)
}

export function invalidFormat(problems: FieldErrors): Rejection {
  return { ...rejectionOf(REJECTION_GUIDES.invalidFormat), errors: problems }
}

/** Adds what is special about one request to a rejection, at the first field that it names. */
export function worded(rejection: Rejection, text: string): Rejection {
  const [field] = Object.keys(rejection.errors)
  return field === undefined ? rejection : { ...rejection, errors: { ...rejection.errors, [field]: [text] } }
}

/** Builds rejection 58. `message` says which amounts exist. */
export function invalidDenomination(message: string): Rejection {
  return rejectionOf({ ...REJECTION_GUIDES.invalidDenomination, message })
}
