/** Value of `data.remarks` of a payment that the service itself writes, with its cause and remedy. */
export type PaymentRemark = {
  readonly code: number
  readonly remarks: string
  /** Outcome. rejected: nothing exists, and the refid is free. failed: the payment exists, and its money went back. */
  readonly outcome: 'rejected' | 'failed'
  readonly cause: string
  readonly remedy: string
}

function rejected(code: number, remarks: string, cause: string, remedy: string): PaymentRemark {
  return { code, remarks, outcome: 'rejected', cause, remedy }
}

function failed(code: number, remarks: string, cause: string, remedy: string): PaymentRemark {
  return { code, remarks, outcome: 'failed', cause, remedy }
}

/** Remarks by code; within a code, rejections in the order in which a request is checked. */
export const PAYMENT_REMARKS: readonly PaymentRemark[] = [
  rejected(
    41,
    'Account_Suspended',
    'Your account is suspended, or may read and not pay.',
    'Ask the operator. Do not send it again before.',
  ),
  rejected(
    43,
    'Insufficient_Balance',
    'The wallet holds less than the payment costs.',
    'Deposit, then send the same body again.',
  ),
  rejected(
    44,
    'Invalid_Format',
    'A field is missing, of the wrong type, too long, or has control characters.',
    'Correct the fields that `errors` names.',
  ),
  rejected(
    44,
    'Invalid_Product',
    'There is no such product, or your account may not buy it.',
    'Take the code from `GET /v2/catalog`. Codes are case-sensitive.',
  ),
  rejected(
    44,
    'Product_Unavailable',
    'The product is inactive, you switched it off, nobody fulfils it, or an operator stopped its sale.',
    'Look at `is_active` in the catalogue and at the network status; offer something else.',
  ),
  rejected(
    44,
    'Several plans are available for this amount and a plan code is needed',
    'The amount names several plans, or the product needs a code: a student loan always does.',
    "Send the chosen option's `code` as `extras.subproduct_code`.",
  ),
  rejected(
    44,
    'Unknown or inactive plan code',
    'No active option has this `extras.subproduct_code`; a loan type is K, U, S or SP.',
    'Fetch the options again; codes are case-sensitive.',
  ),
  rejected(
    44,
    'Plan code does not match the amount',
    'The amount is not the `denomination` of the option that `extras.subproduct_code` names.',
    "Send the option's `denomination`, not its price.",
  ),
  rejected(
    44,
    'Biller_Code_Required',
    'A bill payment without `extras.biller_code`.',
    'Take it from the biller list or the options.',
  ),
  rejected(44, 'Invalid_Biller_Code', 'No active biller has this code.', 'Refresh your list of billers.'),
  rejected(
    44,
    'IC_Number_Required',
    'A bill payment or student loan without `extras.ic_number`.',
    "Ask for the payee's identity or passport number.",
  ),
  rejected(
    44,
    'Invalid_IC_Number',
    'The identity or passport number is not 5 to 20 letters and digits.',
    'Leave out dashes and spaces.',
  ),
  rejected(
    44,
    'Ref2_Required',
    'The biller needs a second reference: its option says `ref2_required`.',
    'Ask for it, and send it as `extras.ref2`.',
  ),
  rejected(
    45,
    'Out_Of_Stock',
    'Nothing of this product is left.',
    'Try later, or offer another denomination.',
  ),
  rejected(
    49,
    'Temporary_Error_Please_Try_Again',
    'No provider of the product takes orders just now, or nothing could be written.',
    'Send the same body again after a few seconds.',
  ),
  rejected(
    52,
    'Invalid_Account',
    "The account does not fit the product's pattern, or is not that of the named loan.",
    'Have it checked by the customer. `errors.account` says what is expected.',
  ),
  rejected(
    54,
    'Duplicate_Or_Daily_Limit',
    'The account was just paid for, or has reached its limit of the day.',
    'Do not repeat it today.',
  ),
  rejected(56, 'Account_Blacklisted', 'The account is not served.', 'Do not send it again.'),
  rejected(
    58,
    'Invalid_Denomination',
    'The amount is no denomination of the product, or outside its limits or yours.',
    'Take the amount from the options, or keep within `min` and `max`.',
  ),
  rejected(
    62,
    'Identity_Check_Failed',
    'The payee did not pass the check of identity.',
    'Final: do not send it again.',
  ),
  failed(
    45,
    'Out_Of_Stock',
    'Nothing was left when the order arrived.',
    'Offer another denomination, with a new refid.',
  ),
  failed(
    47,
    'Service_Unavailable',
    'No provider could fulfil it, and nothing was done.',
    'Send it as a new payment, with a new refid.',
  ),
  failed(
    48,
    'Rejected by the provider',
    'The provider refused it without a reason of its own.',
    'Have account and amount checked before a new payment.',
  ),
  failed(53, 'Refund', 'The payment was voided.', 'Give your customer the money back.'),
  failed(
    61,
    'Invalid_Denomination',
    'The provider does not take this amount.',
    'Refresh the options, and offer another amount.',
  ),
]
