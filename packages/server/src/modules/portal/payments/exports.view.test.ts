import { expect, it } from 'vitest'
import type { WalletEntry } from '../../wallet/statement/listing.service.ts'
import { ENTRY_COLUMNS, entryCells } from './exports.view.ts'

const ENTRY: WalletEntry = {
  resellerId: 1n,
  sequence: 2n,
  kind: 'payment',
  amount: -97_000n,
  balanceAfter: 903_000n,
  remarks: '=HYPERLINK("http://example.com")',
  paymentId: 3n,
  refid: '=1+1',
  createdAt: new Date('2026-01-01T00:00:00.000Z'),
}

it('texts of others are nothing that a spreadsheet runs, and a negative amount stays a number', () => {
  expect(entryCells(ENTRY)).toEqual([
    '2',
    '2026-01-01 08:00:00.000',
    'payment',
    '-9.70',
    '90.30',
    '3',
    "'=1+1",
    `'=HYPERLINK("http://example.com")`,
  ])
  expect(ENTRY_COLUMNS).toHaveLength(entryCells(ENTRY).length)
})
