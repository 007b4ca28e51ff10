import { describe, expect, it } from 'vitest'
import type { LiveRow } from '../../events/live/live.types.ts'
import { changesOf } from './live.rules.ts'

const AT = new Date('2026-11-16T08:00:00Z')

function row(given: Partial<LiveRow>): LiveRow {
  const none = { code: null, amount: null, balance: null, type: null, data: null }
  return { resellerId: 7n, span: 1, position: 1n, source: 'own', subject: 0n, at: AT, ...none, ...given }
}

describe('new rows of a feed', () => {
  it('name each payment once, whatever happened to it', () => {
    const rows = [
      row({ source: 'taken', subject: 5n, amount: -10n, balance: 90n }),
      row({ source: 'moved', subject: 5n, code: 20, balance: 1n }),
      row({ source: 'moved', subject: 6n, code: 20 }),
    ]
    expect(changesOf(rows).paymentIds).toEqual([5n, 6n])
  })

  it('leave the balance of the newest movement, and not one that a state names', () => {
    const rows = [
      row({ source: 'entry', amount: 100n, balance: 200n }),
      row({ source: 'taken', subject: 5n, amount: -10n, balance: 190n }),
      row({ source: 'moved', subject: 4n, code: 20, balance: 150n }),
    ]
    expect(changesOf(rows).balance).toEqual({ amount: 190n, at: AT })
  })

  it('tell the newest state of each case', () => {
    const opened = row({ type: 'case.opened', data: { number: 'C-1', state: 'open' } })
    const closed = row({ type: 'case.resolved', data: { number: 'C-1', state: 'resolved' } })
    expect(changesOf([opened, closed]).cases).toEqual([
      { type: 'case.resolved', data: { number: 'C-1', state: 'resolved' }, at: AT },
    ])
  })

  it('count the orders that have ended', () => {
    const ended = row({ source: 'order', subject: 5n, type: 'order.completed' })
    expect(changesOf([ended, ended]).endedOrders).toBe(2)
    expect(changesOf([row({ source: 'catalog' })]).endedOrders).toBe(0)
  })

  it('tell a deposit request that was refused', () => {
    const refused = row({ type: 'deposit.refused', data: { id: '3' } })
    expect(changesOf([refused]).refusals).toEqual([{ type: 'deposit.refused', data: { id: '3' }, at: AT }])
  })

  it('tell deliveries that were given up, and a threshold that was crossed', () => {
    const rows = [
      row({ type: 'delivery.failed', data: { stream: 'callback' } }),
      row({ type: 'balance.low', data: { threshold: 500_000, balance: 1 } }),
      row({ type: 'something.new', data: {} }),
      row({ source: 'catalog', span: 3 }),
    ]
    const changes = changesOf(rows)
    expect(changes.troubles.map(({ type }) => type)).toEqual(['delivery.failed'])
    expect(changes.threshold).toBe(500_000n)
    expect(changes.hasNewCatalog).toBe(true)
  })
})
