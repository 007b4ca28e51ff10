import type { HttpConfig } from '../../modules/providers/http/config.rules.ts'
import { parseHttpConfig } from '../../modules/providers/http/config.rules.ts'
import { simulatorConnection } from './http-connection.ts'

// Configurations of suppliers, changed member by member.

/** Names of secrets that every reading knows. */
const SECRETS = ['api_key', 'signing_key', 'callback_key', 'callback']

export type Json = Record<string, unknown>

/** Returns the smallest valid configuration. */
export function leastConfig(): Json {
  return {
    base_url: 'https://api.supplier.example/v1',
    submit: {
      method: 'POST',
      path: '/orders',
      body: { ref: '{{reference}}' },
      response: { outcome: { path: 'status', table: { ok: { outcome: 'succeeded' } } } },
    },
  }
}

/** Returns the configuration of the simulator, which has every operation. */
export function fullConfig(): Json {
  return simulatorConnection('https://api.supplier.example')
}

/** Sets a member by its path; `undefined` removes it. */
export function changed(config: Json, path: string, value: unknown): Json {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let at = config
  for (const name of names) at = at[name] as Json
  if (value === undefined) delete at[last]
  else at[last] = value
  return config
}

export function problemsOf(config: unknown, secretNames: readonly string[] = SECRETS) {
  const reading = parseHttpConfig(config, secretNames)
  return reading.ok ? reading.outdated : reading.problems
}

export function readConfig(config: unknown): HttpConfig {
  const reading = parseHttpConfig(config, SECRETS)
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems))
  return reading.config
}
