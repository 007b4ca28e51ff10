/** Configuration that an operator writes to connect Sample, after it was checked. */
export type SampleConfig = {
  readonly baseUrl: string
  readonly submitTimeoutMs: number
  readonly queryTimeoutMs: number
  /** Connections, and so orders in progress, at the same time. */
  readonly concurrencyMax: number
}

/** Answer of Sample. Anything that is not whole and JSON is `lost`. */
export type SampleAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | {
      readonly kind: 'lost'
      /** False only if it is certain that no byte of the request left. */
      readonly wasSent: boolean
      /** True: it was not sent because its time was over, which says nothing about Sample. */
      readonly isOver?: boolean
      /** Text for people, without anything that was sent or received. */
      readonly reason: string
    }
