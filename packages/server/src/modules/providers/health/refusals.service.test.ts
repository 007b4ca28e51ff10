import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { newOrder } from '../../../testing/providers/provider-bench.ts'
import { createScriptedProvider, SUCCEEDED } from '../../../testing/providers/scripted-provider.ts'
import { reportingAnswers } from '../ambiguous.service.ts'
import type { SubmitOutcome } from '../port/types.ts'
import type { Refusal } from './health.types.ts'
import { collectRefusals, listRefusals } from './refusals.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
  await test.database.query(
    `insert into provider_connections (code, kind, name, is_enabled, config, version, created_at, updated_at)
     select code, 'http', code, true, '{}', 1, now(), now() from unnest(array['acme', 'other']) as c (code)`,
  )
})
afterAll(() => test.close())
beforeEach(() => test.database.query('truncate provider_refusals'))

const refusal = (change: Partial<Refusal> = {}): Refusal => ({
  provider: 'acme',
  outcome: 'failed',
  word: 'BAD_NUMBER',
  code: 52,
  ...change,
})

async function count(...seen: readonly Refusal[]): Promise<void> {
  const refusals = collectRefusals({
    database: test.database,
    onProblem: (_, error) => expect.fail(String(error)),
  })
  for (const each of seen) refusals.note(each)
  await refusals.close()
}

const listed = async () => (await listRefusals(test.database, 'acme')).map(({ lastAt: _, ...row }) => row)

it('the refusals of a provider are counted by its word and our code over writes, the most frequent first', async () => {
  await count(refusal(), refusal(), refusal({ word: '', outcome: 'not_acted', code: 47 }))
  await count(refusal({ provider: 'other' }), refusal({ provider: 'gone' }), refusal())
  expect(await listed()).toEqual([
    { outcome: 'failed', word: 'BAD_NUMBER', code: 52, count: 3 },
    { outcome: 'not_acted', word: '', code: 47, count: 1 },
  ])
  await expect(listRefusals(test.database, 'gone')).rejects.toMatchObject({ status: 404 })
})

it('refusals are shown for seven days, and then forgotten', async () => {
  await count(refusal())
  await test.database.query('update provider_refusals set day = day - 6')
  expect(await listed()).toMatchObject([{ count: 1 }])
  await test.database.query('update provider_refusals set day = day - 1')
  expect(await listed()).toEqual([])
  await count(refusal({ word: 'OTHER' }))
  const { rows } = await test.database.query('select word from provider_refusals')
  expect(rows).toEqual([{ word: 'OTHER' }])
})

it('words without end are counted together, and known ones go on', async () => {
  await count(refusal())
  await count(...Array.from({ length: 250 }, (_, at) => refusal({ word: `W${at}` })), refusal())
  const rows = await listed()
  expect(rows).toHaveLength(200)
  expect(rows.slice(0, 2)).toMatchObject([
    { word: '…', count: 51 },
    { word: 'BAD_NUMBER', count: 2 },
  ])
})

it('answers that end an order, or leave it to another provider, are refusals, and no other', async () => {
  const answers: SubmitOutcome[] = [
    SUCCEEDED,
    { kind: 'pending' },
    { kind: 'failed', code: 52, reason: 'no', word: 'BAD' },
    { kind: 'not_acted', code: 47, reason: 'not reached' },
  ]
  const seen: Refusal[] = []
  const provider = reportingAnswers(
    createScriptedProvider(() => Promise.resolve(answers.shift() as SubmitOutcome), SUCCEEDED, {
      code: 'acme',
    }),
    { onAmbiguous: async () => {}, onRefused: (each) => seen.push(each) },
  )
  while (answers.length > 0) await provider.submit(newOrder(), new AbortController().signal)
  expect(seen).toEqual([
    { provider: 'acme', outcome: 'failed', word: 'BAD', code: 52 },
    { provider: 'acme', outcome: 'not_acted', word: '', code: 47 },
  ])
})
