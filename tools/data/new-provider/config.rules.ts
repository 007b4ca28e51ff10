import type { ConfigProblem } from '../connections/connections.types.ts'
import type { SampleConfig } from './types.ts'

/** Names under which the operator gives the secrets. */
export const SAMPLE_SECRETS = ['api_key'] as const

const TIMEOUT_MS_MAX = 60_000
const CONCURRENCY_MAX = 1_000

type Field = { readonly usual: unknown; readonly message: string; fits(value: unknown): boolean }

const FIELDS: Readonly<Record<string, Field>> = {
  base_url: { usual: undefined, message: 'must be an http or https address', fits: isBaseUrl },
  submit_timeout_ms: wholeNumber(30_000, TIMEOUT_MS_MAX),
  query_timeout_ms: wholeNumber(10_000, TIMEOUT_MS_MAX),
  concurrency: wholeNumber(32, CONCURRENCY_MAX),
}

/** Lists every mistake at once, by its path. An empty list: `readSampleConfig` can read it. */
export function checkSampleConfig(
  config: Readonly<Record<string, unknown>>,
  secretNames: readonly string[],
): ConfigProblem[] {
  const unknown = Object.keys(config).filter((name) => !Object.hasOwn(FIELDS, name))
  const wrong = Object.entries(FIELDS).filter(([name, field]) => !field.fits(config[name] ?? field.usual))
  const missing = SAMPLE_SECRETS.filter((name) => !secretNames.includes(name))
  return [
    ...unknown.map((path) => ({ path, message: 'is not known' })),
    ...wrong.map(([path, { message }]) => ({ path, message })),
    ...missing.map((name) => ({ path: `secrets.${name}`, message: 'is missing' })),
  ]
}

/** Reads a configuration that was checked. */
export function readSampleConfig(config: Readonly<Record<string, unknown>>): SampleConfig {
  const number = (name: string) => Number(config[name] ?? FIELDS[name]?.usual)
  return {
    baseUrl: String(config.base_url).replace(/\/+$/, ''),
    submitTimeoutMs: number('submit_timeout_ms'),
    queryTimeoutMs: number('query_timeout_ms'),
    concurrencyMax: number('concurrency'),
  }
}

function wholeNumber(usual: number, max: number): Field {
  return {
    usual,
    message: `must be a whole number from 1 to ${max}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max,
  }
}

function isBaseUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
}
