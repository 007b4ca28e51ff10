import type { AlertKind } from './kinds.rules.ts'

export type { AlertKind } from './kinds.rules.ts'

export const SEVERITIES = ['warning', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What an operator should look at. While it is open, the same kind about the same subject is the same alert. */
export type AlertReport = {
  /** Its severity stands in the list of kinds. */
  readonly kind: AlertKind
  /** What it is about: a payment's id, a provider's code. */
  readonly subject: string
  /** Without secrets: it is logged, mailed and sent to the operators' webhook. */
  readonly text: string
}

export type Alert = Omit<AlertReport, 'kind'> & {
  readonly id: bigint
  /** A row may be older than the list of kinds. */
  readonly kind: string
  readonly severity: Severity
  readonly raisedAt: Date
  readonly lastSeenAt: Date
  /** How often it was seen. */
  readonly times: bigint
  readonly clearedAt: Date | null
}
