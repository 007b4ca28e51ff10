// Cases of payments that are built from a product of the catalogue.

const PHONE_PATTERN = { pattern: '^(60|0)1[0-9]{8,9}$', message: 'Enter a mobile number such as 60123456789' }

function field(id, type, order, more = {}) {
  return {
    id,
    type,
    input_mode: 'text',
    label: id === 'phone' ? 'Mobile number' : id[0].toUpperCase() + id.slice(1),
    placeholder: '',
    required: true,
    order,
    role: 'none',
    validation: {},
    ...more,
  }
}

const phone = field('phone', 'text', 1, { role: 'account', validation: PHONE_PATTERN })
const amountSelect = field('amount', 'select', 2, { role: 'pricing' })
const amountMoney = field('amount', 'money', 2, {
  role: 'pricing',
  validation: { min: 5, max: 500, message: 'Enter an amount from 5 to 500' },
})

function product(code, fields, fulfillment, more = {}) {
  return { code, fields, fulfillment, min_amount: null, max_amount: null, ...more }
}

const NOVA = product('NOVA', [amountSelect, phone], {
  account: { from_field: 'phone' },
  amount: { from_field: 'amount', path: 'denomination' },
})
const KITA = product('KITA', [phone, amountMoney], {
  account: { from_field: 'phone' },
  amount: { from_field: 'amount' },
})
const NOVAD = product('NOVAD', [phone, field('plan', 'select', 2, { role: 'pricing' })], {
  account: { from_field: 'phone' },
  amount: { from_field: 'plan', path: 'denomination' },
  extras: { subproduct_code: { from_field: 'plan', path: 'code' } },
})
const BILLPAY = product(
  'BILLPAY',
  [
    field('biller', 'select', 1),
    field('account', 'text', 2, { role: 'account' }),
    field('ref2', 'text', 3, { required: false }),
    field('ic', 'text', 4, { validation: { pattern: '^[A-Za-z0-9]{5,20}$' } }),
    field('amount', 'money', 5, { role: 'pricing', validation: { min: 1 } }),
  ],
  {
    account: { from_field: 'account' },
    amount: { from_field: 'amount' },
    extras: {
      biller_code: { from_field: 'biller', path: 'code' },
      ic_number: { from_field: 'ic' },
      ref2: { from_field: 'ref2', omit_if_empty: true },
    },
  },
)
const PINTEN = product('PINTEN', [amountSelect], {
  account: { from_field: null },
  amount: { from_field: 'amount', path: 'denomination' },
})
const PINTEN_BEFORE = product('PINTEN', [amountSelect], {
  amount: { from_field: 'amount', path: 'denomination' },
})
const OLDER = product('OLDER', [phone, amountSelect], {
  account: { from_field: 'phone' },
  amount: { from_field: 'amount', path: 'price.amount' },
})
const COUNT = product(
  'COUNT',
  [
    field('account', 'text', 1, { role: 'account' }),
    {
      ...field('quantity', 'number', 2, { role: 'pricing' }),
      validation: { pattern: '^[0-9]{1,3}$', min: 1, max: 100 },
    },
  ],
  {
    account: { from_field: 'account' },
    amount: { from_field: 'quantity' },
  },
)

const COUNT_OF_FOUR = {
  ...COUNT,
  fields: COUNT.fields.map((each) =>
    each.id === 'account'
      ? { ...each, validation: { pattern: '^[0-9]{4}$', message: 'Enter 4 digits' } }
      : each,
  ),
}

const TEN = { code: '10', label: 'RM 10', denomination: 10, price: { amount: '9.90', currency: 'MYR' } }
const PLAN = { code: 'N-7D', label: '7 days', denomination: 15 }
const BILLER = { code: 'B1', label: 'Air', min_amount: { amount: '10', currency: 'MYR' } }
const PICKY = { ...BILLER, code: 'B2', ref2_required: true }
const BILL = { biller: BILLER, account: 'A1', ic: '900101145678', amount: '25.50' }

function built(name, of, values, payment, options = {}) {
  const given = { refid: 'A-1', ...options }
  return { name, product: of, values, options: given, expect: { payment: { refid: 'A-1', ...payment } } }
}

function refused(name, of, values, problems, options = {}) {
  const given = { refid: 'A-1', ...options }
  const list = problems.map(([id, message]) => ({ field: id, message }))
  return { name, product: of, values, options: given, expect: { problems: list } }
}

const toNova = { product: 'NOVA', account: '60123456789' }
const PHONE = '60123456789'
const NO_PHONE = ['phone', 'Mobile number is required']
const BAD_PHONE = ['phone', PHONE_PATTERN.message]

export const forms = {
  cases: [
    built('select', NOVA, { phone: PHONE, amount: TEN }, { ...toNova, amount: 10 }),
    built(
      'select-by-code',
      NOVA,
      { phone: PHONE, amount: '10' },
      { ...toNova, amount: 10 },
      {
        options: { amount: [{ ...TEN, code: '5', denomination: 5 }, TEN] },
      },
    ),
    built(
      'money-text',
      KITA,
      { phone: PHONE, amount: '10.50' },
      {
        product: 'KITA',
        account: PHONE,
        amount: '10.50',
      },
    ),
    built(
      'money-number',
      KITA,
      { phone: PHONE, amount: 7.5 },
      {
        product: 'KITA',
        account: PHONE,
        amount: '7.5',
      },
    ),
    built(
      'remarks',
      NOVA,
      { phone: PHONE, amount: TEN },
      { ...toNova, amount: 10, remarks: 'till 3' },
      {
        remarks: 'till 3',
      },
    ),
    built(
      'plan-code',
      NOVAD,
      { phone: PHONE, plan: PLAN },
      {
        product: 'NOVAD',
        account: PHONE,
        amount: 15,
        extras: { subproduct_code: 'N-7D' },
      },
    ),
    built('bill', BILLPAY, BILL, {
      product: 'BILLPAY',
      account: 'A1',
      amount: '25.50',
      extras: { biller_code: 'B1', ic_number: '900101145678' },
    }),
    built(
      'bill-second-reference',
      BILLPAY,
      { ...BILL, biller: PICKY, ref2: 'R2' },
      {
        product: 'BILLPAY',
        account: 'A1',
        amount: '25.50',
        extras: { biller_code: 'B2', ic_number: '900101145678', ref2: 'R2' },
      },
    ),
    built(
      'older-contract',
      OLDER,
      { phone: PHONE, amount: TEN },
      {
        product: 'OLDER',
        account: PHONE,
        amount: '9.90',
      },
    ),
    built(
      'no-account-field',
      PINTEN,
      { amount: TEN },
      { product: 'PINTEN', account: PHONE, amount: 10 },
      {
        account: PHONE,
      },
    ),
    built(
      'no-account-mapping',
      PINTEN_BEFORE,
      { amount: TEN },
      { product: 'PINTEN', account: PHONE, amount: 10 },
      {
        account: PHONE,
      },
    ),
    built(
      'quantity',
      COUNT,
      { account: 'X', quantity: '12' },
      { product: 'COUNT', account: 'X', amount: '12' },
    ),
    built(
      'test-account',
      NOVA,
      { phone: '60123450048', amount: TEN },
      {
        ...toNova,
        account: '60123450048',
        amount: 10,
      },
    ),
    built(
      'test-account-any-pattern',
      COUNT_OF_FOUR,
      { account: '60123450048', quantity: '1' },
      {
        product: 'COUNT',
        account: '60123450048',
        amount: '1',
      },
      { allowTestAccounts: true },
    ),
    refused('test-account-in-production', COUNT_OF_FOUR, { account: '60123450048', quantity: '1' }, [
      ['account', 'Enter 4 digits'],
    ]),
    built(
      'own-minimum-kept',
      { ...KITA, min_amount: { amount: '20', currency: 'MYR' } },
      {
        phone: PHONE,
        amount: '20',
      },
      { product: 'KITA', account: PHONE, amount: '20' },
    ),
    refused('nothing', NOVA, {}, [NO_PHONE, ['amount', 'Amount is required']]),
    refused('empty-text', NOVA, { phone: '', amount: TEN }, [NO_PHONE]),
    refused('pattern', NOVA, { phone: '123', amount: TEN }, [BAD_PHONE]),
    refused('spaces-count', NOVA, { phone: ' 60123456789', amount: TEN }, [BAD_PHONE]),
    refused('all-problems', KITA, { phone: '123', amount: '1' }, [
      BAD_PHONE,
      ['amount', 'Enter an amount from 5 to 500'],
    ]),
    refused('money-too-much', KITA, { phone: PHONE, amount: '500.01' }, [
      ['amount', 'Enter an amount from 5 to 500'],
    ]),
    refused('money-no-number', KITA, { phone: PHONE, amount: '1e2' }, [
      ['amount', 'Enter an amount from 5 to 500'],
    ]),
    refused('money-negative', BILLPAY, { ...BILL, amount: '-1' }, [['amount', 'Amount is not valid']]),
    refused('money-five-decimals', BILLPAY, { ...BILL, amount: '12.00001' }, [
      ['amount', 'Amount is not valid'],
    ]),
    refused(
      'own-minimum',
      { ...KITA, min_amount: { amount: '20', currency: 'MYR' } },
      {
        phone: PHONE,
        amount: '19.99',
      },
      [['amount', 'Amount must be at least 20']],
    ),
    refused(
      'own-maximum',
      { ...KITA, max_amount: { amount: '30', currency: 'MYR' } },
      {
        phone: PHONE,
        amount: '30.01',
      },
      [['amount', 'Amount must be at most 30']],
    ),
    refused(
      "biller's-minimum-after-the-amount",
      { ...BILLPAY, fields: BILLPAY.fields.map((each) => ({ ...each, order: -each.order })) },
      { ...BILL, biller: PICKY, amount: '9.99' },
      [
        ['amount', 'Amount must be at least 10'],
        ['ref2', 'Ref2 is required'],
      ],
    ),
    refused("biller's-minimum", BILLPAY, { ...BILL, amount: '9.99' }, [
      ['amount', 'Amount must be at least 10'],
    ]),
    refused('second-reference-missing', BILLPAY, { ...BILL, biller: PICKY }, [['ref2', 'Ref2 is required']]),
    refused('pattern-without-message', BILLPAY, { ...BILL, ic: '9001-01' }, [['ic', 'Ic is not valid']]),
    refused('number-out-of-range', COUNT, { account: 'X', quantity: '101' }, [
      ['quantity', 'Quantity is not valid'],
    ]),
    refused('unknown-option', NOVA, { phone: PHONE, amount: '11' }, [['amount', 'Amount has no option 11']], {
      options: { amount: [TEN] },
    }),
    refused('option-not-given', NOVA, { phone: PHONE, amount: '10' }, [
      ['amount', 'Amount has no option 10'],
    ]),
    refused('unknown-field', NOVA, { phone: PHONE, amount: TEN, colour: 'red' }, [
      ['colour', 'There is no field colour'],
    ]),
    refused('account-missing', PINTEN, { amount: TEN }, [['account', 'An account is required']]),
    refused(
      'refid-empty',
      NOVA,
      { phone: PHONE, amount: TEN },
      [['refid', 'A refid has 1 to 50 characters']],
      { refid: '' },
    ),
    refused(
      'refid-long',
      NOVA,
      { phone: PHONE, amount: TEN },
      [['refid', 'A refid has 1 to 50 characters']],
      { refid: 'x'.repeat(51) },
    ),
    // Characters are counted, and not the halves of which some of them consist.
    built(
      'refid-of-characters-beyond-the-first-plane',
      NOVA,
      { phone: PHONE, amount: TEN },
      { ...toNova, amount: 10, refid: '\u{1f600}'.repeat(50) },
      { refid: '\u{1f600}'.repeat(50) },
    ),
    refused('option-without-denomination', NOVA, { phone: PHONE, amount: { code: '10', label: 'RM 10' } }, [
      ['amount', 'Amount has no denomination'],
    ]),
  ],
}
