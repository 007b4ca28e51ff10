import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../../../../packages/server/src/testing/database.ts'
import { readComments } from './comments.ts'
import { describeSchema, SCHEMA_FILE } from './describe.ts'

it('schema.sql is the schema that migrations and functions make', async () => {
  const { database, close } = await openTestDatabase()
  try {
    const text = await describeSchema(
      async <Row extends object>(statement: string) => (await database.query<Row>(statement)).rows,
    )
    expect(readFileSync(SCHEMA_FILE, 'utf8'), 'run: npm run build && npm run schema').toBe(text)
  } finally {
    await close()
  }
})

it('a column that a later migration adds brings its comment along', () => {
  const { comments, owners } = readComments([
    '-- owner: wallet\n-- One each.\ncreate table wallets (\n  -- Exact.\n  balance bigint\n);\n',
    '-- Why.\nalter table wallets add column note text;\nalter table wallets\n  -- Then.\n  add column at timestamptz;\n',
  ])
  expect(Object.fromEntries(owners)).toEqual({ wallets: 'wallet' })
  expect(Object.fromEntries(comments)).toEqual({
    'table wallets': ['One each.'],
    'column wallets.balance': ['Exact.'],
    'column wallets.note': ['Why.'],
    'column wallets.at': ['Then.'],
  })
})
