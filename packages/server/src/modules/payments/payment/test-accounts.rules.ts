// Account numbers by which staging shows every possible result of a payment. The simulator decides what a provider does
// with the numbers that reach it.

/** Codes with which staging rejects a request. */
export type TestRejectionCode = 41 | 43 | 44 | 45 | 49 | 52 | 54 | 56 | 62

export const REJECTING_TEST_ACCOUNTS: ReadonlyMap<string, TestRejectionCode> = new Map([
  ['60123450041', 41],
  ['60123450043', 43],
  ['60123450044', 44],
  ['60123450045', 45],
  ['60123450049', 49],
  ['60123450052', 52],
  ['60123450464', 54],
  ['60123450056', 56],
  ['60123450062', 62],
])

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
  return REJECTING_TEST_ACCOUNTS.has(account) || OTHER_TEST_ACCOUNTS.some((form) => form.test(account))
}
