import { expect, it } from 'vitest'
import { describeConfig, readConfig } from '../config.ts'
import type { Setting } from './settings.ts'
import { SETTINGS } from './settings.ts'

const DECLARED: Readonly<Record<string, Setting<unknown, unknown>>> = SETTINGS
const NAMES = Object.keys(DECLARED)

/** The names that are asked of a record while `use` works with it. */
function namesAsked<T extends object>(record: T, use: (record: T) => void): Set<string> {
  const asked = new Set<string>()
  const get = (target: T, name: string) => {
    asked.add(name)
    return Reflect.get(target, name)
  }
  use(new Proxy(record, { get: (target, name) => get(target, String(name)) }))
  return asked
}

it('a setting is read exactly if it is declared', () => {
  const asked = namesAsked({}, (env) => void readConfig(env))
  expect([...asked].toSorted()).toEqual(NAMES.toSorted())
})

it.each(NAMES)(
  '%s says its meaning, without a bar or line end that would break the table of the guide',
  (name) => {
    expect(DECLARED[name]?.meaning).toMatch(/^[^|\n]{10,}$/)
  },
)

it.each(NAMES)('the default of %s keeps the rule of the setting', (name) => {
  const { rule, usual } = DECLARED[name] as Setting<unknown, unknown>
  if (usual !== undefined) expect(rule.read(usual)).toEqual(usual)
})

it('every setting is shown by `warungd config`', () => {
  const config = readConfig({})
  const shown = namesAsked(config, (each) => void describeConfig(each))
  expect(Object.keys(config).filter((name) => !shown.has(name))).toEqual([])
})
