import type { Outbound } from '../../../outbound/types.ts'
import type { ConnectionSettings, ConnectorKind } from '../connections/connections.types.ts'
import type { Provider } from '../port/types.ts'
import { createSampleClient } from './client.service.ts'
import { checkSampleConfig, readSampleConfig } from './config.rules.ts'
import { orderBodyOf, queryAnswerOf, submitOutcomeOf } from './mapping.rules.ts'

type Config = Readonly<Record<string, unknown>>

/** Listed in kinds.service.ts, so that an operator can connect Sample. */
export function createSampleKind(outbound: Outbound): ConnectorKind {
  return {
    kind: 'sample',
    check: (config, secretNames) => checkSampleConfig(config as Config, secretNames),
    create: (settings) => createSampleProvider(outbound, settings),
  }
}

/** From settings that were checked. What Sample can do beside orders is added here, one capability each. */
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
    // Until Sample promises in writing after how long an order that it does not know will never arrive.
    notFoundProvesAfterMs: null,
    // False where Sample refuses a reference that it has seen, also when it did nothing with it.
    repeatsReference: true,
    async submit(order, signal, notAfterMs) {
      return submitOutcomeOf(await client.send('POST', '/orders', signal, orderBodyOf(order), notAfterMs))
    },
    async query(order, signal) {
      return queryAnswerOf(await client.send('GET', `/orders/${encodeURIComponent(order.reference)}`, signal))
    },
  }
}
