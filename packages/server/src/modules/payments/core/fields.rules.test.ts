import { expect, it } from 'vitest'
import { CUSTOMER_ACCOUNT, DECISION_FIELDS, EXTRA, PRODUCT, REFID } from './fields.rules.ts'

it.each([
  ['refid', REFID, 50],
  ['product', PRODUCT, 50],
  ['account', CUSTOMER_ACCOUNT, 100],
  ['extra', EXTRA, 100],
] as const)('the %s has the documented length', (_, rule, maxLength) => {
  expect(rule.schema).toEqual({ type: 'string', minLength: 1, maxLength })
  expect(rule.read('x')).toBe('x')
  expect(rule.read('x'.repeat(maxLength))).toBe('x'.repeat(maxLength))
  expect(rule.read('')).toBeUndefined()
  expect(rule.read('x'.repeat(maxLength + 1))).toBeUndefined()
})

it('a decision is one of two, with texts of up to 200 characters', () => {
  expect(['succeeded', 'failed', 'voided', ''].map((as) => DECISION_FIELDS.as.read(as))).toEqual([
    'succeeded',
    'failed',
    undefined,
    undefined,
  ])
  for (const rule of [DECISION_FIELDS.serialNumber, DECISION_FIELDS.pin]) {
    expect(rule.read('')).toBe('')
    expect(rule.read('x'.repeat(200))).toBe('x'.repeat(200))
    expect(rule.read('x'.repeat(201))).toBeUndefined()
  }
})
