// Numbers by which staging shows what can become of a payment. What a provider does with those that reach it
// is the simulator's business.

/** Codes with which staging turns a request away. */
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
  // Fail at the provider with the code they end in; the last one with 61.
  /^60123450(?:047|048|055|057|861)$/,
  // Succeed, or fail, after so many seconds.
  /^6012345[12]\d{3}$/,
  // No answer.
  /^6012345300[123]$/,
  // Succeed, and a void is approved or refused.
  /^6012345400[12]$/,
]

/** Every product takes these in staging, whatever it asks of an account otherwise. */
export function isTestAccount(account: string): boolean {
  return REJECTING_TEST_ACCOUNTS.has(account) || OTHER_TEST_ACCOUNTS.some((form) => form.test(account))
}
