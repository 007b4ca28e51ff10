import type { Environment } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { wholeNumber } from '../../lib/input/fields.ts'
import { WEB_URL } from '../../lib/input/urls.ts'
import type { Outbound } from '../../outbound/types.ts'
import type { ConfigProblem, ConnectorKind } from './connections/connections.types.ts'
import { addressesOf, parseHttpConfig } from './http/config.rules.ts'
import { createHttpProvider } from './http/service.ts'
import { problemsOfKeys } from './http/signing.rules.ts'
import { warningsOf } from './http/warnings.rules.ts'
import { createRemoteSimulator } from './simulator/client.service.ts'
import { createSimulator } from './simulator/service.ts'
import type { FulfilmentOf } from './simulator/types.ts'
import { createStockKind } from './stock/service.ts'

/** Dependencies of connectors, beside their own configuration. */
export type KindSettings = {
  readonly environment: Environment
  readonly database: Database
  readonly vault: Vault
  /** Outbound client for connectors that use HTTP. */
  readonly outbound: Outbound
  readonly fulfilment: FulfilmentOf
  readonly nowMs: () => number
  readonly onProblem: (text: string, error: unknown) => void
}

/** Returns every connector by its kind. Add a new one here. */
export function listKinds(settings: KindSettings): ReadonlyMap<string, ConnectorKind> {
  const kinds: ConnectorKind[] = [httpKind(settings), createStockKind(settings)]
  // A simulator sells nothing real, so it exists in staging only.
  if (settings.environment === 'staging') kinds.push(simulatorKind(settings))
  return new Map(kinds.map((each) => [each.kind, each]))
}

// ── Suppliers over HTTP ──

function httpKind({ environment, outbound, nowMs }: KindSettings): ConnectorKind {
  return {
    kind: 'http',
    check(config, secrets) {
      const reading = parseHttpConfig(config, Object.keys(secrets))
      if (!reading.ok) return reading.problems
      const refused = addressesOf(reading.config).flatMap(([path, url]) => {
        const isBare = environment === 'production' && url.startsWith('http:')
        const message = isBare ? 'must begin with https://' : outbound.refusalOf(url)
        return message === undefined ? [] : [{ path, message }]
      })
      return [...reading.outdated, ...refused, ...problemsOfKeys(reading.config, secrets)]
    },
    warningsOf(config, secretNames) {
      const reading = parseHttpConfig(config, secretNames)
      if (!reading.ok) return []
      const outdated = reading.outdated.map(({ path, message }) => `${path} ${message}`)
      return [...outdated, ...warningsOf(reading.config)]
    },
    create({ code, config, secrets }) {
      const reading = parseHttpConfig(config, Object.keys(secrets))
      if (!reading.ok) {
        const mistakes = reading.problems.map(({ path, message }) => `${path}: ${message}`)
        throw new Error(`its configuration has mistakes: ${mistakes.join('; ')}`)
      }
      return createHttpProvider({ code, config: reading.config, secrets, outbound, nowMs })
    },
  }
}

// ── The simulator, as one provider among others ──

type SimulatorConnection = { readonly url?: string; readonly timeout_ms?: number }

export function simulatorKind({
  fulfilment,
  nowMs,
}: Pick<KindSettings, 'fulfilment' | 'nowMs'>): ConnectorKind {
  return {
    kind: 'simulator',
    check: checkSimulator,
    create({ code, config, secrets: { callback } }) {
      const { url, timeout_ms: timeoutMs } = config as SimulatorConnection
      const timeout = timeoutMs === undefined ? {} : { submitTimeoutMs: timeoutMs }
      const callbacks = callback === undefined ? {} : { callbackSecret: callback }
      const provider =
        url === undefined
          ? createSimulator({ fulfilment, nowMs, ...timeout })
          : createRemoteSimulator({ url, fulfilment, ...timeout, ...callbacks })
      return { ...provider, code }
    },
  }
}

const SIMULATOR_RULES: Readonly<Record<string, Rule<unknown>>> = {
  url: WEB_URL,
  timeout_ms: wholeNumber(1, 60_000),
}

function checkSimulator(config: unknown): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  for (const [name, value] of Object.entries(config as Record<string, unknown>)) {
    const rule = Object.hasOwn(SIMULATOR_RULES, name) ? SIMULATOR_RULES[name] : undefined
    if (rule === undefined) problems.push({ path: name, message: 'is not known' })
    else if (rule.read(value) === undefined) problems.push({ path: name, message: rule.message })
  }
  return problems
}
