/** Kinds of steps, in the order in which steps of one millisecond are shown. */
export const STEP_KINDS = [
  'request',
  'judged',
  'entry',
  'state',
  'sent',
  'note',
  'event',
  'delivery',
  'delivery_attempt',
  'case',
  'question',
] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** One thing that happened to a payment, or that will happen to it. */
export type TraceStep = {
  readonly at: Date
  readonly kind: StepKind
  readonly text: string
  /** Names under which other tools know it: the request, our reference, the event, the delivery. */
  readonly ids: Readonly<Record<string, string>>
}
