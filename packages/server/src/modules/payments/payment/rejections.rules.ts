import type { FieldErrors } from '../../../lib/errors.ts'
import type { Rejection, RejectionCode } from './types.ts'

/** Builds a rejection. Clients compare its code and remarks: they never change. The message is for people. */
function rejection(
  code: RejectionCode,
  remarks: string,
  message: string,
  ...wireNames: readonly string[]
): Rejection {
  return { code, remarks, message, errors: Object.fromEntries(wireNames.map((name) => [name, [message]])) }
}

export const REJECTIONS = {
  suspended: rejection(41, 'Account_Suspended', 'This account is suspended.'),
  readOnly: rejection(41, 'Account_Suspended', 'This account is not authorised for payments.'),
  insufficientBalance: rejection(43, 'Insufficient_Balance', 'The wallet balance is too low.'),
  invalidProduct: rejection(44, 'Invalid_Product', 'There is no such product.', 'product'),
  productUnavailable: rejection(44, 'Product_Unavailable', 'The product is not available.', 'product'),
  planCodeNeeded: rejection(
    44,
    'Several plans are available for this amount and a plan code is needed',
    'Several plans are available for this amount: say which in extras.subproduct_code.',
    'extras.subproduct_code',
  ),
  planCodeUnknown: rejection(
    44,
    'Unknown or inactive plan code',
    'The plan code is unknown or inactive.',
    'extras.subproduct_code',
  ),
  planCodeMismatch: rejection(
    44,
    'Plan code does not match the amount',
    'The amount is not that of the plan code.',
    'extras.subproduct_code',
    'amount',
  ),
  billerCodeRequired: rejection(
    44,
    'Biller_Code_Required',
    'A biller code is required.',
    'extras.biller_code',
  ),
  invalidBillerCode: rejection(
    44,
    'Invalid_Biller_Code',
    'The biller code is unknown or inactive.',
    'extras.biller_code',
  ),
  icNumberRequired: rejection(
    44,
    'IC_Number_Required',
    'An identity or passport number is required.',
    'extras.ic_number',
  ),
  invalidIcNumber: rejection(
    44,
    'Invalid_IC_Number',
    'The identity or passport number must be 5 to 20 letters and digits, without dashes.',
    'extras.ic_number',
  ),
  ref2Required: rejection(44, 'Ref2_Required', 'This biller requires a second reference.', 'extras.ref2'),
  outOfStock: rejection(45, 'Out_Of_Stock', 'The product is out of stock.', 'product'),
  temporaryError: rejection(
    49,
    'Temporary_Error_Please_Try_Again',
    'A temporary error occurred. Please try again with the same refid.',
  ),
  invalidAccount: rejection(52, 'Invalid_Account', 'The account is not valid for this product.', 'account'),
  invalidLoanAccount: rejection(
    52,
    'Invalid_Account',
    'The account is not that of the loan which extras.subproduct_code and extras.ic_number name.',
    'account',
  ),
  limitReached: rejection(
    54,
    'Duplicate_Or_Daily_Limit',
    'The account was just paid for, or has reached its daily limit.',
    'account',
  ),
  blacklisted: rejection(56, 'Account_Blacklisted', 'The account is blacklisted.', 'account'),
  identityCheckFailed: rejection(
    62,
    'Identity_Check_Failed',
    'The identity check failed. Do not try again.',
    'extras.ic_number',
  ),
} as const satisfies Readonly<Record<string, Rejection>>

export function invalidFormat(problems: FieldErrors): Rejection {
  return { code: 44, remarks: 'Invalid_Format', message: 'The given data was invalid.', errors: problems }
}

/** Builds rejection 58. `message` says which amounts exist. */
export function invalidDenomination(message: string): Rejection {
  return rejection(58, 'Invalid_Denomination', message, 'amount')
}
