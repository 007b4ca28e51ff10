import { expect, it } from 'vitest'
import { addMeaning } from './words.rules.ts'

const FAILED = { path: 'error.code', table: { EMPTY: { outcome: 'not_acted', code: 47 } } }
const config = (failed: unknown) => ({
  base_url: 'x',
  query: { response: { outcome: { path: ['status', 'errorCode'], table: { FAILED: failed } }, reason: 'r' } },
})
const word = (path: string, value: string) => ({ operation: 'query', path, value }) as const

it('a word goes into the table that reads its place, and nothing else changes', () => {
  const meaning = { outcome: 'failed', code: 52 }
  expect(addMeaning(config(FAILED), word('error.code', 'BAD'), meaning)).toEqual(
    config({ ...FAILED, table: { ...FAILED.table, BAD: meaning } }),
  )
  const added = addMeaning(config(FAILED), word('errorCode', 'WAIT'), { outcome: 'pending' })
  expect(added).toMatchObject({
    query: { response: { outcome: { table: { WAIT: { outcome: 'pending' } } } } },
  })
})

it('a word that no table reads, that has a meaning, or that several tables read is left to a person', () => {
  const meaning = { outcome: 'failed' }
  expect(addMeaning(config(FAILED), word('other', 'BAD'), meaning)).toBeUndefined()
  expect(addMeaning(config(FAILED), word('error.code', 'EMPTY'), meaning)).toBeUndefined()
  expect(
    addMeaning(config({ ...FAILED, otherwise: meaning }), word('error.code', 'BAD'), meaning),
  ).toBeUndefined()
  const twice = { path: 'status', table: { A: FAILED, B: FAILED } }
  expect(
    addMeaning({ query: { response: { outcome: twice } } }, word('error.code', 'BAD'), meaning),
  ).toBeUndefined()
  expect(addMeaning({}, word('status', 'BAD'), meaning)).toBeUndefined()
})
