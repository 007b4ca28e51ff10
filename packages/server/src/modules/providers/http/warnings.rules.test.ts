import { expect, it } from 'vitest'
import { changed, fullConfig, problemsOf, readConfig } from '../../../testing/providers/http-configs.ts'
import { warningsOf } from './warnings.rules.ts'

it('a configuration without a product, or with SHA-1, works and has a warning', () => {
  const config = changed(fullConfig(), 'submit.body.sku', '{{supplier_code}}')
  changed(config, 'products', {})
  const verification = {
    type: 'hmac',
    algorithm: 'sha1',
    secret: { secret: 'callback' },
    header: 'X-Hub-Signature',
    value: 'sha1={{signature}}',
    payload: '{{body}}',
  }
  changed(config, 'callback', { verification, reference: 'data.ref_id', outcome: 'ask' })
  expect(problemsOf(config)).toEqual([])
  expect(warningsOf(readConfig(config))).toEqual([
    expect.stringContaining('"products" is empty'),
    expect.stringContaining('SHA-1'),
  ])
})
