import { readFileSync } from 'node:fs'
import { parseNetwork } from '../../lib/addresses.ts'
import { parseHttpConfig } from '../../modules/providers/http/config.rules.ts'
import { createHttpProvider } from '../../modules/providers/http/service.ts'
import type { Provider } from '../../modules/providers/port/types.ts'
import { createOutbound } from '../../outbound/client.ts'
import type { Outbound } from '../../outbound/types.ts'

// Generic connector, configured by JSON alone.

const EXAMPLE = new URL('../../../../../docs/examples/simulator-connection.json', import.meta.url)

/** Reads the documentation's example of a connection to the simulator, for this address. */
export function simulatorConnection(url: string): Record<string, unknown> {
  return { ...JSON.parse(readFileSync(EXAMPLE, 'utf8')), base_url: url }
}

export const LOOPBACK = [parseNetwork('127.0.0.0/8')].filter((each) => each !== undefined)

export function openLoopback(settings: { ca?: string } = {}): Outbound {
  return createOutbound({ allow: LOOPBACK, ...settings })
}

export type ConnectSettings = {
  config: unknown
  secrets?: Readonly<Record<string, string>>
  outbound: Outbound
  nowMs?: () => number
}

/** Makes the provider. Throws the problems of the configuration. */
export function connectHttp({ config, secrets = {}, outbound, nowMs }: ConnectSettings): Provider {
  const reading = parseHttpConfig(config, Object.keys(secrets))
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems, null, 2))
  const clock = nowMs === undefined ? {} : { nowMs }
  return createHttpProvider({ code: 'supplier', config: reading.config, secrets, outbound, ...clock })
}
