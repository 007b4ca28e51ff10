import { expect, it } from 'vitest'
import type { PaymentRow } from '../faults/records.ts'
import { wrongEnds } from './books.ts'

function row(code: number, target: string): PaymentRow {
  const names = { account: '1', id: String(code), refid: `r${code}`, product: 'KITA', provider: 'simulator' }
  return { ...names, target, cost: 97_000, takenMs: 0, day: '2026-11-19', givenBackMs: null, code }
}

it('a payment that ends otherwise than its account says is a violation, also with its money back', () => {
  const right = [row(20, '60193000001'), row(48, '60123450048'), row(1, '60193000002')]
  expect(wrongEnds({ payments: right })).toEqual([])
  const wrong = [row(47, '60193000001'), row(47, '60123450048'), row(20, '60123450048')]
  expect(wrongEnds({ payments: [...right, ...wrong] }).map(({ refid }) => refid)).toEqual([
    'r47',
    'r47',
    'r20',
  ])
})
