/** One step of a runbook: a sentence, and the command that it needs. */
export type Step = {
  readonly text: string
  /** Command line, in which words in capitals stand for values of the case at hand. */
  readonly command?: string
}

/** Guide for the person who is called: from the first look to the end of the problem. */
export type Runbook = {
  /** Subject that the alert names. */
  readonly subject: string
  /** Loss while nobody acts. */
  readonly cost: string
  readonly look: readonly Step[]
  readonly act: readonly Step[]
  /** Condition under which the alert ends. */
  readonly clears: string
}

/** Rule by which Prometheus alerts on the metrics, with its runbook. */
export type MetricRule = {
  readonly name: string
  readonly severity: 'warning' | 'critical'
  /** Condition in PromQL: every series in its result is an alert. */
  readonly expression: string
  /** Minutes for which the condition must hold. */
  readonly minutes: number
  readonly summary: string
  readonly meaning: string
  /** Runbook without a subject and an end: labels name the one, and the condition decides the other. */
  readonly runbook: Omit<Runbook, 'clears' | 'subject'>
}
