import type { BalanceEventType, Stream } from '../types.ts'

/** The streams whose receivers are configured as webhooks; callbacks have a form of their own. */
export type WebhookStream = Exclude<Stream, 'callback'>

export const ENDPOINT_METHODS = ['GET', 'POST'] as const
export type EndpointMethod = (typeof ENDPOINT_METHODS)[number]

/** Where an account wants to be told by one stream; its secret is never part of it. */
export type Endpoint = {
  readonly resellerId: bigint
  readonly stream: Stream
  readonly url: string
  readonly method: EndpointMethod
  /** The owner's word. */
  readonly isEnabled: boolean
  /** Which events the balance stream sends. */
  readonly types: readonly BalanceEventType[]
  readonly secretLastFour: string
  readonly secretCreatedAt: Date
  readonly failingSince: Date | null
  /** Failed for days, or by an operator: nothing is sent, whatever the owner's word. */
  readonly pausedAt: Date | null
  readonly lastSuccessAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type EndpointStatus = Pick<Endpoint, 'isEnabled' | 'pausedAt' | 'failingSince' | 'lastSuccessAt'> & {
  /** Deliveries on their way or waiting for their next attempt; counted up to a bound. */
  readonly pending: number
}
