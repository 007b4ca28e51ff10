import { ALERT_KIND_RULES } from '../generated/kinds.types.ts'

/** Kind of alert: its severity, its meaning, and what an operator does about it. */
export type AlertKindRule = {
  readonly severity: 'warning' | 'critical'
  /**
   * Minutes for which the alert must be open before operators get a mail. null: it is only in the list and in the log.
   * A critical one is mailed at once.
   */
  readonly mailedAfterMinutes: number | null
  readonly meaning: string
  readonly remedy: string
}

export type AlertKind = keyof typeof ALERT_KIND_RULES

const BY_NAME: ReadonlyMap<string, AlertKindRule> = new Map(Object.entries<AlertKindRule>(ALERT_KIND_RULES))

/** Finds the rule of a kind. undefined: an older version raised it, and this one does not know it. */
export function ruleOf(kind: string): AlertKindRule | undefined {
  return BY_NAME.get(kind)
}

/** Page of the service's own documentation that has the runbooks. */
const RUNBOOKS_PATH = '/docs/operators/runbooks'

/** Path of the runbook of a kind on this service. undefined: this version does not know the kind. */
export function runbookPathOf(kind: string): string | undefined {
  return BY_NAME.has(kind) ? `${RUNBOOKS_PATH}#${kind}` : undefined
}

/** Warnings that are mailed to operators, with the minutes after which they are. */
export function mailedWarnings(): { readonly kind: string; readonly minutes: number }[] {
  return [...BY_NAME].flatMap(([kind, { severity, mailedAfterMinutes }]) =>
    severity === 'warning' && mailedAfterMinutes !== null ? [{ kind, minutes: mailedAfterMinutes }] : [],
  )
}
