import type { Field, Product } from '../../modules/catalog/model/types.ts'
import {
  accountNumber,
  accountText,
  IC_NUMBER,
  money,
  PAYEE_IDENTITY,
  pricingSelect,
  select,
} from './fields.ts'
import type { DemoProduct, Prices } from './make.ts'
import { amounts, fixed, fulfill, percentage, product } from './make.ts'

type Bill = {
  readonly account: Field
  readonly range: readonly [min: number, max: number]
  readonly processingTime?: Product['processingTime']
  readonly kind?: Product['kind']
  readonly isRefundable?: boolean
  readonly note?: string
}

function bill(code: string, name: string, categoryCode: string, given: Bill, prices: Prices): DemoProduct {
  const fields = [given.account, money(...given.range)]
  return product({
    code,
    name,
    categoryCode,
    kind: given.kind ?? 'other',
    processingTime: given.processingTime ?? '24_hours',
    isRefundable: given.isRefundable ?? true,
    fields,
    fulfillment: fulfill(fields),
    ...(given.note === undefined ? {} : { note: given.note }),
    ...prices,
  })
}

const METER = accountNumber('Account number', '220011223344')
const CUSTOMER = accountNumber('Customer number', '10012345')

const UTILITIES: readonly DemoProduct[] = [
  bill(
    'VOLT',
    'Volt Electricity',
    'ELECTRICITY',
    {
      account: METER,
      range: [1, 5_000],
      processingTime: 'instant',
      kind: 'electricity',
      note: 'What is owed can be looked up before it is paid.',
    },
    percentage('0.9975', '0.997'),
  ),
  bill(
    'SAWIT',
    'Sawit Power',
    'ELECTRICITY',
    { account: METER, range: [5, 3_000] },
    percentage('0.9975', '0.997'),
  ),
  bill(
    'TIRTA',
    'Tirta Water',
    'WATER',
    { account: CUSTOMER, range: [1, 1_000] },
    percentage('0.996', '0.995'),
  ),
  bill(
    'EMBUN',
    'Embun Water',
    'WATER',
    { account: CUSTOMER, range: [1, 1_000] },
    percentage('0.996', '0.995'),
  ),
  bill('JERNIH', 'Jernih Water', 'WATER', { account: CUSTOMER, range: [5, 2_000] }, fixed('0.20', '0.25')),
  bill('APIGAS', 'Api Gas', 'GAS', { account: CUSTOMER, range: [10, 1_000] }, fixed('0.30', '0.35')),
  bill(
    'SERAT',
    'Serat Fibre',
    'INTERNET_TV',
    { account: accountText('Account number', 'SF-100200'), range: [10, 1_000] },
    percentage('0.9925', '0.9915'),
  ),
  bill(
    'KILATNET',
    'Kilat Net',
    'INTERNET_TV',
    { account: CUSTOMER, range: [10, 1_000], processingTime: 'instant' },
    percentage('0.9925', '0.9915'),
  ),
  bill(
    'LENSATV',
    'Lensa TV',
    'INTERNET_TV',
    {
      account: accountNumber('Smartcard number', '800012345678'),
      range: [10, 500],
      processingTime: 'instant',
    },
    percentage('0.985', '0.983'),
  ),
  bill(
    'SERICOUNCIL',
    'Majlis Bandar Seri Rentas',
    'COUNCIL',
    { account: accountText('Property account', 'A-1020/3'), range: [10, 10_000], processingTime: '3_days' },
    fixed('0.15', '0.20'),
  ),
  bill(
    'MERBAHCOUNCIL',
    'Majlis Daerah Merbah',
    'COUNCIL',
    { account: accountText('Property account', 'MD/889100'), range: [10, 10_000], processingTime: '3_days' },
    fixed('0.15', '0.20'),
  ),
]

/** Token for a prepaid meter: the customer gives the meter number and types the PIN on the meter. */
function meterToken(): DemoProduct {
  const fields = [
    accountNumber('Meter number', '14200011223'),
    pricingSelect('VOLTTOKEN', 'amount', 'Amount'),
  ]
  return product({
    code: 'VOLTTOKEN',
    name: 'Volt Prepaid Token',
    categoryCode: 'ELECTRICITY',
    kind: 'pin',
    note: 'Type the token on the meter.',
    processingTime: 'pin',
    fields,
    fulfillment: fulfill(fields),
    options: amounts('VOLTTOKEN', [10, 20, 50, 100, 200]),
    ...percentage('0.9925', '0.99'),
  })
}

const REF2: Field = {
  id: 'ref2',
  type: 'text',
  inputMode: 'text',
  label: 'Second reference',
  placeholder: 'Only where the biller asks for one',
  required: false,
  order: 0,
  role: 'none',
  validation: { pattern: '^[A-Za-z0-9 /-]{1,40}$', message: 'Enter 1 to 40 letters and digits' },
}

/** Bill payment, whose options are the billers. */
function billPayment(): DemoProduct {
  const fields = [
    select('BILLPAY', 'biller', 'Biller', 'none'),
    { ...accountText('Bill or account number', '100200300'), label: 'Bill or account number' },
    REF2,
    PAYEE_IDENTITY,
    money(1, 30_000),
  ]
  return product({
    code: 'BILLPAY',
    name: 'Bill Payment',
    categoryCode: 'BILL_PAYMENT',
    kind: 'bill_payment',
    note: 'More than 21,000 billers.',
    processingTime: '3_days',
    isRefundable: true,
    fields,
    fulfillment: fulfill(fields, {
      biller_code: { fromField: 'biller', path: 'code' },
      ic_number: { fromField: PAYEE_IDENTITY.id },
      ref2: { fromField: REF2.id, omitIfEmpty: true },
    }),
    ...fixed('0.10', '0.15'),
  })
}

export const BILLS: readonly DemoProduct[] = [billPayment(), ...UTILITIES, meterToken()]

// ── Education ──

function studentLoan(): DemoProduct {
  const account: Field = {
    ...select('EDULOAN', 'loan_account', 'Loan account', 'account'),
    dataSource: {
      type: 'dynamic',
      dependsOn: [IC_NUMBER.id],
      params: {
        product_code: { static: 'EDULOAN' },
        field_id: { static: 'loan_account' },
        account_number: { fromField: IC_NUMBER.id },
      },
    },
  }
  const fields = [IC_NUMBER, account, money(1, 10_000)]
  return product({
    code: 'EDULOAN',
    name: 'Edu Loan',
    categoryCode: 'STUDENT_LOAN',
    kind: 'student_loan',
    note: 'Loan types K, U, S and SP.',
    processingTime: '24_hours',
    isRefundable: true,
    fields,
    fulfillment: {
      account: { fromField: account.id, path: 'account_number' },
      amount: { fromField: 'amount' },
      extras: {
        subproduct_code: { fromField: account.id, path: 'code' },
        ic_number: { fromField: IC_NUMBER.id },
      },
    },
    ...percentage('0.9985', '0.998'),
  })
}

const STUDENT = accountText('Student number', 'S1002003')

export const EDUCATION: readonly DemoProduct[] = [
  studentLoan(),
  bill(
    'ILMUFEE',
    'Ilmu School Fees',
    'SCHOOL_FEES',
    { account: STUDENT, range: [10, 5_000], processingTime: '3_days' },
    percentage('0.995', '0.9945'),
  ),
  bill(
    'CAHAYAUNI',
    'Cahaya University Fees',
    'SCHOOL_FEES',
    { account: STUDENT, range: [50, 20_000], processingTime: '3_days' },
    fixed('1.00', '1.20'),
  ),
]
