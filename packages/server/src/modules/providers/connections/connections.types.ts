import type { Amount } from '../../../lib/money.ts'
import type { Provider } from '../port/types.ts'
import type { BreakerSettings } from './breaker.rules.ts'

/** One thing that is wrong with a configuration, by its JSON path: `submit.response.codes.00`. */
export type ConfigProblem = { readonly path: string; readonly message: string }

/** Name → value. Values are secrets: sealed at rest, never shown, never logged. */
export type Secrets = Readonly<Record<string, string>>

/** What a connector is made from. */
export type ConnectionSettings = {
  readonly code: string
  readonly config: unknown
  readonly secrets: Secrets
}

/** A way of speaking to providers; a connection is one provider that is spoken to in that way. */
export type ConnectorKind = {
  readonly kind: string
  /** Every mistake at once; none: `create` can make it. */
  check(config: unknown, secretNames: readonly string[]): readonly ConfigProblem[]
  /** What an operator should know of a configuration without mistakes; for people. */
  warningsOf?(config: unknown, secretNames: readonly string[]): readonly string[]
  create(settings: ConnectionSettings): Provider
}

/** What an operator sets beside the connector's own configuration; undefined: as the connector says. */
export type ConnectionLimits = {
  readonly concurrency?: number
  readonly ratePerSecond?: number
  /** false: never opened. */
  readonly breaker?: Partial<BreakerSettings> | false
}

/** A connection as an operator may see it: of its secrets the names alone. */
export type Connection = {
  readonly code: string
  readonly kind: string
  readonly name: string
  readonly isEnabled: boolean
  readonly config: unknown
  /** Name → when it was last set. */
  readonly secretNames: Readonly<Record<string, Date>>
  readonly limits: ConnectionLimits
  readonly floatAlert: Amount | null
  readonly version: bigint
  readonly createdAt: Date
  readonly updatedAt: Date
}
