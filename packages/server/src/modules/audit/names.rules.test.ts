import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { olderNamesOf } from './names.rules.ts'
import { audited, createAuditLog, listAudit } from './service.ts'
import type { AuditLog } from './types.ts'

let test: TestDatabase
let log: AuditLog

beforeAll(async () => {
  test = await openTestDatabase()
  log = createAuditLog(test)
  for (const action of ['catalogue.change', 'price.set', 'allowlist.change', 'allowlist.add']) {
    const act = { caller: { kind: 'command', name: 'test' }, action, reason: 'because' } as const
    const target = { kind: 'thing', id: 'x' }
    await audited(log, act, async () => ({ target, before: null, after: null, result: null }))
  }
})
afterAll(() => test.close())

async function found(action: string): Promise<string[]> {
  const filter = { actor: null, targetKind: null, target: null, fromMs: null, untilMs: null }
  const rows = await listAudit(log, { ...filter, action, beforeSequence: null, limit: 100 })
  return rows.map((row) => row.action).sort()
}

it.each([
  ['price.set', ['catalogue.change', 'price.set']],
  ['price', ['catalogue.change', 'price.set']],
  ['allowlist.add', ['allowlist.add', 'allowlist.change']],
  ['catalogue.change', ['catalogue.change']],
])('a search for %s finds the rows under its older names too: %j', async (action, actions) => {
  expect(await found(action)).toEqual(actions)
})

it('every name that was ever stored is in the list of actions, and a search for its name of today finds it', () => {
  const path = new URL('../../testing/commands/actions.golden.json', import.meta.url)
  const golden: Record<string, { face: string; name: string }[]> = JSON.parse(readFileSync(path, 'utf8'))
  const listed = Object.entries(golden).flatMap(([older, writers]) =>
    writers.filter(({ face }) => face === 'earlier').map(({ name }) => `${name}: ${older}`),
  )
  const found = Object.keys(golden).flatMap((name) => olderNamesOf(name).map((older) => `${name}: ${older}`))
  expect(found.sort()).toEqual(listed.sort())
})
