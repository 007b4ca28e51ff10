import type { Config } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { OnProblem } from '../../lib/observing/payment-stages.ts'
import type { Outbound } from '../../outbound/types.ts'
import type { Reporting } from './ambiguous.service.ts'
import type { ConnectorKind } from './connections/connections.types.ts'
import { listKinds } from './kinds.service.ts'
import type { Provider } from './port/types.ts'
import type { OpenProviders } from './registry.service.ts'
import { openRegistry } from './registry.service.ts'
import { createRemoteSimulator } from './simulator/client.service.ts'
import { createSimulator } from './simulator/service.ts'
import type { FulfilmentOf } from './simulator/types.ts'

export type ProviderSettings = Reporting &
  Pick<Config, 'environment' | 'simulator' | 'leaseMs'> & {
    database: Database
    vault: Vault
    /** Groups of resellers that share the accounts at suppliers. */
    groups?: (() => number) | undefined
    outbound: Outbound
    fulfilment: FulfilmentOf
    nowMs: () => number
    onProblem: OnProblem
  }

/** Providers, with the connectors that make, check and try connections. */
export type StartedProviders = OpenProviders & { readonly kinds: ReadonlyMap<string, ConnectorKind> }

/** Opens the providers that the operator connected. In staging the simulator takes every product without a route. */
export async function openProviders(settings: ProviderSettings): Promise<StartedProviders> {
  const { database, vault, leaseMs, groups, nowMs, onProblem, onAmbiguous, onUnmapped, onRefused } = settings
  const kinds = listKinds(settings)
  const registry = await openRegistry({
    database,
    vault,
    leaseMs,
    groups,
    nowMs,
    onProblem,
    onAmbiguous,
    onUnmapped,
    onRefused,
    kinds,
    fallback: settings.environment === 'staging' ? simulatorFor(settings) : undefined,
  })
  return { ...registry, kinds }
}

function simulatorFor({ simulator, fulfilment, nowMs }: ProviderSettings): Provider {
  const { url, timeoutMs } = simulator
  return url === undefined
    ? createSimulator({ fulfilment, nowMs, submitTimeoutMs: timeoutMs })
    : createRemoteSimulator({ url, fulfilment, submitTimeoutMs: timeoutMs })
}
