import type { Outbound } from '../../../outbound/types.ts'
import type { ConnectionSettings, ConnectorKind } from '../connections/connections.types.ts'
import type { Provider } from '../port/types.ts'
import { createSampleClient } from './client.service.ts'
import { checkSampleConfig, readSampleConfig } from './config.rules.ts'
import { orderBodyOf, queryAnswerOf, submitOutcomeOf } from './mapping.rules.ts'

type Config = Readonly<Record<string, unknown>>

/** Makes the connector kind. It is listed in kinds.service.ts, so that an operator can connect Sample. */
export function createSampleKind(outbound: Outbound): ConnectorKind {
  return {
    kind: 'sample',
    check: (config, secrets) => checkSampleConfig(config as Config, Object.keys(secrets)),
    create: (settings) => createSampleProvider(outbound, settings),
  }
}

/** Makes the provider from checked settings. Sample's abilities besides orders are added here, one capability each. */
export function createSampleProvider(outbound: Outbound, settings: ConnectionSettings): Provider {
  const config = readSampleConfig(settings.config as Config)
  const client = createSampleClient(outbound, config, settings.secrets.api_key ?? '')
  return {
    code: settings.code,
    submitTimeoutMs: config.submitTimeoutMs,
    queryTimeoutMs: config.queryTimeoutMs,
    concurrencyMax: config.concurrencyMax,
    ratePerSecond: null,
    reservesStock: false,
    // Stays null until Sample promises in writing after how long an order that it does not know will never arrive.
    notFoundProvesAfterMs: null,
    // Must be false if Sample refuses a reference that it has seen, even if it did nothing with it.
    repeatsReference: true,
    async submit(order, signal, notAfterMs) {
      return submitOutcomeOf(await client.send('POST', '/orders', signal, orderBodyOf(order), notAfterMs))
    },
    async query(order, signal) {
      return queryAnswerOf(await client.send('GET', `/orders/${encodeURIComponent(order.reference)}`, signal))
    },
  }
}
