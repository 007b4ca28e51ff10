/** Reasons why nothing is sent to an endpoint now. */
export type ClosedState = 'missing' | 'disabled' | 'paused'

/** Reasons why one delivery is not replayed. gone: the record of its event is no longer kept. */
export type ReplayRefusal = 'not_found' | 'not_failed' | 'gone' | 'limit'

/** Result of one request to send a failed delivery again. */
export type ReplayResult =
  | {
      readonly kind: 'replayed'
      /** Id as the caller wrote it. */
      readonly jobId: string
      readonly newJobId: string
      readonly eventId: string
    }
  | { readonly kind: ReplayRefusal; readonly jobId: string }
