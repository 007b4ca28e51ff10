import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeConfig, readConfig } from '../config.ts'
import { describeRule } from '../lib/input/fields.ts'
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

/** Rows of the guide's table: the cells of each setting by its name. */
function rowsOfGuide(): Map<string, string[]> {
  const guide = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  const rows = guide.split('\n').filter((line) => /^\| `\w+` \|/.test(line))
  const cells = rows.map((line) => line.split('|').map((cell) => cell.trim()))
  return new Map(cells.map(([, name = '', ...rest]) => [name.replaceAll('`', ''), rest]))
}

it('every setting stands in the guide, and no other', () => {
  expect([...rowsOfGuide().keys()].toSorted()).toEqual(NAMES.toSorted())
})

it.each(NAMES)('the guide shows the default and the values of %s as they are declared', (name) => {
  const { rule, usualText } = DECLARED[name] as Setting<unknown, unknown>
  expect(rowsOfGuide().get(name)?.slice(0, 2)).toEqual([usualText, describeRule(rule)])
})

it.each(NAMES)('the default of %s keeps the rule of the setting', (name) => {
  const { rule, usual } = DECLARED[name] as Setting<unknown, unknown>
  if (usual !== undefined) expect(rule.read(usual)).toEqual(usual)
})

it('every setting is shown by `warungd config`', () => {
  const config = readConfig({})
  const shown = namesAsked(config, (each) => void describeConfig(each))
  expect(Object.keys(config).filter((name) => !shown.has(name))).toEqual([])
})
