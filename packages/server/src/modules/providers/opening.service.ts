import type { Config } from '../../config.ts'
import type { Providers } from './registry.service.ts'
import { createProviders } from './registry.service.ts'
import { createRemoteSimulator } from './simulator/client.service.ts'
import { createSimulator } from './simulator/service.ts'
import type { FulfilmentOf } from './simulator/types.ts'

export type ProviderSettings = Pick<Config, 'environment' | 'simulator'> & {
  fulfilment: FulfilmentOf
  nowMs: () => number
}

/** Staging's provider of everything is the simulator; production has those that its operator connects. */
export function openProviders(settings: ProviderSettings): Providers {
  if (settings.environment === 'production') return createProviders(undefined)
  const { fulfilment, nowMs } = settings
  const { url, timeoutMs } = settings.simulator
  return createProviders(
    url === undefined
      ? createSimulator({ fulfilment, nowMs, submitTimeoutMs: timeoutMs })
      : createRemoteSimulator({ url, fulfilment, submitTimeoutMs: timeoutMs }),
  )
}
