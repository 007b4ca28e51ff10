import type { Amount } from '../../../lib/money.ts'
import type { Provider } from '../port/types.ts'
import type { BreakerSettings } from './breaker.rules.ts'

/** One mistake in a configuration, by its JSON path: `submit.response.codes.00`. */
export type ConfigProblem = {
  readonly path: string
  readonly message: string
  /** True: it was no mistake once, and a configuration that was saved with it goes on working. */
  readonly isOutdated?: true
}

/** Values by name. Values are secret: sealed at rest, never shown, never logged. */
export type Secrets = Readonly<Record<string, string>>

/** Input from which a connector creates its provider. */
export type ConnectionSettings = {
  readonly code: string
  readonly config: unknown
  readonly secrets: Secrets
}

/** A protocol for calling providers; a connection is one provider that is called with it. */
export type ConnectorKind = {
  readonly kind: string
  /** Returns every mistake at once; when there is none, or only outdated ones, `create` works. */
  check(config: unknown, secrets: Readonly<Record<string, string>>): readonly ConfigProblem[]
  /** Warnings for operators about a configuration without mistakes. */
  warningsOf?(config: unknown, secretNames: readonly string[]): readonly string[]
  create(settings: ConnectionSettings): Provider
}

/** Limits that an operator sets beside the connector's configuration; undefined: the connector's own limit applies. */
export type ConnectionLimits = {
  readonly concurrency?: number
  readonly ratePerSecond?: number
  /** false: the breaker never opens. */
  readonly breaker?: Partial<BreakerSettings> | false
}

/** A connection as an operator may see it: only the names of its secrets are shown. */
export type Connection = {
  readonly code: string
  readonly kind: string
  readonly name: string
  readonly isEnabled: boolean
  readonly config: unknown
  /** Time of the last change by name. */
  readonly secretNames: Readonly<Record<string, Date>>
  readonly limits: ConnectionLimits
  readonly floatAlert: Amount | null
  readonly version: bigint
  readonly createdAt: Date
  readonly updatedAt: Date
}
