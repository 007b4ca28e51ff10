import { expect, it } from 'vitest'
import type { Sold } from './recents.rules.ts'
import { recentsOf } from './recents.rules.ts'

function sold(account: string, memberId: string, more: Partial<Sold> = {}): Sold {
  const product = { productCode: 'NOVA', productName: 'Nova Prepaid' }
  return {
    ...product,
    account,
    amount: 100_000n,
    billerCode: null,
    memberId,
    createdAt: new Date(0),
    ...more,
  }
}

it('one’s own numbers come first, and each number of a product once with its latest amount', () => {
  const latest = sold('0123', '7', { amount: 200_000n })
  const recents = recentsOf([sold('0999', '8'), latest, sold('0123', '7'), sold('0123', '8')], '7')
  expect(recents.map(({ account, amount, isOwn }) => [account, amount, isOwn])).toEqual([
    ['0123', 200_000n, true],
    ['0999', 100_000n, false],
  ])
})

it('a bill is no recent number, and no list is longer than twenty', () => {
  expect(recentsOf([sold('1', '7', { billerCode: '51307' })], '7')).toEqual([])
  const many = Array.from({ length: 50 }, (_, index) => sold(String(index), '7'))
  expect(recentsOf(many, '7')).toHaveLength(20)
})
