import { describe, expect, it } from 'vitest'
import {
  adaptField,
  canAskOptions,
  fieldOfError,
  fieldsOf,
  limitsOf,
  OWN_ACCOUNT_ID,
  optionParams,
  problemOf,
  problemSentence,
  requestOf,
  withValue,
} from './form.ts'
import type { Field, FormOption, FormProduct as Product } from './types.ts'

function fieldOf(id: string, more: Partial<Field> = {}): Field {
  return {
    id,
    type: 'text',
    input_mode: 'text',
    label: id,
    placeholder: '',
    required: true,
    order: 1,
    role: 'none',
    validation: {},
    ...more,
  }
}

function productOf(
  fields: Field[],
  fulfillment: Product['fulfillment'],
  more: Partial<Product> = {},
): Product {
  return { code: 'P', fields, fulfillment, min_amount: null, max_amount: null, ...more } as Product
}

const BILLER: FormOption = {
  code: '15835',
  label: 'Air Damai',
  min_amount: { amount: '5.00', currency: 'MYR' },
  max_amount: { amount: '100.00', currency: 'MYR' },
  ref1_label: 'Meter number',
  ref2_label: 'Invoice',
  ref2_required: true,
}
const BILLS = productOf(
  [
    fieldOf('amount', { type: 'money', role: 'pricing', order: 4, validation: { min: 1, max: 30_000 } }),
    fieldOf('biller', { type: 'select', order: 1 }),
    fieldOf('number', {
      role: 'account',
      order: 2,
      validation: { pattern: '^[0-9]{4,6}$', message: 'Digits' },
    }),
    fieldOf('ref2', { required: false, order: 3 }),
  ],
  {
    account: { from_field: 'number' },
    amount: { from_field: 'amount' },
    extras: {
      biller_code: { from_field: 'biller', path: 'code' },
      ref2: { from_field: 'ref2', omit_if_empty: true },
    },
  },
)
const byId = (id: string, product = BILLS) => product.fields.find((each) => each.id === id) as Field

describe('the form of a product', () => {
  it('has its fields in their order, and an account field where the product names none', () => {
    expect(fieldsOf(BILLS, 'Customer').map(({ id }) => id)).toEqual(['biller', 'number', 'ref2', 'amount'])
    const pin = productOf([fieldOf('amount')], {
      account: { from_field: null },
      amount: { from_field: 'amount' },
    })
    expect(fieldsOf(pin, 'Customer')[0]).toMatchObject({
      id: OWN_ACCOUNT_ID,
      label: 'Customer',
      required: true,
    })
    expect(requestOf(pin, { [OWN_ACCOUNT_ID]: ' Ali ', amount: '5' })).toMatchObject({ account: 'Ali' })
  })

  it('judges a value by the definition: required, pattern with its message, number, range', () => {
    const judge = (id: string, value: string) => problemOf(BILLS, byId(id), { [id]: value })
    expect(judge('number', ' ')).toEqual({ kind: 'required' })
    expect(judge('ref2', '')).toBeUndefined()
    expect(judge('number', '12x')).toEqual({ kind: 'pattern', message: 'Digits' })
    expect(judge('number', ' 1234 ')).toBeUndefined()
    expect(judge('amount', '1,5')).toEqual({ kind: 'number' })
    expect(judge('amount', '0.99')).toMatchObject({ kind: 'range' })
    expect(judge('amount', '30000')).toBeUndefined()
    expect(judge('biller', 'Air')).toEqual({ kind: 'required' })
  })

  it('judges a telephone number without what stands between its digits, and sends it as it was typed', () => {
    const validation = { pattern: '^(\\+?60|0)?1[0-9]{8,9}$' }
    const phone = fieldOf('phone', { number_kind: 'mobile', role: 'account', validation })
    const fulfillment = { account: { from_field: 'phone' }, amount: { from_field: 'amount' } }
    const reload = productOf([phone, byId('amount')], fulfillment)
    for (const typed of [
      '012-345 6789',
      '+60 (0)12\u00a0345 6789',
      '0060 12 345 6789',
      '(012) 345.6789',
      '123456789',
    ]) {
      expect(problemOf(reload, phone, { phone: typed })).toBeUndefined()
      expect(requestOf(reload, { phone: typed, amount: '5' }).account).toBe(typed)
    }
    for (const typed of ['012', '٠١٢٣٤٥٦٧٨٩', '012-345 678x']) {
      expect(problemOf(reload, phone, { phone: typed })).toMatchObject({ kind: 'pattern' })
    }
  })

  it('takes over what the chosen biller says: its names, its second reference, its range', () => {
    const values = { biller: BILLER }
    expect(adaptField(BILLS, byId('number'), values).label).toBe('Meter number')
    expect(adaptField(BILLS, byId('ref2'), values)).toMatchObject({ label: 'Invoice', required: true })
    expect(limitsOf(BILLS, byId('amount'), values)).toEqual({ min: '5.00', max: '100.00' })
    expect(limitsOf(BILLS, byId('amount'), {})).toEqual({ min: '1', max: '30000' })
    const own = { ...BILLS, max_amount: { amount: '50.00', currency: 'MYR' } }
    expect(limitsOf(own, byId('amount'), {})).toEqual({ min: '1', max: '50.00' })
  })

  it('leaves a pattern that the browser cannot read to the service', () => {
    const field = fieldOf('x', { validation: { pattern: '(' } })
    const fulfillment = { account: { from_field: null }, amount: { from_field: 'x' } }
    expect(problemOf(productOf([field], fulfillment), field, { x: 'a' })).toBeUndefined()
  })
})

describe('a select that depends on another field', () => {
  const plan = fieldOf('plan', {
    type: 'select',
    order: 2,
    data_source: {
      type: 'dynamic',
      depends_on: ['phone'],
      endpoint: '/options',
      params: { product_code: { static: 'P' }, account_number: { from_field: 'phone' } },
    },
  })
  const phone = fieldOf('phone', { validation: { pattern: '^60[0-9]+$' } })
  const product = productOf([phone, plan], {
    account: { from_field: 'phone' },
    amount: { from_field: 'plan', path: 'price.amount' },
  })
  const offer = { code: 'P8', label: '8', price: { amount: '8.00', currency: 'MYR' } }

  it('is asked for only when that field is right', () => {
    const canAsk = (value: string) => canAskOptions(product, product.fields, plan, { phone: value })
    expect([canAsk(''), canAsk('01'), canAsk('6012')]).toEqual([false, false, true])
    expect(optionParams(plan, { phone: ' 6012 ' })).toEqual({ product_code: 'P', account_number: '6012' })
  })

  it('is emptied when that field changes, so that no offer of another number is paid', () => {
    const values = withValue(product.fields, { phone: '6012', plan: offer }, 'phone', '6013')
    expect(values).toEqual({ phone: '6013', plan: undefined })
  })

  it('gives the payment the part of the option that the fulfillment names', () => {
    expect(requestOf(product, { phone: '6012', plan: offer }).amount).toBe('8.00')
  })
})

describe('the payment', () => {
  it('follows the fulfillment to the letter, and leaves out what is empty', () => {
    const values = { biller: BILLER, number: ' 1234 ', ref2: '', amount: '84.50' }
    expect(requestOf(BILLS, values)).toEqual({
      product: 'P',
      account: '1234',
      amount: '84.50',
      extras: { biller_code: '15835' },
    })
  })

  it('leads each error of the API back to the field that it is about', () => {
    expect(
      ['account', 'amount', 'extras.ref2', 'biller_code', 'other'].map((name) => fieldOfError(BILLS, name)),
    ).toEqual(['number', 'amount', 'ref2', 'biller', undefined])
  })
})

describe('the sentence about a problem', () => {
  const TEXT = {
    required: 'fill in',
    chooseOne: 'choose',
    number: 'number',
    pattern: 'form',
    range: (from: string, to: string) => `${from} to ${to}`,
    atLeast: (from: string) => `from ${from}`,
    atMost: (to: string) => `to ${to}`,
  }
  const write = (amount: string, currency: string) => `${currency} ${amount}`
  const say = (field: Field, problem: Parameters<typeof problemSentence>[1]) =>
    problemSentence(field, problem, TEXT, write)

  it("is the definition's own where it has one", () => {
    expect(say(byId('number'), { kind: 'pattern', message: 'Digits' })).toBe('Digits')
    expect(say(byId('number'), { kind: 'pattern', message: undefined })).toBe('form')
    expect(say(byId('biller'), { kind: 'required' })).toBe('choose')
    expect(say(byId('ref2'), undefined)).toBeUndefined()
  })

  it('is about how a number is written where that is wrong, and not about the range that it may lie in', () => {
    const amount = fieldOf('amount', { type: 'money', validation: { message: 'from RM 10 to RM 10000' } })
    expect(say(amount, { kind: 'number' })).toBe('number')
  })

  it('names the limits that there are, money with its currency', () => {
    const range = (min?: string, max?: string) => ({ kind: 'range', limits: { min, max } }) as const
    expect(say(byId('amount'), range('1', '9'))).toBe('MYR 1 to MYR 9')
    expect(say(byId('amount'), range('1'))).toBe('from MYR 1')
    expect(say(fieldOf('n', { type: 'number' }), range(undefined, '9'))).toBe('to 9')
  })
})
