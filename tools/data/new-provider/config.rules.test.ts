import { expect, it } from 'vitest'
import { checkSampleConfig, readSampleConfig } from './config.rules.ts'

const CONFIG = { base_url: 'https://api.example.com/v1/' }

it('a configuration that says only where Sample is, is enough', () => {
  expect(checkSampleConfig(CONFIG, ['api_key'])).toEqual([])
  expect(readSampleConfig(CONFIG)).toEqual({
    baseUrl: 'https://api.example.com/v1',
    submitTimeoutMs: 30_000,
    queryTimeoutMs: 10_000,
    concurrencyMax: 32,
  })
})

it('every mistake is told at once, with its path', () => {
  const config = { base_url: 'ftp://x', submit_timeout_ms: 0, concurrency: '5', colour: 'red' }
  expect(checkSampleConfig(config, []).map(({ path }) => path)).toEqual([
    'colour',
    'base_url',
    'submit_timeout_ms',
    'concurrency',
    'secrets.api_key',
  ])
})
