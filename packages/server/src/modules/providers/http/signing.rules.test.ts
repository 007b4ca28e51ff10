import { expect, it } from 'vitest'
import { changed, fullConfig, readConfig } from '../../../testing/providers/http-configs.ts'
import { keyOf, problemsOfKeys } from './signing.rules.ts'

it.each([
  ['text', 'whsec_AAEC', 'whsec_AAEC'],
  ['base64', 'AAEC', '\u0000\u0001\u0002'],
  ['whsec', 'AAEC', '\u0000\u0001\u0002'],
  ['whsec', 'whsec_AAEC', '\u0000\u0001\u0002'],
  ['base64', 'whsec_AAEC', undefined],
  ['base64', 'AAE', undefined],
  ['base64', '', undefined],
  ['whsec', 'whsec_', undefined],
] as const)('a key as %s of %s', (key, secret, bytes) => {
  expect(keyOf({ key }, secret)?.toString('latin1')).toBe(bytes)
})

it('a key that is not Base64 is a mistake of its secret', () => {
  const config = readConfig(changed(fullConfig(), 'callback.verification.key', 'base64'))
  expect(problemsOfKeys(config, { callback: 'AAEC' })).toEqual([])
  const problems = problemsOfKeys(config, { callback: 'a secret' })
  expect(problems).toEqual([
    { path: 'callback.verification.secret', message: expect.stringContaining('Base64') },
  ])
  expect(JSON.stringify(problems)).not.toContain('a secret')
})
