import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../lib/input/forms.ts'
import { joinRepeated, readBill, readQuestion } from './rules.ts'

describe('the question', () => {
  it('has what was given; what is empty was not', () => {
    expect(readQuestion(parseQuery('account=1&product=VOLT&biller_code=&amount=5'))).toEqual({
      product: 'VOLT',
      account: '1',
      billerCode: null,
      ref2: null,
      amount: '5',
    })
  })

  it('has no parameter that is given twice and could be taken for one', () => {
    const twice = ['account', 'product', 'biller_code', 'ref2', 'amount'].map((name) => `${name}=1&${name}=2`)
    const question = readQuestion(joinRepeated(parseQuery(twice.join('&'))))
    for (const value of Object.values(question)) expect(value).toBe('1\n2')
  })
})

const FULL = {
  BillerName: 'Volt',
  CustomerName: 'Aminah Yusof',
  Outstanding: 84.5,
  Balance: '84.50',
  Data: 'meter 7',
  Address: '12, Jalan Kenanga',
  'E-Bill': 'https://bills.example/1.pdf',
  CustomField: { months: [1, 2, null], late: true },
  DueDate: '2026-03-15',
}

describe('a record', () => {
  it('is shown as it came, and without what the contract does not name', () => {
    expect(readBill(FULL)).toEqual(FULL)
    expect(readBill({ ...FULL, Secret: 'x', message: 'y', __proto__: { z: 1 } })).toEqual(FULL)
  })

  it('has no field that the biller did not return', () => {
    expect(Object.keys(readBill({ CustomerName: 'A', Balance: '', Data: null, DueDate: ' ' }) ?? {})).toEqual(
      ['CustomerName'],
    )
    expect(readBill({})).toEqual({})
  })

  it.each([undefined, null, 'text', 5, [], [FULL]])('is not %j', (value) => {
    expect(readBill(value)).toBeUndefined()
  })

  it.each([
    ['BillerName', { a: 1 }],
    ['CustomerName', 'x'.repeat(1_001)],
    ['Data', 'x'.repeat(4_001)],
    ['Outstanding', 'soon'],
    ['Outstanding', null],
    ['Outstanding', Number.NaN],
    ['Outstanding', 1e13],
    ['Outstanding', '1,234.50'],
    ['Balance', Number.POSITIVE_INFINITY],
    ['E-Bill', 'javascript:alert(1)'],
    ['E-Bill', `https://bills.example/${'x'.repeat(2_000)}`],
    ['E-Bill', 'https://'],
    ['E-Bill', 7],
    ['CustomField', undefined],
    ['CustomField', () => 1],
    ['CustomField', [Number.NaN]],
    ['CustomField', { at: 5n }],
  ])('does not show %s when it is %o', (name, value) => {
    const { [name as 'Data']: _, ...others } = FULL
    expect(readBill({ ...FULL, [name]: value })).toEqual(others)
  })

  it('gives each field its type', () => {
    expect(
      readBill({ Outstanding: '84.50', Balance: 84.5, CustomerName: ' A\u0000\nB ', 'E-Bill': null }),
    ).toEqual({
      Outstanding: 84.5,
      Balance: '84.5',
      CustomerName: 'A B',
      'E-Bill': null,
    })
    expect(readBill({ Outstanding: -3.25 })).toEqual({ Outstanding: -3.25 })
  })
})

describe('CustomField', () => {
  it.each([[null], [false], [0], [''], ['text'], [[]], [{}], [[{ a: [1] }]]])('may be %j', (value) => {
    expect(readBill({ CustomField: value })).toEqual({ CustomField: value })
  })

  it('CustomField that is too deep, too long or of too many values is not shown', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
    expect(readBill({ CustomField: nested(6) })).toEqual({ CustomField: nested(6) })
    expect(readBill({ CustomField: nested(7) })).toEqual({})
    expect(readBill({ CustomField: 'x'.repeat(16_000) })).toHaveProperty('CustomField')
    expect(readBill({ CustomField: { ['x'.repeat(16_001)]: 1 } })).toEqual({})
    expect(readBill({ CustomField: Array.from({ length: 500 }, () => 0) })).toEqual({})
    const circle: unknown[] = []
    circle.push(circle)
    expect(readBill({ CustomField: circle })).toEqual({})
  })

  it('cannot become anything but plain data', () => {
    const bill = readBill({ CustomField: JSON.parse('{"__proto__":{"polluted":true}}') })
    expect(JSON.stringify(bill)).toBe('{"CustomField":{"__proto__":{"polluted":true}}}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
