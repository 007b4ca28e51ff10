import { expect, it } from 'vitest'
import { billOf } from './bills.rules.ts'

const NOW_MS = Date.parse('2026-03-01T16:00:00Z')

function ask(productCode: string, account: string, billerCode: string | null = null) {
  return billOf({ productCode, account, billerCode, ref2: null, amount: null }, NOW_MS)
}

it('an account owes the same whenever it is asked, and another account something else', () => {
  const bill = ask('VOLT', '220011223344')
  expect(bill).toEqual(ask('VOLT', '220011223344'))
  expect(bill).not.toEqual(ask('VOLT', '220011223345'))
  expect(ask('BILLPAY', '1', '1001')).not.toEqual(ask('BILLPAY', '1', '1002'))
})

it('a bill has an amount that its text repeats, and is due by the calendar of GMT+8', () => {
  const answer = ask('VOLT', '220011223344')
  if (answer.kind !== 'found') throw new Error('no bill')
  expect(answer.bill.Outstanding).toBeGreaterThanOrEqual(5)
  expect(answer.bill.Outstanding).toBeLessThan(505)
  expect(Number(answer.bill.Balance)).toBe(answer.bill.Outstanding)
  expect(answer.bill.DueDate).toBe('2026-03-16')
})

it('an invalid account, an outage and a product without bills are told apart', () => {
  expect(ask('VOLT', '000000000000')).toEqual({ kind: 'invalid_account' })
  expect(ask('BILLPAY', '000000000999', '1001')).toMatchObject({ kind: 'unavailable' })
  expect(ask('NOVA', '60123456789')).toEqual({ kind: 'not_offered' })
})
