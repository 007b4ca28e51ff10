import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeConfig, NAMES, readConfig } from '../config.ts'

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

it('a setting is read exactly if it is one of the known names', () => {
  const asked = namesAsked({}, (env) => void readConfig(env))
  expect([...asked].filter((name) => name.startsWith('WARUNG_')).toSorted()).toEqual([...NAMES].toSorted())
})

it('every setting stands in the guide, and no other', () => {
  const guide = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  const rows = [...guide.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/\w+/g) ?? [],
  )
  const named = rows.filter((name) => name.startsWith('WARUNG_') && !name.startsWith('WARUNG_TEST_'))
  expect(named.toSorted()).toEqual([...NAMES].toSorted())
})

it('every setting is shown by `warungd config`', () => {
  const config = readConfig({})
  const shown = namesAsked(config, (each) => void describeConfig(each))
  expect(Object.keys(config).filter((name) => !shown.has(name))).toEqual([])
})
