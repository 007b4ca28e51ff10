import type { Field } from '../../modules/catalog/model/types.ts'
import { money, PHONE, pricingSelect } from './fields.ts'
import type { DemoProduct, OptionDraft, Prices } from './make.ts'
import { amounts, fixed, fulfill, percentage, product, ringgit } from './make.ts'
import { DIAL_PIN } from './texts.ts'

/** Reload with a list of amounts, or with any amount between two limits. */
function reload(
  code: string,
  name: string,
  choice: readonly number[] | { min: number; max: number },
  prices: Prices,
  more: { note?: string; isActive?: boolean } = {},
): DemoProduct {
  const isList = 'length' in choice
  const amount = isList ? pricingSelect(code, 'amount', 'Amount') : money(choice.min, choice.max)
  const fields = [PHONE, amount]
  return product({
    code,
    name,
    categoryCode: 'PREPAID_RELOAD',
    kind: 'reload',
    fields,
    fulfillment: fulfill(fields),
    options: isList ? amounts(code, choice) : [],
    ...prices,
    ...more,
  })
}

const RELOADS: readonly DemoProduct[] = [
  reload('NOVA', 'Nova Prepaid', [5, 10, 30, 50, 100], percentage('0.97', '0.965'), {
    note: 'Credit arrives within seconds.',
  }),
  reload('KITA', 'Kita Prepaid', { min: 5, max: 500 }, percentage('0.965', '0.96')),
  reload('BAYU', 'Bayu Prepaid', [5, 10, 15, 20, 30, 50, 100], percentage('0.96', '0.9575')),
  reload('RIMBA', 'Rimba Prepaid', { min: 5, max: 300 }, percentage('0.9625', '0.955')),
  reload('SELAT', 'Selat Prepaid', [10, 20, 30, 60, 100], fixed('0.30', '0.35')),
  reload('LANGIT', 'Langit Prepaid', [5, 10, 20, 50], percentage('0.97', '0.97')),
  reload('ZAMRUD', 'Zamrud Prepaid', { min: 10, max: 200 }, percentage('0.968', '0.9655')),
  reload('FP', 'Fajar Prepaid', [5, 10, 30, 50], percentage('0.97', '0.965'), {
    note: 'The network of this operator is always interrupted.',
  }),
  reload('OLDONE', 'Old One Prepaid', [5, 10, 30], percentage('0.97', '0.965'), { isActive: false }),
]

// ── PINs: no account on the form ──

function pin(code: string, name: string, values: readonly number[], prices: Prices): DemoProduct {
  const fields = [pricingSelect(code, 'amount', 'Amount')]
  return product({
    code,
    name,
    categoryCode: 'PREPAID_PIN',
    kind: 'pin',
    note: 'Dial the PIN as printed to reload.',
    redemption: DIAL_PIN,
    processingTime: 'pin',
    fields,
    fulfillment: fulfill(fields),
    options: amounts(code, values),
    ...prices,
  })
}

const PINS: readonly DemoProduct[] = [
  pin('PINTEN', 'Nova PIN 10', [10], percentage('0.96', '0.955')),
  pin('BAYUPIN', 'Bayu PIN', [10, 30, 50], percentage('0.955', '0.95')),
  pin('KITAPIN', 'Kita PIN', [10, 30, 50, 100], fixed('0.40', '0.45')),
]

// ── Postpaid ──

function postpaid(code: string, name: string, prices: Prices): DemoProduct {
  const fields = [PHONE, money(10, 2_000)]
  return product({
    code,
    name,
    categoryCode: 'POSTPAID',
    kind: 'other',
    processingTime: '24_hours',
    isRefundable: true,
    fields,
    fulfillment: fulfill(fields),
    ...prices,
  })
}

const POSTPAID: readonly DemoProduct[] = [
  postpaid('NOVAPOST', 'Nova Postpaid', percentage('0.99', '0.988')),
  postpaid('KITAPOST', 'Kita Postpaid', percentage('0.99', '0.9875')),
  postpaid('BAYUPOST', 'Bayu Postpaid', fixed('0.50', '0.60')),
  postpaid('RIMBAPOST', 'Rimba Postpaid', fixed('0.45', '0.55')),
]

// ── Mobile data ──

type Plan = readonly [
  code: string,
  price: string,
  label: string,
  validity: string | null,
  features: readonly string[] | null,
  description?: string,
]

function planOf([code, price, label, validity, features, description]: Plan): OptionDraft {
  return {
    fieldId: 'plan',
    code,
    label,
    denomination: ringgit(price),
    validity,
    features,
    description: description ?? null,
  }
}

const PLAN_EXTRAS = { subproduct_code: { fromField: 'plan', path: 'code' } }

function mobileData(code: string, name: string, plans: readonly Plan[], prices: Prices): DemoProduct {
  const fields = [PHONE, pricingSelect(code, 'plan', 'Plan')]
  return product({
    code,
    name,
    categoryCode: 'MOBILE_DATA',
    kind: 'mobile_data',
    fields,
    fulfillment: fulfill(fields, PLAN_EXTRAS),
    options: plans.map(planOf),
    ...prices,
  })
}

const MOBILE_DATA: readonly DemoProduct[] = [
  mobileData(
    'NOVAD',
    'Nova Data',
    [
      ['ND5', '5', 'Nova 1 GB 3 Days', '3 Days', ['1 GB high speed']],
      ['ND10W', '10', 'Nova 3 GB 7 Days', '7 Days', ['3 GB high speed', 'Unlimited chat apps']],
      ['ND10M', '10', 'Nova 1.5 GB 30 Days', '30 Days', ['1.5 GB high speed', 'Free calls to Nova']],
      [
        'ND35',
        '35',
        'Nova 20 GB 30 Days',
        '30 Days',
        ['20 GB high speed', '5 GB hotspot'],
        'Renews by itself.',
      ],
      ['ND50', '50', 'Nova Unlimited 30 Days', '30 Days', ['Unlimited data up to 6 Mbps', '10 GB hotspot']],
    ],
    percentage('0.96', '0.955'),
  ),
  mobileData(
    'KITAD',
    'Kita Data',
    [
      ['KITA-D3', '3', 'Kita 500 MB 1 Day', '1 Day', ['500 MB high speed']],
      ['KITA-D12', '12', 'Kita 5 GB 7 Days', '7 Days', ['5 GB high speed', 'Video pass']],
      ['KITA-D38', '38', 'Kita 30 GB 30 Days', '30 Days', ['30 GB high speed', '10 GB hotspot']],
    ],
    percentage('0.955', '0.95'),
  ),
  mobileData(
    'BAYUD',
    'Bayu Data',
    [
      ['BD6', '6', 'Bayu Weekend 4 GB 2 Days', '2 Days', ['4 GB from Saturday to Sunday']],
      ['BD15', '15', 'Bayu 8 GB 14 Days', '14 Days', ['8 GB high speed']],
      ['BD45', '45', 'Bayu 40 GB 30 Days', '30 Days', ['40 GB high speed', 'Roaming in 3 countries']],
    ],
    percentage('0.95', '0.945'),
  ),
  mobileData(
    'RIMBAD',
    'Rimba Data',
    [
      ['R:WEEK', '12.90', 'Rimba Weekly 6 GB', '7 Days', ['6 GB high speed']],
      ['R:MONTH', '29.90', 'Rimba Monthly 18 GB', '30 Days', ['18 GB high speed', 'Unlimited calls']],
      ['R:MAX', '59.90', 'Rimba Monthly Max', '30 Days', ['Unlimited data', 'Unlimited calls']],
    ],
    percentage('0.96', '0.955'),
  ),
  mobileData(
    'SELATD',
    'Selat Data',
    [
      ['SD8', '8', 'Selat 2 GB 7 Days', '7 Days', null],
      ['SD20', '20', 'Selat 10 GB 15 Days', '15 Days', null, 'Night hours do not count.'],
      ['SD40', '40', 'Selat 25 GB 30 Days', '30 Days', null],
    ],
    fixed('0.25', '0.30'),
  ),
  mobileData(
    'LANGITD',
    'Langit Data',
    [
      ['LD10', '10', 'Langit 4 GB 10 Days', '10 Days', ['4 GB high speed']],
      ['LD25', '25', 'Langit 15 GB 30 Days', '30 Days', ['15 GB high speed', 'Game pass']],
    ],
    percentage('0.965', '0.96'),
  ),
  mobileData(
    'ZAMRUDD',
    'Zamrud Data',
    [
      ['ZD9', '9', 'Zamrud 3 GB 5 Days', '5 Days', ['3 GB high speed']],
      ['ZD28', '28', 'Zamrud 16 GB 30 Days', '30 Days', ['16 GB high speed', '8 GB at night']],
      ['ZDBOOST', '2', 'Zamrud Boost 300 MB', null, ['300 MB on top of a plan']],
    ],
    percentage('0.962', '0.957'),
  ),
]

/** Field for the plans that an operator offers to one number; they are fetched each time. */
const OFFER: Field = {
  ...pricingSelect('NOVAMY', 'plan', 'Your offers'),
  dataSource: {
    type: 'dynamic',
    dependsOn: [PHONE.id],
    params: {
      product_code: { static: 'NOVAMY' },
      field_id: { static: 'plan' },
      account_number: { fromField: PHONE.id },
    },
  },
}

const OFFERS: readonly DemoProduct[] = [
  product({
    code: 'NOVAMY',
    name: 'Nova My Offers',
    categoryCode: 'DATA_OFFERS',
    kind: 'mobile_data',
    note: 'Plans that Nova offers to this number.',
    fields: [PHONE, OFFER],
    fulfillment: fulfill([PHONE, OFFER], PLAN_EXTRAS),
    ...percentage('0.96', '0.955'),
  }),
]

export const MOBILE: readonly DemoProduct[] = [...RELOADS, ...MOBILE_DATA, ...OFFERS, ...PINS, ...POSTPAID]
