/** Why nothing is sent to an endpoint now. */
export type ClosedState = 'missing' | 'disabled' | 'paused'

/** gone: what it would tell is no longer kept. */
export type ReplayRefusal = 'not_found' | 'not_failed' | 'gone' | 'limit'

/** What came of one request to send a failed delivery again. */
export type ReplayResult =
  | {
      readonly kind: 'replayed'
      /** As it was asked for. */
      readonly jobId: string
      readonly newJobId: string
      readonly eventId: string
    }
  | { readonly kind: ReplayRefusal; readonly jobId: string }
