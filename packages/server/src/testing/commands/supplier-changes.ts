import { expect } from 'vitest'
import type { Change } from './bench.ts'
import { newPacked, newProvider, newRoute, newWord } from './bench.ts'

const SOMETHING = expect.anything()

/** Commands that change suppliers and their routes. */
export const SUPPLIER_CHANGES: Readonly<Record<string, Change>> = {
  'provider add': [
    'provider.add',
    (c) => ['--code', c.fresh('shelf'), '--kind', 'stock'],
    null,
    { kind: 'stock' },
  ],
  'provider update': [
    'provider.update',
    async (c) => ['--code', await newProvider(c), '--name', 'New'],
    { name: SOMETHING },
    { name: 'New' },
  ],
  'provider upgrade': [
    'provider.upgrade',
    async (c) => ['--provider', await newPacked(c), '--accept'],
    { pack_version: SOMETHING },
    { pack_version: SOMETHING },
  ],
  'provider word map': [
    'provider.map_answer',
    async (c) => [...(await newWord(c)), '--outcome', 'pending'],
    null,
    { value: 'ODD', outcome: 'pending' },
  ],
  'provider word dismiss': ['provider.dismiss_answer', newWord, { value: 'ODD' }, null],
  'provider enable': [
    'provider.enable',
    async (c) => ['--code', await newProvider(c, '--disabled')],
    { enabled: false },
    { enabled: true },
  ],
  'provider disable': [
    'provider.disable',
    async (c) => ['--code', await newProvider(c)],
    { enabled: true },
    { enabled: false },
  ],
  'provider remove': [
    'provider.remove',
    async (c) => {
      const code = await newProvider(c, '--disabled')
      await c.database.query(`update provider_connections set updated_at = now() - interval '1 minute'`)
      return ['--code', code]
    },
    { kind: 'stock' },
    null,
  ],
  'route set': [
    'route.set',
    async (c) => [...(await newRoute(c)), '--priority', '2'],
    { priority: 1 },
    { priority: 2 },
  ],
  'route remove': ['route.remove', newRoute, { priority: 1 }, null],
}
