import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMoney } from '../../lib/money.ts'
import type { Mapping } from './types.ts'
import { parseAmount, parseTime, parseTimeFormat } from './values.rules.ts'

const plain: Mapping['amount'] = { column: 1, of: 'payment', unit: 'ringgit', decimal: '.', thousands: '' }

describe('an amount', () => {
  it.each<[string, Partial<Mapping['amount']>, bigint]>([
    ['10', {}, 100_000n],
    ['10.5', {}, 105_000n],
    [' 0.0001 ', {}, 1n],
    ['1,234.50', { thousands: ',' }, 12_345_000n],
    ['1234.50', { thousands: ',' }, 12_345_000n],
    ['1.234,50', { thousands: '.', decimal: ',' }, 12_345_000n],
    ['1 234 567', { thousands: ' ' }, 12_345_670_000n],
    ['1050', { unit: 'sen' }, 105_000n],
    ['0.5', { unit: 'sen' }, 50n],
  ])('%j (%j) is read', (text, change, amount) => {
    expect(parseAmount(text, { ...plain, ...change })).toBe(amount)
  })

  it.each<[string, Partial<Mapping['amount']>]>([
    ['', {}],
    ['-5', {}],
    ['+5', {}],
    ['5e3', {}],
    ['RM 5', {}],
    ['5.', {}],
    ['.5', {}],
    ['1.2.3', {}],
    ['1.23456', {}],
    ['1,234', {}],
    ['12,34', { thousands: ',' }],
    ['1,,234', { thousands: ',' }],
    ['0.001', { unit: 'sen' }],
    ['999999999999999.9999', {}],
    ['922337203685478', {}],
    ['999999999999999', { unit: 'sen' }],
  ])('%j (%j) is refused', (text, change) => {
    expect(parseAmount(text, { ...plain, ...change })).toBeUndefined()
  })

  it('is read back as it was printed', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (amount) => {
        expect(parseAmount(formatMoney(amount), plain)).toBe(amount)
      }),
    )
  })
})

describe('a time', () => {
  const time = (format: string, offsetMinutes = 480) => ({ column: 1, format, offsetMinutes })

  it.each([
    ['2026-11-14 23:59:58', 'yyyy-MM-dd HH:mm:ss', '2026-11-14T15:59:58.000Z'],
    ['14/11/2026 07:05', 'dd/MM/yyyy HH:mm', '2026-11-13T23:05:00.000Z'],
    ['20261114', 'yyyyMMdd', '2026-11-13T16:00:00.000Z'],
    ['2026-11-14T01:02:03.045', 'yyyy-MM-ddTHH:mm:ss.fff', '2026-11-13T17:02:03.045Z'],
    ['2026-11-14T01:02:03Z', 'iso', '2026-11-14T01:02:03.000Z'],
    ['2026-11-14T01:02:03+08:00', 'iso', '2026-11-13T17:02:03.000Z'],
  ])('%j as %j is %s', (text, format, iso) => {
    expect(parseTime(text, time(format))?.toISOString()).toBe(iso)
  })

  it('is by the zone that the mapping says', () => {
    expect(parseTime('2026-11-14 00:00', time('yyyy-MM-dd HH:mm', -330))?.toISOString()).toBe(
      '2026-11-14T05:30:00.000Z',
    )
  })

  it.each([
    ['2026-02-30', 'yyyy-MM-dd'],
    ['2026-13-01', 'yyyy-MM-dd'],
    ['2026-11-14 24:00', 'yyyy-MM-dd HH:mm'],
    ['2026-11-14 ', 'yyyy-MM-dd'],
    ['14-11-2026', 'yyyy-MM-dd'],
    ['2026-11-14', 'iso'],
    ['2026-02-30T00:00:00Z', 'iso'],
    ['2026-04-31T23:59:59+08:00', 'iso'],
    ['2026-11-14T01:02:03', 'iso'],
    ['', 'yyyy-MM-dd'],
    ['01/01/0026', 'dd/MM/yyyy'],
    ['0000-01-01', 'yyyy-MM-dd'],
    ['0000-06-01T00:00:00Z', 'iso'],
  ])('%j is not %j', (text, format) => {
    expect(parseTime(text, time(format))).toBeUndefined()
  })

  it.each(['', 'HH:mm', 'yyyy-MM', 'yyyy-MM-dd hh:mm a', 'yyyy-MM-dd dd', 'DD/MM/YYYY'])(
    '%j is no format',
    (format) => {
      expect(parseTimeFormat(format)).toBeUndefined()
    },
  )

  it('never takes a sign of the format for a pattern', () => {
    expect(parseTime('2026x11x14', time('yyyy.MM.dd'))).toBeUndefined()
    expect(parseTime('2026.11.14', time('yyyy.MM.dd'))).toBeInstanceOf(Date)
  })
})
