/** What an operator writes to connect Sample, after it was checked. */
export type SampleConfig = {
  readonly baseUrl: string
  readonly submitTimeoutMs: number
  readonly queryTimeoutMs: number
  /** Connections, and so orders under way, at the same time. */
  readonly concurrencyMax: number
}

/** What came back from Sample; anything that is not whole and JSON is `lost`. */
export type SampleAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | {
      readonly kind: 'lost'
      /** False only when it is certain that no byte of the request left. */
      readonly wasSent: boolean
      /** It did not leave because its time was over, which says nothing about Sample. */
      readonly isOver?: boolean
      /** For people: nothing in it was sent or received. */
      readonly reason: string
    }
