import { expect, it } from 'vitest'
import { fillSettings, problemsOfSecrets, settingsIn, writeSettings } from './settings.rules.ts'
import type { Setting } from './types.ts'

const text: Setting = { label: 'x', help: 'x', usual: null, example: 'x', type: 'text' }
const DECLARED = {
  base_url: { ...text, usual: 'https://live.example' },
  testing: { ...text, usual: 'false', type: 'boolean' },
  days: { ...text, usual: '90', type: 'number' },
  user: text,
} as const

it('settings fill every text, and a text that is one setting of another type becomes its value', () => {
  const { settings, problems } = fillSettings(DECLARED, { user: 'kedai', testing: 'true' })
  expect(problems).toEqual([])
  const template = { at: `\${base_url}/v1`, list: [`\${user}`, 3], testing: `\${testing}`, days: `\${days}` }
  expect(writeSettings(template, DECLARED, settings)).toEqual({
    at: 'https://live.example/v1',
    list: ['kedai', 3],
    testing: true,
    days: 90,
  })
  expect([...settingsIn(template)].sort()).toEqual(['base_url', 'days', 'testing', 'user'])
})

it('member names are never written from a setting', () => {
  expect(writeSettings({ '${user}': 'x' }, DECLARED, { user: 'kedai' })).toEqual({ '${user}': 'x' })
})

it('every mistake is found at once, and none of them opens a template or another setting', () => {
  const given = { user: '{{account}}', testing: 'maybe', days: '9x', base_url: 'a\nb', colour: 'red' }
  expect(
    fillSettings(DECLARED, given)
      .problems.map(({ path }) => path)
      .sort(),
  ).toEqual(['settings.base_url', 'settings.colour', 'settings.days', 'settings.testing', 'settings.user'])
  expect(fillSettings(DECLARED, { user: `\${base_url}` }).problems).toHaveLength(1)
  const needed = { path: 'settings.user', message: 'must be given: x. x' }
  expect(fillSettings(DECLARED, {}).problems).toEqual([needed])
  expect(fillSettings(DECLARED, { user: 'x'.repeat(501) }).problems).toHaveLength(1)
})

it('a secret that is missing is told with its help, and one that nobody knows by its name alone', () => {
  const declared = { api_key: { label: 'API key', help: 'Console, keys' } }
  expect(problemsOfSecrets(declared, { api_key: 'k' })).toEqual([])
  expect(problemsOfSecrets(declared, { key: 'k-4711' })).toEqual([
    { path: 'secrets.api_key', message: 'must be given: API key. Console, keys' },
    { path: 'secrets.key', message: 'is not known; there are api_key' },
  ])
})
