import {
  REJECTING_TEST_ACCOUNTS,
  REPEATED_TEST_ACCOUNT,
} from '../modules/payments/core/test-accounts.rules.ts'
import type { TestAccount } from '../modules/providers/simulator/behaviour.rules.ts'
import { listTestAccounts } from '../modules/providers/simulator/behaviour.rules.ts'

/** Account of staging as the documentation shows it. */
export type TestAccountRow = {
  readonly account: string
  readonly outcome: 'rejected' | 'failed' | 'succeeded' | 'processing'
  /** Code that the payment ends with; 1 for one that never ends. */
  readonly code: number
  readonly text: string
}

/** Lists staging's accounts from the tables that decide about them: rejections first, then the simulator's. */
export function testAccountRows(): TestAccountRow[] {
  const rejected = [...REJECTING_TEST_ACCOUNTS].map(
    ([account, code]): TestAccountRow => ({
      account,
      outcome: 'rejected',
      code,
      text: `Rejected with ${code}. No payment exists, and the refid is free.`,
    }),
  )
  // The service rejects these before they reach the simulator.
  const simulated = listTestAccounts().filter(({ account }) => !REJECTING_TEST_ACCOUNTS.has(account))
  const repeated: TestAccountRow = {
    account: REPEATED_TEST_ACCOUNT,
    outcome: 'rejected',
    code: 54,
    text: 'Was just topped up: rejected as `Possible_Duplicate`, and taken with `"allow_duplicate": true`. A quote warns.',
  }
  return [...rejected, repeated, ...simulated.map(rowOf)]
}

function rowOf(account: TestAccount): TestAccountRow {
  const code = account.failure ?? 20
  const outcome = account.failure === null ? 'succeeded' : 'failed'
  const base = { account: account.account, code, outcome } as const
  const end = account.failure === null ? 'Succeeds' : `Fails with ${account.failure}`
  if (account.decidedAfterMs === Number.POSITIVE_INFINITY) {
    return {
      ...base,
      outcome: 'processing',
      code: 1,
      text: 'The provider never answers: it stays Processing.',
    }
  }
  if (!account.answers) {
    const found = account.failure === null ? 'successful' : 'failed'
    return {
      ...base,
      text: `The provider gives no answer, and the payment is found ${found} when it is asked.`,
    }
  }
  if (account.decidedAfterMs === null) {
    return { ...base, text: `${end} after SSS seconds. It is Processing until then.` }
  }
  if (account.voiding !== 'pending') return { ...base, text: `${end}. A void is then ${account.voiding}.` }
  return { ...base, text: `${end} at once.` }
}
