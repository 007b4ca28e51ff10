import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ALERT_KIND_RULES } from '../generated/kinds.types.ts'
import type { AlertKindRule } from './kinds.rules.ts'

const PACKAGE = new URL('../../../../', import.meta.url)
const RULES: Readonly<Record<string, AlertKindRule>> = ALERT_KIND_RULES

/** Source files with their paths, without tests and the list of kinds itself. */
function sources(): { path: string; text: string }[] {
  return ['src/', 'functions/'].flatMap((folder) =>
    readdirSync(new URL(folder, PACKAGE), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|sql)$/.test(path) && !/\.test\.ts$|^testing|\/generated\//.test(path))
      .map((path) => ({ path, text: readFileSync(new URL(folder + path, PACKAGE), 'utf8') })),
  )
}

/** Finds the kinds that SQL raises, by their text. The compiler checks those that TypeScript raises. */
function raisedInSql(): { kind: string; severity: string }[] {
  return sources().flatMap(({ text }) =>
    [...text.matchAll(/raise_alert\(\s*'(\w+)'[\s\S]*?'(warning|critical)'\)/g)].map(
      ([, kind = '', severity = '']) => ({ kind, severity }),
    ),
  )
}

it('every alert that SQL raises is in the list, with the severity of the list', () => {
  const raised = raisedInSql()
  const mentions = sources().flatMap(({ text }) => [...text.matchAll(/raise_alert\(\s*'/g)])
  expect(raised).toHaveLength(mentions.length)
  expect(raised.length).toBeGreaterThanOrEqual(5)
  for (const { kind, severity } of raised)
    expect({ kind, severity: RULES[kind]?.severity }).toEqual({ kind, severity })
})

it('every kind in the list is raised somewhere', () => {
  const all = sources()
  const silent = Object.keys(RULES).filter((kind) => !all.some(({ text }) => text.includes(`'${kind}'`)))
  expect(silent).toEqual([])
})
