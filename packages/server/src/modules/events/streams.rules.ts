import type { BalanceEventType, Stream } from './types.ts'
import { BALANCE_TYPES_AT_FIRST } from './types.ts'

/** Everything in which one stream differs from another. A new stream answers each question here; the compiler asks. */
export type StreamTraits = {
  /** Name of its receiver, in messages. */
  readonly name: string
  readonly urlLengthMax: number
  /** The contract demands HTTPS for catalogue events, and in production for balance events; callbacks may use HTTP. */
  readonly httpsOnly: 'always' | 'in production' | 'never'
  /** The contract defines the header `x-webhook-signature` for webhooks, and not for callbacks. */
  readonly hasWebhookSignature: boolean
  /** False: it carries the outcomes of payments, and nobody can stop it. */
  readonly canPause: boolean
  /** False: the old secret ends at once when a new one is made, which the contract demands. */
  readonly hasGrace: boolean
  /** Types of events that a new endpoint is sent. */
  readonly typesAtFirst: readonly BalanceEventType[]
  /** True: the owner chooses the types of events. */
  readonly hasChoiceOfTypes: boolean
  /** True: an event about a state that was left is not sent, because the later state is. */
  readonly sendsLatestStateOnly: boolean
}

const WEBHOOK = {
  urlLengthMax: 500,
  hasWebhookSignature: true,
  canPause: true,
  sendsLatestStateOnly: false,
} as const

export const STREAM_TRAITS: Readonly<Record<Stream, StreamTraits>> = {
  callback: {
    name: 'callback URL',
    // The contract names no bound; common proxies refuse longer URLs.
    urlLengthMax: 2_000,
    httpsOnly: 'never',
    hasWebhookSignature: false,
    canPause: false,
    hasGrace: true,
    typesAtFirst: [],
    hasChoiceOfTypes: false,
    sendsLatestStateOnly: true,
  },
  catalog: {
    ...WEBHOOK,
    name: 'catalog webhook',
    httpsOnly: 'always',
    hasGrace: true,
    typesAtFirst: [],
    hasChoiceOfTypes: false,
  },
  balance: {
    ...WEBHOOK,
    name: 'balance webhook',
    httpsOnly: 'in production',
    hasGrace: false,
    typesAtFirst: BALANCE_TYPES_AT_FIRST,
    hasChoiceOfTypes: true,
  },
  order: {
    ...WEBHOOK,
    name: 'order webhook',
    httpsOnly: 'in production',
    hasGrace: true,
    typesAtFirst: [],
    hasChoiceOfTypes: false,
  },
}
