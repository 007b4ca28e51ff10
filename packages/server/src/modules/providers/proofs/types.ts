export const RESULTS = ['held', 'did_not_hold', 'not_tried'] as const

/** Result of trying one thing that is said of a supplier. `says` is in our words alone: no answer is quoted. */
export type Result = {
  readonly claim: string
  readonly result: (typeof RESULTS)[number]
  readonly says: string
}

export type Proof = Result & { readonly provider: string; readonly at: Date; readonly by: string }

/** Word of a supplier that no table of its connection knows. */
export type UnknownAnswer = {
  readonly id: bigint
  readonly provider: string
  readonly operation: 'submit' | 'query' | 'void' | 'fetch' | 'callback'
  readonly path: string
  readonly value: string
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
  readonly sample: string
}

/** Trials that this node makes at present. */
export type Trials = {
  startedAt(code: string): Date | undefined
  /** Results of the trial that is under way, as far as it is. */
  resultsOf(code: string): readonly Result[]
}
