import type { RejectionCode } from './types.ts'

// Account numbers by which staging shows every possible result of a payment. The simulator decides what a provider does
// with the numbers that reach it.

/** Codes with which staging rejects an account. Code 58 is about the amount: any account shows it. */
export type TestRejectionCode = Exclude<RejectionCode, 58>

const REJECTED_ACCOUNTS: Readonly<Record<TestRejectionCode, string>> = {
  41: '60123450041',
  43: '60123450043',
  44: '60123450044',
  45: '60123450045',
  49: '60123450049',
  52: '60123450052',
  54: '60123450464',
  56: '60123450056',
  62: '60123450062',
}

export const REJECTING_TEST_ACCOUNTS: ReadonlyMap<string, TestRejectionCode> = new Map(
  Object.entries(REJECTED_ACCOUNTS).map(([code, account]) => [account, Number(code) as TestRejectionCode]),
)

/** Account that counts as one that was just topped up: a payment that is not said to be meant is its duplicate. */
export const REPEATED_TEST_ACCOUNT = '60123450454'

const OTHER_TEST_ACCOUNTS: readonly RegExp[] = [
  // Fail at the provider with the code that ends the number (861: code 61).
  /^60123450(?:047|048|055|057|861)$/,
  // Succeed or fail after as many seconds as the last three digits say.
  /^6012345[12]\d{3}$/,
  // Get no answer from the provider.
  /^6012345300[123]$/,
  // Succeed; a void is then approved or refused.
  /^6012345400[12]$/,
]

/**
 * Tells whether a number is a test account. Every product accepts these in staging, whatever its account field
 * requires.
 */
export function isTestAccount(account: string): boolean {
  return (
    account === REPEATED_TEST_ACCOUNT ||
    REJECTING_TEST_ACCOUNTS.has(account) ||
    OTHER_TEST_ACCOUNTS.some((form) => form.test(account))
  )
}
