import { describe, expect, it } from 'vitest'
import { forgetKnown, knownOf, remember, rememberPerson } from './known.ts'

function openStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
}

const SITI = { account: '1', name: 'siti', role: 'admin' }
const BALANCE = { amount: '84.50', currency: 'MYR', atMs: 5 }
const number = (atMs: number) => ({ product: 'Top-up', number: '60123456789', amount: '10', atMs })

describe('knowledge for the time without a connection', () => {
  it('holds the last balance and the recent numbers of the person who was here last', () => {
    const storage = openStorage()
    expect(rememberPerson(storage, SITI, 'Kedai Siti', 1)).toBe(false)
    remember(storage, { balance: BALANCE }, 5)
    remember(storage, { recents: Array.from({ length: 20 }, (_, at) => number(at)) }, 6)
    expect(rememberPerson(storage, SITI, 'Kedai Siti', 7)).toBe(false)
    expect(knownOf(storage, 8)).toMatchObject({ shop: 'Kedai Siti', balance: BALANCE, seenAtMs: 7 })
    expect(knownOf(storage, 8)?.recents).toHaveLength(9)
  })

  it.each([
    ['another person', { ...SITI, name: 'aminah' }],
    ['another role', { ...SITI, role: 'viewer' }],
    ['another shop', { ...SITI, account: '2' }],
  ])('is gone for %s', (_, other) => {
    const storage = openStorage()
    rememberPerson(storage, SITI, 'Kedai Siti', 1)
    remember(storage, { balance: BALANCE, recents: [number(1)] }, 2)
    expect(rememberPerson(storage, other, 'Kedai', 3)).toBe(true)
    expect(knownOf(storage, 4)).toMatchObject({ person: other, balance: null, recents: [] })
  })

  it('is gone after signing out and after a day, also by a clock that was set back', () => {
    const storage = openStorage()
    rememberPerson(storage, SITI, 'Kedai Siti', 100_000_000)
    expect(knownOf(storage, 100_000_000 + 86_400_000)).toBeDefined()
    expect(knownOf(storage, 100_000_000 + 86_400_001)).toBeUndefined()
    expect(storage.items.size).toBe(0)
    rememberPerson(storage, SITI, 'Kedai Siti', 100_000_000)
    expect(knownOf(storage, 1)).toBeUndefined()
    rememberPerson(storage, SITI, 'Kedai Siti', 1)
    forgetKnown(storage)
    remember(storage, { balance: BALANCE }, 2)
    expect(storage.items.size).toBe(0)
  })

  it('is nothing where others wrote into the storage', () => {
    const storage = openStorage()
    for (const text of ['{', '[]', '{"person":1}', 'null']) {
      storage.setItem('warung.known', text)
      expect(knownOf(storage, 1)).toBeUndefined()
    }
  })
})
