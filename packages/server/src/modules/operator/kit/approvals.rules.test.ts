import { expect, it } from 'vitest'
import { APPROVAL_KINDS, LIST_RULES, mayRequest, scopeOf } from './approvals.rules.ts'

it.each([
  ['finance', ['deposit', 'adjustment', 'deposit_request', 'rate_change']],
  ['support', ['payment_resolution', 'void']],
  ['catalogue', ['price_change', 'catalogue_change', 'offers_accept']],
  ['read_only', []],
  ['admin', [...APPROVAL_KINDS]],
] as const)('%s may ask for %s', (role, kinds) => {
  expect(APPROVAL_KINDS.filter((kind) => mayRequest(role, kind))).toEqual(kinds)
})

it('changes of routes and providers are asked for by the admin alone', () => {
  expect(APPROVAL_KINDS.filter((kind) => !mayRequest('finance', kind) && mayRequest('admin', kind))).toEqual(
    expect.arrayContaining(['route_change', 'route_removal', 'provider_switch']),
  )
})

it('an unknown kind may not be asked for', () => {
  expect(mayRequest('admin', 'anything')).toBe(false)
})

it('roles that decide or watch see every request, others their kinds and their own', () => {
  expect(scopeOf({ role: 'finance', operatorId: 5n })).toBeNull()
  expect(scopeOf({ role: 'read_only', operatorId: 5n })).toBeNull()
  expect(scopeOf({ role: 'admin', operatorId: 5n })).toBeNull()
  expect(scopeOf({ role: 'support', operatorId: 5n })).toEqual({
    kinds: ['payment_resolution', 'void'],
    operatorId: 5n,
  })
})

it('a list is asked for by state and kind, or by neither', () => {
  expect(LIST_RULES.state.read('expired')).toBe('expired')
  expect(LIST_RULES.state.read('open')).toBeUndefined()
  expect(LIST_RULES.state.read(undefined)).toBeNull()
  expect(LIST_RULES.kind.read('void')).toBe('void')
  expect(LIST_RULES.kind.read('anything')).toBeUndefined()
  expect(LIST_RULES.kind.read(undefined)).toBeNull()
})
