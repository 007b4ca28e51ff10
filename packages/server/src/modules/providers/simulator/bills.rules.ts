import { hash } from 'node:crypto'
import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import type { BillAnswer, BillRequest } from '../port/types.ts'

/** Products of the demo whose bills can be seen before payment. */
const PRESENTED = new Set(['VOLT', 'BILLPAY'])

const INVALID_ACCOUNT = '000000000000'
const OUTAGE_ACCOUNT = '000000000999'
/** Account whose bill request is never answered. */
export const SILENT_ACCOUNT = '000000000998'

const CUSTOMERS = ['Aminah Yusof', 'Chong Wei Ling', 'Devi Raman', 'Hafiz Salleh', 'Josephine Lim'] as const
const STREETS = ['Jalan Kenanga', 'Jalan Melati', 'Lorong Cempaka', 'Persiaran Damai'] as const

const DAY_MS = 24 * 60 * 60 * 1_000
const GMT8_MS = 8 * 60 * 60 * 1_000
const DUE_AFTER_DAYS = 14
/** Range of 5.00 to 504.99 ringgit, in sen. */
const LEAST_SEN = 500n
const SPREAD_SEN = 50_000n
const UNITS_PER_SEN = 100n

/** Returns the same debt for the same account; only the due date moves with the calendar. */
export function billOf(request: BillRequest, nowMs: number): BillAnswer {
  const { productCode, account, billerCode } = request
  if (!PRESENTED.has(productCode)) return { kind: 'not_offered' }
  if (account === INVALID_ACCOUNT) return { kind: 'invalid_account' }
  if (account === OUTAGE_ACCOUNT) return { kind: 'unavailable', reason: 'simulated outage' }
  const digest = hash('sha256', JSON.stringify([productCode, billerCode, account]), 'buffer')
  const outstanding = (LEAST_SEN + (digest.readBigUInt64BE(0) % SPREAD_SEN)) * UNITS_PER_SEN
  const due = new Date(nowMs + GMT8_MS + DUE_AFTER_DAYS * DAY_MS)
  return {
    kind: 'found',
    // Names as the contract spells them: a biller's own record is shown unchanged.
    bill: {
      BillerName: billerCode === null ? productCode : `Biller ${billerCode}`,
      CustomerName: CUSTOMERS[digest.readUInt8(8) % CUSTOMERS.length],
      Outstanding: moneyToNumber(outstanding),
      Balance: formatMoney(outstanding),
      Address: `${1 + digest.readUInt8(9)}, ${STREETS[digest.readUInt8(10) % STREETS.length]}`,
      DueDate: due.toISOString().slice(0, 10),
    },
  }
}
