import { assert } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import type { AccountEvent } from '../../catalog/changes/events.types.ts'
import type { OrderEventData, OrderTransactionData } from '../../orders/core/wire.types.ts'
import type { Payment, PaymentCode } from '../../payments/core/types.ts'
import type { BalanceEventType, OrderEventType, PaymentEventType, Stream, TestRef } from '../types.ts'
import { BALANCE_EVENT_TYPES, ORDER_EVENT_TYPES } from '../types.ts'

// Test events. A sample is a delivery of source `test` with subject 0. Its row stores the type and data that sampleOf
// makes and the time that was passed to it; its event id is in no feed. Everything else is computed from these at every
// attempt, so all attempts send the same event.

const RESOURCES = ['product', 'option', 'category', 'group'] as const
const CHANGES = ['updated', 'created', 'deleted'] as const
/** Code of each payment event that a callback is sent for: every one but the acceptance, which the request answers. */
const PAYMENT_CODES = {
  'payment.succeeded': 20,
  'payment.processing': 1,
  'payment.failed': 48,
  'payment.voided': 53,
} as const satisfies Record<Exclude<PaymentEventType, 'payment.accepted'>, PaymentCode>

type SamplePaymentType = keyof typeof PAYMENT_CODES

/** Types of samples of each stream; the first one is sent when the caller names none. */
export const SAMPLE_TYPES: Readonly<Record<Stream, readonly string[]>> = {
  callback: Object.keys(PAYMENT_CODES),
  catalog: RESOURCES.flatMap((resource) => CHANGES.map((change) => `${resource}.${change}`)),
  balance: BALANCE_EVENT_TYPES,
  order: ORDER_EVENT_TYPES,
}

export type Sample = { readonly type: string; readonly data: Readonly<Record<string, unknown>> }

export type SampleContext = {
  /** The reseller's account number. */
  readonly account: string
  readonly now: Date
  /** Present balance: a receiver that takes the sample for a real event still has the right balance. */
  readonly balance?: Amount | undefined
}

/** Makes a sample; undefined: the stream sends no events of this type. */
export function sampleOf(
  stream: Stream,
  type: string | undefined,
  { account, now, balance = 0n }: SampleContext,
): Sample | undefined {
  const chosen = type ?? SAMPLE_TYPES[stream][0]
  if (chosen === undefined || !SAMPLE_TYPES[stream].includes(chosen)) return undefined
  return { type: chosen, data: { account, refid: `TEST-${now.getTime()}`, balance: Number(balance) } }
}

/** Record that the messages of a sample are made from. */
export type SampleSubject =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'balance'; readonly account: string; readonly amount: Amount; readonly balance: Amount }
  | { readonly kind: 'catalog'; readonly event: AccountEvent }
  | { readonly kind: 'order'; readonly data: OrderEventData }

export function subjectOfSample(ref: TestRef): SampleSubject {
  const { type, data } = ref
  const account = String(data.account ?? '')
  const balance = BigInt(Number(data.balance ?? 0))
  if (isPaymentType(type))
    return { kind: 'payment', payment: samplePayment(ref, PAYMENT_CODES[type], balance) }
  if (isBalanceType(type)) return { kind: 'balance', account, amount: 0n, balance }
  if (isOrderType(type)) return { kind: 'order', data: sampleOrder(ref, type) }
  return { kind: 'catalog', event: sampleChange(type, account, ref.at) }
}

function isBalanceType(type: string): type is BalanceEventType {
  return BALANCE_EVENT_TYPES.some((each) => each === type)
}

function isOrderType(type: string): type is OrderEventType {
  return ORDER_EVENT_TYPES.some((each) => each === type)
}

function isPaymentType(type: string): type is SamplePaymentType {
  return Object.hasOwn(PAYMENT_CODES, type)
}

export const SAMPLE_DESCRIPTION = 'Test event'

const SAMPLE_REMARKS: Readonly<Partial<Record<PaymentCode, string>>> = {
  48: 'Rejected by the provider',
  53: 'Refund',
}

function samplePayment(ref: TestRef, code: PaymentCode, balanceAfter: Amount): Payment {
  const isFulfilled = code === 20 || code === 53
  return {
    resellerId: ref.resellerId,
    id: 0n,
    refid: String(ref.data.refid ?? 'TEST'),
    productCode: 'TEST',
    productName: 'Test product',
    account: '60123456789',
    amount: 100_000n,
    faceValue: 100_000n,
    cost: 98_500n,
    balanceAfter,
    code,
    extras: { subproductCode: null, billerCode: null, ref2: null, icNumber: null },
    remarks: SAMPLE_REMARKS[code] ?? SAMPLE_DESCRIPTION,
    output: { serialNumber: isFulfilled ? 'TEST-0001' : '', pin: '', expiry: '', voucherLink: '', note: '' },
    sender: '',
    memberId: '',
    createdAt: ref.at,
    changedAt: ref.at,
  }
}

// ── Orders ──

const SAMPLE_STATUS: Readonly<Record<OrderEventType, OrderEventData['status']>> = {
  'order.completed': 'completed',
  'order.timeout': 'timeout',
  'order.cancelled': 'cancelled',
}

const SAMPLE_TRANSACTION: OrderTransactionData = {
  refid: 'ord_000000000000000000000000-1-1',
  transaction_id: '0',
  status_code: 20,
  status_name: 'Succesful',
  price: '10.00',
  sn: 'TEST-0001',
  pin: '',
  expiry: '',
  voucherlink: '',
  error: null,
}

function sampleOrder({ at, data }: TestRef, type: OrderEventType): OrderEventData {
  const isPaid = type === 'order.completed'
  return {
    order_id: 'ord_000000000000000000000000',
    reference: String(data.refid ?? 'TEST'),
    user_id: 'TEST',
    total_amount: '10.00',
    refund_amount: '0.00',
    status: SAMPLE_STATUS[type],
    payment_reference: isPaid ? 'TEST' : null,
    completed_at: at.toISOString(),
    items: [
      {
        product_code: 'TEST',
        amount: '10.00',
        quantity: 1,
        transactions: isPaid ? [SAMPLE_TRANSACTION] : [],
      },
    ],
  }
}

// ── The catalogue ──

type SampleResource = Pick<AccountEvent, 'resource' | 'id'> & {
  readonly data: Readonly<Record<string, unknown>>
}

const SAMPLES: Readonly<Record<(typeof RESOURCES)[number], SampleResource>> = {
  product: {
    resource: 'products',
    id: 'TEST',
    data: {
      product_code: 'TEST',
      product_category_code: 'TEST',
      name: 'Test product',
      display_name: 'Test product',
      note: SAMPLE_DESCRIPTION,
      image_url: '',
      processing_time: 'instant',
      display_order: 1,
      fields: [
        {
          id: 'amount',
          type: 'money',
          input_mode: 'decimal',
          label: 'Amount',
          placeholder: '',
          required: true,
          order: 1,
          role: 'pricing',
          validation: {},
          currency: 'MYR',
        },
      ],
      fulfillment: { account: { from_field: null }, amount: { from_field: 'amount' } },
      // Inactive and hidden: a receiver that takes the sample for a real product must not sell it.
      is_active: false,
      is_hidden: true,
      options_source_type: null,
      denomination_currency: 'MYR',
      denomination_unit_price: 1,
      price_adjustment_type: null,
      price_adjustment_value: null,
      unit_price: '0.985',
      currency: 'MYR',
      discount: { type: 'percentage', value: '1.5%' },
      min_amount: null,
      max_amount: null,
      is_refundable: false,
    },
  },
  option: {
    resource: 'options',
    id: 'TEST:plan:TEST',
    data: {
      product_code: 'TEST',
      field_id: 'plan',
      code: 'TEST',
      label: 'Test option',
      description: SAMPLE_DESCRIPTION,
      display_order: 1,
      is_active: false,
      denomination: null,
      price: null,
      cost: null,
      rrp: null,
      min_amount: null,
      max_amount: null,
    },
  },
  category: {
    resource: 'categories',
    id: 'TEST',
    data: {
      product_category_code: 'TEST',
      product_group_code: 'TEST',
      name: 'Test category',
      icon_url: '',
      display_order: 1,
      is_active: false,
    },
  },
  group: {
    resource: 'groups',
    id: 'TEST',
    data: {
      product_group_code: 'TEST',
      name: 'Test group',
      icon_url: '',
      display_order: 1,
      is_active: false,
    },
  },
}

function sampleChange(type: string, account: string, at: Date): AccountEvent {
  const [name = '', change = ''] = type.split('.')
  const known = RESOURCES.find((each) => each === name)
  assert(known !== undefined, `there is no sample of ${type}`)
  const { resource, id, data } = SAMPLES[known]
  const whole = resource === 'products' ? { ...data, reseller_code: account } : data
  return {
    version: 0n,
    position: 1,
    type: type as AccountEvent['type'],
    resource,
    id,
    data: change === 'deleted' ? null : whole,
    createdAt: at,
  }
}
