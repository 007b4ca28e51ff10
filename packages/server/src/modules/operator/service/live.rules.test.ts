import { describe, expect, it } from 'vitest'
import { OPERATOR_ROLES } from '../../accounts/types.ts'
import type { LiveRow } from '../../events/live/live.types.ts'
import type { HouseChange } from './live.rules.ts'
import { houseChanges, mayRead } from './live.rules.ts'

const AT = new Date('2026-11-16T08:00:00Z')

function row(type: string, data: Record<string, unknown>): LiveRow {
  const none = { code: null, amount: null, balance: null }
  return { resellerId: 0n, span: 1, position: 1n, source: 'own', subject: 0n, at: AT, type, data, ...none }
}

function hearers(change: Pick<HouseChange, 'subject' | 'data'>, operatorId = 1n): string[] {
  return OPERATOR_ROLES.filter((role) => mayRead({ role, operatorId }, { change: '', at: AT, ...change }))
}

describe('live news for operators', () => {
  it('is read from the facts of the house, without those of a later version', () => {
    const rows = [row('alert.opened', { id: '1' }), row('weather.changed', {}), row('case.changed', {})]
    expect(houseChanges(rows)).toEqual([
      { subject: 'alert', change: 'opened', data: { id: '1' }, at: AT },
      { subject: 'case', change: 'changed', data: {}, at: AT },
    ])
  })

  it('about cases is for those who may read cases', () => {
    expect(hearers({ subject: 'case', data: {} }).toSorted()).toEqual(['admin', 'read_only', 'support'])
  })

  it('about the ledger is for those who may read its checks', () => {
    expect(hearers({ subject: 'ledger', data: {} }).toSorted()).toEqual(['admin', 'finance', 'read_only'])
  })

  it('about a request is for those who decide or watch, who may ask for such a thing, and who asked', () => {
    const deposit = { subject: 'approval', data: { kind: 'deposit', requested_by: '9' } } as const
    expect(hearers(deposit).toSorted()).toEqual(['admin', 'finance', 'read_only'])
    expect(hearers(deposit, 9n).toSorted()).toEqual([...OPERATOR_ROLES].toSorted())
    const price = { subject: 'approval', data: { kind: 'price_change', requested_by: '9' } } as const
    expect(hearers(price)).toContain('catalogue')
    expect(hearers(price)).not.toContain('support')
  })
})
