import type { readerOf } from './reader.ts'

const RULES = ['required', 'optional'] as const
export type SecondFactorRule = (typeof RULES)[number]

/** Reads whether operators need a second factor; production requires one by default. */
export function readSecondFactor(
  read: ReturnType<typeof readerOf>,
  environment: 'staging' | 'production',
): SecondFactorRule {
  return read.oneOf(
    'WARUNG_OPERATOR_SECOND_FACTOR',
    RULES,
    environment === 'production' ? 'required' : 'optional',
  )
}
