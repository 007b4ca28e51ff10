import type { BalanceEventType, Stream } from '../types.ts'

/** Streams whose receivers are configured as webhooks; the contract configures callbacks in another form. */
export type WebhookStream = Exclude<Stream, 'callback'>

export const ENDPOINT_METHODS = ['GET', 'POST'] as const
export type EndpointMethod = (typeof ENDPOINT_METHODS)[number]

/** An account's receiver of one stream. The secret is not part of it, so that no view can show it. */
export type Endpoint = {
  readonly resellerId: bigint
  readonly stream: Stream
  readonly url: string
  readonly method: EndpointMethod
  /** The owner's own switch. */
  readonly isEnabled: boolean
  /** Events that the balance stream sends. */
  readonly types: readonly BalanceEventType[]
  readonly secretLastFour: string
  readonly secretCreatedAt: Date
  readonly failingSince: Date | null
  /** Set when deliveries failed for days, or by an operator. Nothing is sent then, even if the owner's switch is on. */
  readonly pausedAt: Date | null
  readonly lastSuccessAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type EndpointStatus = Pick<Endpoint, 'isEnabled' | 'pausedAt' | 'failingSince' | 'lastSuccessAt'> & {
  /** Deliveries that are not finished; counted up to a bound. */
  readonly pending: number
}
