import { expect, it } from 'vitest'
import { mergeConfigs } from './merge.rules.ts'

const MADE = { base_url: 'https://a', products: {}, table: { DONE: 'succeeded', LATE: 'pending' } }

it('an upgrade changes what the pack changed, and keeps what people added', () => {
  const now = { ...MADE, products: { NOVA: 'X' }, table: { ...MADE.table, ODD: 'failed' } }
  const next = { ...MADE, table: { DONE: 'succeeded', LATE: 'failed', NEW: 'pending' }, currency: 'USD' }
  expect(mergeConfigs(now, MADE, next)).toEqual({
    config: {
      base_url: 'https://a',
      products: { NOVA: 'X' },
      table: { DONE: 'succeeded', LATE: 'failed', ODD: 'failed', NEW: 'pending' },
      currency: 'USD',
    },
    differences: [
      { path: 'table.LATE', now: 'pending', next: 'failed', isKept: false },
      { path: 'table.NEW', now: null, next: 'pending', isKept: false },
      { path: 'currency', now: null, next: 'USD', isKept: false },
    ],
  })
})

it('a place that both changed stays as people made it, and is shown', () => {
  const now = { ...MADE, table: { ...MADE.table, LATE: 'failed' } }
  const next = { ...MADE, table: { DONE: 'succeeded', LATE: 'succeeded' } }
  expect(mergeConfigs(now, MADE, next)).toEqual({
    config: now,
    differences: [{ path: 'table.LATE', now: 'failed', next: 'succeeded', isKept: true }],
  })
})

it('a place that the pack took away goes, and the same pack changes nothing', () => {
  const next = { ...MADE, table: { DONE: 'succeeded' } }
  expect(mergeConfigs(MADE, MADE, next).config).toEqual(next)
  const own = { ...MADE, base_url: 'https://b' }
  expect(mergeConfigs(own, MADE, MADE)).toEqual({ config: own, differences: [] })
})
