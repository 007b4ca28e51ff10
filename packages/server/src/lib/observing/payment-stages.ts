/** Names of one payment under which log lines, exemplars and traces are found. */
export type PaymentNames = {
  readonly resellerId?: bigint | undefined
  readonly paymentId?: bigint | undefined
  /** The reseller's own name of the payment. */
  readonly refid?: string | undefined
  /** Request that made the payment, as far as it is known. */
  readonly requestId?: string | undefined
}

/** Reports a problem that nobody waits for. `about`: the payment that it concerns. */
export type OnProblem = (text: string, error: unknown, about?: PaymentNames) => void

/**
 * Stages of a payment. `taken`: waits for the commit that takes it, and is committed. `sent`: waits until its order is
 * sent. `answered`: waits for the provider's answer. `resolved`: from its creation to the commit of its end.
 * `called_back`: from its end until the receiver of callbacks has it.
 */
export const STAGES = ['taken', 'sent', 'answered', 'resolved', 'called_back'] as const
export type Stage = (typeof STAGES)[number]

/** Part of a payment's way with a begin and an end, for traces. */
export type StageDetail = {
  readonly provider?: string
  readonly attempt?: number
  readonly reference?: string
  /** Status of the receiver's answer; 0: none. */
  readonly status?: number
}

/** Observer of payments. It is called at the end of each stage, and never fails or waits. */
export type StageWatch = {
  /** `startedMs`: begin of the stage on performance.now's clock; its end is now. */
  end(stage: Stage, outcome: string, startedMs: number, names: PaymentNames, detail?: StageDetail): void
  /** Runs a call to a provider so that its requests carry the trace; undefined: they do not. */
  readonly within?: (<T>(names: PaymentNames, call: () => Promise<T>) => Promise<T>) | undefined
}

export const NO_WATCH: StageWatch = { end() {} }
