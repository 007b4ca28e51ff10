export const SEVERITIES = ['warning', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What an operator should look at. While it is open, the same kind about the same subject is the same alert. */
export type AlertReport = {
  readonly kind: string
  /** What it is about: a payment's id, a provider's code. */
  readonly subject: string
  /** Without secrets: it is logged, and will be mailed. */
  readonly text: string
  readonly severity: Severity
}

export type Alert = AlertReport & {
  readonly id: bigint
  readonly raisedAt: Date
  readonly lastSeenAt: Date
  /** How often it was seen. */
  readonly times: bigint
  readonly clearedAt: Date | null
}
