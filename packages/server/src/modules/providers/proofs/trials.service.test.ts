import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createScriptedProvider, SUCCEEDED } from '../../../testing/providers/scripted-provider.ts'
import type { ConnectorKind } from '../connections/connections.types.ts'
import type { Provider, QueryAnswer } from '../port/types.ts'
import { listProofs } from './reads.ts'
import { openTrials } from './trials.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
  await test.database.query(
    `insert into provider_connections (code, kind, name, is_enabled, config, version, created_at, updated_at)
     values ('zendit', 'http', 'Zendit', false, '{}', 1, now(), now())`,
  )
  await test.database.query(`insert into provider_packs values ('zendit', 'zendit', 1, '{}', '{}', now())`)
})
afterAll(() => test.close())

it('a trial shows each result as soon as it is there, and keeps all of them at its end', async () => {
  let answer: (said: QueryAnswer) => void = () => {}
  let isAsked: () => void = () => {}
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  const provider: Provider = {
    ...createScriptedProvider(
      SUCCEEDED,
      () => {
        isAsked()
        return new Promise((resolve) => {
          answer = resolve
        })
      },
      { code: 'zendit' },
    ),
    float: { readFloat: () => Promise.resolve({ kind: 'known', amount: 500_000n, currency: 'USD' }) },
  }
  const kind = { kind: 'http', check: () => [], create: () => provider } as unknown as ConnectorKind
  const trials = openTrials({
    ...test,
    kinds: new Map([['http', kind]]),
    onProblem: (_, error) => expect.fail(String(error)),
  })
  const begun = { mayBeLiveAddress: true, supplierCode: undefined, by: 'siti', startedAt: new Date() }
  const ended = trials.run({ code: 'zendit', ...begun })
  await asked
  expect(trials.resultsOf('zendit')).toEqual([{ claim: 'float', result: 'held', says: '50.00 USD is left' }])
  expect(await listProofs(test.database, 'zendit')).toEqual([])
  answer({ kind: 'not_found' })
  await ended
  expect(trials.startedAt('zendit')).toBeUndefined()
  const proofs = await listProofs(test.database, 'zendit')
  expect(proofs).toContainEqual(
    expect.objectContaining({ claim: 'unknown_reference', result: 'held', by: 'siti' }),
  )
  expect(proofs).toContainEqual(expect.objectContaining({ claim: 'float', result: 'held' }))
})
