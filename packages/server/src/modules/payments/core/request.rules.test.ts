import { describe, expect, it } from 'vitest'
import { CUSTOMER_ACCOUNT, EXTRA, PRODUCT, REFID } from './fields.rules.ts'
import { AMOUNT_END, AMOUNT_FORM, readPaymentRequest } from './request.rules.ts'
import type { PaymentRequest } from './types.ts'

const BODY = { refid: 'R-1', product: 'NOVA', account: '60123456789', amount: 10 }

function read(change: Record<string, unknown>): PaymentRequest {
  const result = readPaymentRequest({ ...BODY, ...change })
  if (result.kind !== 'request') throw new Error(`unreadable: ${JSON.stringify(result.problems)}`)
  return result.request
}

function problemsOf(change: Record<string, unknown>): string[] {
  return Object.keys(read(change).problems)
}

it('a body of the required fields alone is read without problems', () => {
  expect(read({})).toEqual({
    refid: 'R-1',
    product: 'NOVA',
    account: '60123456789',
    amount: 100_000n,
    remarks: '',
    extras: { subproductCode: null, billerCode: null, ref2: null, icNumber: null },
    problems: {},
  })
})

describe('refid', () => {
  it.each([
    ['one character', 'x'],
    ['50 characters', 'x'.repeat(50)],
    ['50 characters of two UTF-16 units each', '😀'.repeat(50)],
    ['spaces, which are never trimmed', '  '],
    ['a line feed and other control characters but NUL', 'a\n\u0001'],
    ['text of any script', 'rujukan-参考-№7'],
  ])('takes %s exactly as sent', (_, refid) => {
    expect(read({ refid })).toMatchObject({ refid, problems: {} })
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 12345],
    ['a boolean', true],
    ['an object', {}],
    ['the empty string', ''],
    ['51 characters', 'x'.repeat(51)],
    ['51 emoji', '😀'.repeat(51)],
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['NUL', 'a\0b'],
    ['the first half of a surrogate pair', 'a\ud83d'],
    ['the second half', '\ude00a'],
  ])('makes the body unreadable when it is %s', (_, refid) => {
    const result = readPaymentRequest({ ...BODY, refid })
    expect(result).toMatchObject({
      kind: 'unreadable',
      echo: { product: 'NOVA', account: '60123456789', amount: 100_000n, remarks: '' },
    })
    expect(result.kind === 'unreadable' && Object.keys(result.problems)).toEqual(['refid'])
  })

  it('is echoed when it is a string that cannot be taken, up to a bound', () => {
    const echoed = (refid: unknown) => {
      const result = readPaymentRequest({ ...BODY, refid })
      return result.kind === 'unreadable' ? result.echo.refid : undefined
    }
    expect(echoed('y'.repeat(51))).toBe('y'.repeat(51))
    expect(echoed('y'.repeat(1_000_000))).toHaveLength(500)
    expect(echoed(7)).toBe('')
  })
})

it.each([
  ['nothing', undefined],
  ['null', null],
  ['a string', 'refid'],
  ['a number', 1],
  ['an array', [BODY]],
])('a body that is %s is unreadable', (_, body) => {
  expect(readPaymentRequest(body)).toEqual({
    kind: 'unreadable',
    echo: { refid: '', product: '', account: '', amount: null, remarks: '' },
    problems: { body: ['must be a JSON object'] },
  })
})

describe('amount', () => {
  it('amount with an exponent is refused as a number too, which only the text of the body shows', () => {
    const read = (text: string) => readPaymentRequest(JSON.parse(text), text)
    const problemsOf = (text: string) => {
      const result = read(text)
      return result.kind === 'request' ? Object.keys(result.request.problems) : 'unreadable'
    }
    const body = (amount: string, remarks = '') =>
      `{"refid":"r","product":"NOVA","account":"60123456789","amount" : ${amount},"remarks":${JSON.stringify(remarks)}}`
    expect(problemsOf(body('1e2'))).toEqual(['amount'])
    expect(problemsOf(body('1.5E1'))).toEqual(['amount'])
    expect(problemsOf(body('100'))).toEqual([])
    expect(problemsOf(body('100', 'they wrote "amount": 1e2'))).toEqual([])
  })

  it.each([10, '10', 10.0, '10.0', '10.00', '10.0000', '0010', JSON.parse('1e1'), JSON.parse('10.0')])(
    '%j is ten',
    (amount) => {
      expect(read({ amount })).toMatchObject({ amount: 100_000n, problems: {} })
    },
  )

  it.each([
    [JSON.parse('1e2'), 1_000_000n],
    [0.0001, 1n],
    ['0.0001', 1n],
    [10.1, 101_000n],
    ['12.9', 129_000n],
    ['99999999999.9999', 999_999_999_999_999n],
    [99_999_999_999.9999, 999_999_999_999_999n],
  ])('%j is read exactly', (amount, units) => {
    expect(read({ amount })).toMatchObject({ amount: units, problems: {} })
  })

  it.each([
    [undefined],
    [null],
    [true],
    [{}],
    [['10']],
    [''],
    ['0'],
    [0],
    [-0],
    ['0.0000'],
    [-1],
    ['-1'],
    ['+1'],
    ['1e2'],
    ['1E2'],
    [1e21],
    [1e-7],
    ['NaN'],
    [Number.NaN],
    ['Infinity'],
    [Number.POSITIVE_INFINITY],
    ['10.00001'],
    [10.00001],
    ['10.00000'],
    [0.1 + 0.2],
    ['9'.repeat(40)],
    ['100000000000'],
    [100_000_000_000],
    [' 10'],
    ['10 '],
    ['10\n'],
    ['1 000'],
    ['1,000'],
    ['10,5'],
    ['.5'],
    ['5.'],
    ['0x10'],
    ['١٠'],
    ['RM10'],
  ])('%j is no amount, and everything else is still read', (amount) => {
    const request = read({ amount, remarks: 'x' })
    expect(request).toMatchObject({ amount: null, refid: 'R-1', product: 'NOVA', remarks: 'x' })
    expect(Object.keys(request.problems)).toEqual(['amount'])
  })
})

it('the documented end of amounts is the first one that is refused', () => {
  expect(AMOUNT_FORM.test(String(AMOUNT_END))).toBe(false)
  expect(AMOUNT_FORM.test(String(AMOUNT_END - 1))).toBe(true)
})

describe('texts', () => {
  it.each([
    ['product', 'x'.repeat(50)],
    ['product', '😀'.repeat(50)],
    ['account', 'x'.repeat(100)],
    ['account', ' 1'],
    ['remarks', 'x'.repeat(2_000)],
    ['remarks', '😀'.repeat(2_000)],
    ['remarks', 'two\r\nlines\tand \u0007 a bell \u007f'],
    ['remarks', ''],
    ['remarks', null],
    ['remarks', undefined],
  ])('%s may be %j', (name, value) => {
    const request = read({ [name]: value })
    expect(request.problems).toEqual({})
    expect(request).toHaveProperty(name, value ?? '')
  })

  it.each([
    ['product', undefined],
    ['product', ''],
    ['product', 7],
    ['product', 'x'.repeat(51)],
    ['product', 'a\0'],
    ['account', null],
    ['account', ''],
    ['account', 60123456789],
    ['account', 'x'.repeat(101)],
    ['account', '6012\n3456'],
    ['account', '\ud83d'],
    ['remarks', 5],
    ['remarks', {}],
  ])('%s may not be %j, and is echoed if it is a string', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([name])
    expect(read({ [name]: value })).toHaveProperty(name, typeof value === 'string' ? value.slice(0, 500) : '')
  })
})

describe('remarks that cannot be kept as they are', () => {
  it.each([
    ['NUL is dropped', 'a\0b\0', 'ab'],
    ['NUL alone leaves nothing', '\0', ''],
    ['half a surrogate pair is replaced', 'a\ud83d', 'a\ufffd'],
    ['what is longer than 2,000 characters is cut', 'x'.repeat(100_000), 'x'.repeat(2_000)],
    ['characters are counted, not halves of them', `x${'😀'.repeat(3_000)}`, `x${'😀'.repeat(1_999)}`],
  ])('%s', (_, sent, kept) => {
    expect(read({ remarks: sent })).toMatchObject({ problems: {}, remarks: kept })
  })
})

describe('extras', () => {
  const SENT = { subproduct_code: 'ND5', biller_code: '1000', ref2: 'INV 1', ic_number: '900101145678' }

  it('are read by their wire names; unknown ones are ignored', () => {
    const unknown = JSON.parse('{"__proto__": {"ref2": 7}, "toString": 1, "email": 5}')
    const request = read({ extras: { ...SENT, ...unknown } })
    expect(request.problems).toEqual({})
    expect(request.extras).toEqual({
      subproductCode: 'ND5',
      billerCode: '1000',
      ref2: 'INV 1',
      icNumber: '900101145678',
    })
  })

  it.each([[undefined], [null], [{}], [{ ref2: null, ic_number: '', biller_code: null }]])(
    '%j is none',
    (extras) => {
      expect(read({ extras })).toEqual(read({}))
    },
  )

  it.each([[[]], [['a']], ['text'], [''], [7], [true]])('%j is no object', (extras) => {
    expect(problemsOf({ extras })).toEqual(['extras'])
  })

  it.each([[1000], [true], [{}], [['1000']], ['x'.repeat(101)], ['a\0'], ['a\tb'], ['\ude00']])(
    'each must be a short line of text, not %j',
    (value) => {
      for (const name of Object.keys(SENT)) {
        const request = read({ extras: { ...SENT, [name]: value } })
        expect(Object.keys(request.problems)).toEqual([`extras.${name}`])
        expect(Object.values(request.extras).filter((each) => each === null)).toHaveLength(1)
      }
    },
  )

  it('never has the identity number in a problem', () => {
    const secret = `${'9'.repeat(101)}`
    expect(JSON.stringify(read({ extras: { ic_number: secret } }).problems)).not.toContain('999')
  })
})

it('every problem of a body is named at once', () => {
  expect(
    problemsOf({ product: 1, account: '', amount: 'x', remarks: [], extras: { ref2: 1, ic_number: {} } }),
  ).toEqual(['product', 'account', 'amount', 'remarks', 'extras.ref2', 'extras.ic_number'])
})

it('every problem is told in the words of its field', () => {
  const read = readPaymentRequest({ product: '', account: 7, amount: 0, remarks: 5, extras: { ref2: 5 } })
  expect(read).toMatchObject({
    kind: 'unreadable',
    problems: {
      refid: [REFID.message],
      product: [PRODUCT.message],
      account: [CUSTOMER_ACCOUNT.message],
      amount: ['must be a plain decimal greater than 0, with at most 4 decimals and 11 digits before them'],
      remarks: ['must be a string'],
      'extras.ref2': [EXTRA.message],
    },
  })
})

it('extras that are no object count as none', () => {
  expect(read({ extras: 5 })).toMatchObject({
    extras: { subproductCode: null, billerCode: null, ref2: null, icNumber: null },
    problems: { extras: ['must be an object'] },
  })
})

it('product and account may have one character', () => {
  expect(problemsOf({ product: 'x', account: '7' })).toEqual([])
})

it.each([
  ['{"amount":1e1}', true],
  ['{"amount":10}', false],
  ['{"amount":10,"extras":{"amount":1e1}}', false],
  ['{"am\\u006funt":10,"extras":{"amount":1e1}}', false],
])('the amount 10 of the body %s has an exponent: %s', (text, isRefused) => {
  const result = readPaymentRequest(BODY, text)
  const problems = result.kind === 'request' ? Object.keys(result.request.problems) : []
  expect(problems).toEqual(isRefused ? ['amount'] : [])
})
