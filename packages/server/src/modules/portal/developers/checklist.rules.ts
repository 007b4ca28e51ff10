/** Steps of a new account, in their order. Each ticks itself when it was really done. */
export const STEPS = [
  { code: 'key_made', page: 'developers/keys' },
  { code: 'first_signed_call', page: 'developers/requests' },
  { code: 'callback_verified', page: 'developers/webhooks' },
  { code: 'first_payment', page: 'payments' },
  { code: 'second_factor', page: 'account/security' },
  { code: 'low_balance_threshold', page: 'team/alerts' },
  { code: 'allowlist', page: 'developers/access' },
  { code: 'go_live', page: 'developers/go-live' },
] as const

export type StepCode = (typeof STEPS)[number]['code']

export type Facts = Readonly<Record<Exclude<StepCode, 'go_live'>, Date | null>> & {
  readonly isProduction: boolean
}

export type Step = { readonly code: StepCode; readonly page: string; readonly doneAt: Date | null }

export type Checklist = { readonly steps: readonly Step[]; readonly isDone: boolean }

/** An account is live when its first payment was made in production: in staging this step stays open. */
export function checklistOf({ isProduction, ...facts }: Facts): Checklist {
  const done = { ...facts, go_live: isProduction ? facts.first_payment : null }
  const steps = STEPS.map(({ code, page }) => ({ code, page, doneAt: done[code] }))
  return { steps, isDone: steps.every(({ doneAt }) => doneAt !== null) }
}

export function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null).map((time) => time.getTime())
  return known.length === 0 ? null : new Date(Math.min(...known))
}
