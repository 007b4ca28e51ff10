/** Codes with which a payment that exists can fail. */
export const FAILURE_CODES = [45, 47, 48, 52, 54, 55, 56, 57, 61, 62] as const
export type FailureCode = (typeof FAILURE_CODES)[number]
