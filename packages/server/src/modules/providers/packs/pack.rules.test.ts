import { expect, it } from 'vitest'
import { readPack } from './pack.rules.ts'

const unknown = { state: 'unknown', value: null, says: 'x', source: 'x' }
const documented = { ...unknown, state: 'documented', value: true }

const MANIFEST = {
  name: 'Kedai',
  version: 1,
  summary: 'x',
  countries: ['MY'],
  sells: ['mobile_topup'],
  currency: 'MYR',
  settings: { base_url: { label: 'Address', help: 'x', default: 'https://kedai.example' } },
  secrets: { key: { label: 'Key', help: 'x' } },
  claims: {
    repeated_reference_acts_once: documented,
    not_found_proves: documented,
    remembers_for_days: unknown,
    reversed_late: unknown,
    empty_wallet: unknown,
  },
  test_mode: { by: 'none', settings: {}, says: 'x', orders: [] },
  upgrade: 'x',
}
const CONNECTION = {
  base_url: `\${base_url}`,
  not_found_proves_after_ms: 60_000,
  auth: { type: 'bearer', token: { secret: 'key' } },
  submit: {
    method: 'POST',
    path: '/orders',
    body: { ref: '{{reference}}' },
    response: { outcome: { path: 's', table: { OK: { outcome: 'succeeded' } } } },
  },
  query: {
    method: 'GET',
    path: '/orders/{{reference}}',
    response: { outcome: { path: 's', table: { OK: { outcome: 'succeeded' } } } },
  },
}

function pathsOf(manifest: object, connection: object): string[] {
  const reading = readPack('kedai', { manifest, connection })
  return reading.ok ? [] : reading.problems.map(({ path }) => path)
}

it('a pack whose facts are documented may repeat an order, and take "not found" as a proof', () => {
  expect(pathsOf(MANIFEST, CONNECTION)).toEqual([])
})

it('a pack never repeats or proves by a fact that is unknown, or that is documented as false', () => {
  for (const claim of [unknown, { ...documented, value: false }]) {
    const claims = { ...MANIFEST.claims, repeated_reference_acts_once: claim, not_found_proves: claim }
    expect(pathsOf({ ...MANIFEST, claims }, CONNECTION)).toEqual([
      'connection.json.repeats_reference',
      'connection.json.not_found_proves_after_ms',
    ])
  }
})

it('every mistake of a pack is found at once', () => {
  const { base_url: _, ...settings } = MANIFEST.settings
  const { empty_wallet: __, ...claims } = MANIFEST.claims
  expect(
    pathsOf(
      { ...MANIFEST, version: 0, settings, claims, test_mode: { by: 'luck' }, colour: 'red' },
      CONNECTION,
    ),
  ).toEqual([
    'pack.json.colour',
    'pack.json.version',
    'pack.json.claims.empty_wallet',
    'pack.json.test_mode.by',
    'pack.json.test_mode.settings',
    'pack.json.test_mode.says',
    'pack.json.test_mode.orders',
    'pack.json.settings.base_url',
  ])
})

it('settings and secrets stand in both files or in none', () => {
  const secrets = { ...MANIFEST.secrets, other: { label: 'x', help: 'x' } }
  const settings = { ...MANIFEST.settings, user: { label: 'x', help: 'x', example: 'x' } }
  expect(
    pathsOf({ ...MANIFEST, secrets, settings }, { ...CONNECTION, headers: { a: `\${colour}` } }),
  ).toEqual(['connection.json', 'pack.json.settings.user', 'pack.json.secrets.other'])
})
