import type { Field, Product } from '../../modules/catalog/model/types.ts'
import { accountNumber, accountText, money, PHONE, pricingSelect } from './fields.ts'
import type { DemoProduct, Prices } from './make.ts'
import { amounts, fixed, fulfill, percentage, product } from './make.ts'

type Given = {
  readonly account: Field
  readonly range: readonly [min: number, max: number]
} & Partial<Pick<Product, 'processingTime' | 'kind' | 'isRefundable' | 'isHidden' | 'isRestricted'>> & {
    readonly accountType?: Product['legacy']['accountType']
  }

function anyAmount(
  code: string,
  name: string,
  categoryCode: string,
  { account, range, kind = 'other', ...rest }: Given,
  prices: Prices,
): DemoProduct {
  const fields = [account, money(...range)]
  return product({ code, name, categoryCode, kind, ...rest, fields, fulfillment: fulfill(fields), ...prices })
}

export const EWALLETS: readonly DemoProduct[] = [
  anyAmount(
    'DOMPETKU',
    'Dompet Ku',
    'EWALLET_RELOAD',
    { account: PHONE, range: [10, 1_000], accountType: 'both' },
    percentage('0.995', '0.994'),
  ),
  anyAmount(
    'SAKUPAY',
    'Saku Pay',
    'EWALLET_RELOAD',
    { account: PHONE, range: [10, 1_500] },
    percentage('0.994', '0.993'),
  ),
  anyAmount(
    'BAYARGO',
    'Bayar Go',
    'EWALLET_RELOAD',
    { account: PHONE, range: [5, 500] },
    fixed('0.05', '0.06'),
  ),
  anyAmount(
    'KANTUNG',
    'Kantung',
    'EWALLET_RELOAD',
    { account: PHONE, range: [20, 2_000] },
    fixed('0.10', '0.12'),
  ),
]

/** Parking coupons: the amount is the number of coupons. */
function parking(): DemoProduct {
  const quantity: Field = {
    id: 'quantity',
    type: 'number',
    inputMode: 'numeric',
    label: 'Coupons',
    placeholder: '10',
    required: true,
    order: 0,
    role: 'pricing',
    validation: { min: 1, max: 100, message: 'Enter a number from 1 to 100' },
  }
  const fields = [accountText('Vehicle number', 'QAA1234'), quantity]
  return product({
    code: 'PARKGO',
    name: 'Park Go Coupons',
    categoryCode: 'TRANSPORT',
    kind: 'other',
    unit: { currency: 'COUPON', price: '0.65' },
    fields,
    fulfillment: fulfill(fields),
    ...percentage('0.97', '0.965'),
  })
}

function tollCard(): DemoProduct {
  const fields = [accountNumber('Card number', '6012345678'), pricingSelect('LAJUTOLL', 'amount', 'Amount')]
  return product({
    code: 'LAJUTOLL',
    name: 'Laju Toll Card',
    categoryCode: 'TRANSPORT',
    kind: 'other',
    fields,
    fulfillment: fulfill(fields),
    options: amounts('LAJUTOLL', [20, 50, 100, 200]),
    ...fixed('0.10', '0.12'),
  })
}

export const TRANSPORT: readonly DemoProduct[] = [
  tollCard(),
  parking(),
  anyAmount(
    'RELPASS',
    'Rel Pass',
    'TRANSPORT',
    { account: accountNumber('Card number', '880012345678'), range: [10, 300] },
    percentage('0.985', '0.98'),
  ),
]

const POLICY = accountText('Policy number', 'PL-100200')

export const FINANCE: readonly DemoProduct[] = [
  anyAmount(
    'PAYUNG',
    'Payung Takaful',
    'INSURANCE',
    { account: POLICY, range: [10, 10_000], processingTime: '3_days', isRefundable: true },
    percentage('0.997', '0.9965'),
  ),
  anyAmount(
    'PERISAI',
    'Perisai Insurance',
    'INSURANCE',
    { account: POLICY, range: [10, 10_000], processingTime: '3_days', isRefundable: true },
    fixed('0.50', '0.60'),
  ),
  anyAmount(
    'PINJAMCAR',
    'Pinjam Car Financing',
    'FINANCING',
    {
      account: accountNumber('Agreement number', '700012345'),
      range: [50, 10_000],
      processingTime: '24_hours',
      isRefundable: true,
    },
    fixed('0.40', '0.50'),
  ),
  anyAmount(
    'AMAL',
    'Yayasan Amal Rentas',
    'DONATION',
    { account: PHONE, range: [1, 5_000] },
    percentage('1', '1'),
  ),
  anyAmount(
    'FD',
    'Fund Disbursement',
    'FUND_DISBURSEMENT',
    {
      account: accountNumber('Bank account number', '514012345678'),
      range: [1, 5_000],
      kind: 'fund_disbursement',
      isHidden: true,
      isRestricted: true,
    },
    percentage('1.002', '1.0025'),
  ),
]
