import type { AlertKind } from './kinds.rules.ts'

export type { AlertKind } from './kinds.rules.ts'

export const SEVERITIES = ['warning', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

/**
 * Report of a problem that an operator should look at. While it is open, the same kind with the same subject is the
 * same alert.
 */
export type AlertReport = {
  /** Kind of alert. The list of kinds gives its severity. */
  readonly kind: AlertKind
  /** Thing that it is about: a payment's id, a provider's code. */
  readonly subject: string
  /** Text without secrets: it is logged, mailed and sent to the operators' webhook. */
  readonly text: string
}

export type Alert = Omit<AlertReport, 'kind'> & {
  readonly id: bigint
  /** Plain text, because a row may have a kind that is no longer in the list. */
  readonly kind: string
  readonly severity: Severity
  readonly raisedAt: Date
  readonly lastSeenAt: Date
  /** Number of times it was raised. */
  readonly times: bigint
  readonly clearedAt: Date | null
}
