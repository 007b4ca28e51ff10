import { describe, expect, it } from 'vitest'
import { addUnread, nothingUnread, readFirsts } from './live.rules.ts'

describe('a notification about new events', () => {
  it('names each account with its first new number', () => {
    expect(readFirsts('7:12,0:3')).toEqual(
      new Map([
        [7n, 12n],
        [0n, 3n],
      ]),
    )
  })

  it.each(['', 'x', '7', '7:12,', '7:-1'])(
    'a notification about new events that cannot be read (%j) names nobody',
    (payload) => {
      expect(readFirsts(payload)).toBeUndefined()
    },
  )

  it('never moves the place from which an account is read', () => {
    const unread = nothingUnread()
    addUnread(unread, '7:12')
    addUnread(unread, '7:15,8:1')
    expect([...unread.firsts]).toEqual([
      [7n, 12n],
      [8n, 1n],
    ])
    expect(unread.isPartial).toBe(false)
  })

  it('without names, or with too many of them, leaves it open who changed', () => {
    const nameless = nothingUnread()
    addUnread(nameless, '')
    expect(nameless.isPartial).toBe(true)
    const crowded = nothingUnread()
    addUnread(crowded, Array.from({ length: 2_001 }, (_, id) => `${id}:1`).join(','))
    expect(crowded.isPartial).toBe(true)
    expect(crowded.firsts.size).toBe(2_000)
  })
})
