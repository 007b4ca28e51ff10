import { LOCAL_CURRENCY } from '../../lib/money.ts'
import type { Rate } from '../../lib/rates.ts'
import { KIND_TRAITS } from '../catalog/model/kinds.rules.ts'
import type { Field, LegacyFields, ProcessingTime, Product, ProductKind } from '../catalog/model/types.ts'
import type { Offer } from './types.ts'

// The product that is made of the first offer of a brand: its form, and how the filled form becomes a payment.

export type NewProduct = {
  readonly code: string
  readonly kind: ProductKind
  readonly category: string
  readonly unitPrice: Rate
  readonly offer: Offer
  readonly imageUrl: string
}

const NAME_MAX = 100

/** It has no price at any level, so nobody buys it before an operator has set one. */
export function newProduct({ code, kind, category, unitPrice, offer, imageUrl }: NewProduct): Product {
  const { face, brand, country, name } = offer
  const account = accountOf(kind)
  const isRange = face !== null && face.min !== face.max
  const pricing = isRange
    ? amountField(face)
    : choiceField(code, face === null || KIND_TRAITS[kind].hasDataPlans)
  const called =
    brand === null || isRange
      ? name
      : [brand, ...(country === null || country === 'MY' ? [] : [country])].join(' ')
  return {
    code,
    categoryCode: category,
    kind,
    name: called.slice(0, NAME_MAX),
    note: null,
    redemption: null,
    imageUrl,
    processingTime: PROCESSING[kind] ?? 'instant',
    displayOrder: 0,
    isActive: true,
    isHidden: false,
    isRestricted: false,
    isRefundable: false,
    denomination: isRange ? `${face.min}-${face.max}` : null,
    denominationCurrency: face?.currency ?? LOCAL_CURRENCY,
    denominationUnitPrice: unitPrice,
    fields: [...(account === undefined ? [] : [account]), pricing],
    fulfillment: {
      ...(account !== undefined && { account: { fromField: account.id } }),
      amount: isRange ? { fromField: pricing.id } : { fromField: pricing.id, path: 'denomination' },
      ...(pricing.id === 'plan' && { extras: { subproduct_code: { fromField: 'plan', path: 'code' } } }),
    },
    minAmount: null,
    maxAmount: null,
    legacy: legacyOf(account),
  }
}

const PROCESSING: Partial<Record<ProductKind, ProcessingTime>> = {
  pin: 'pin',
  voucher: 'pin',
  gift_card: 'link',
  esim: 'link',
}

export function isTypedAmount({ type }: Pick<Field, 'type'>): boolean {
  return type !== 'select'
}

function amountField({ min, max, currency }: NonNullable<Offer['face']>): Field {
  return {
    ...TEXT,
    id: 'amount',
    type: 'money',
    inputMode: 'decimal',
    label: 'Amount',
    order: 2,
    role: 'pricing',
    validation: { min: Number(min), max: Number(max) },
    currency,
  }
}

/** Plans are named by their own codes; amounts name themselves. */
function choiceField(code: string, isPlan: boolean): Field {
  const id = isPlan ? 'plan' : 'amount'
  return {
    ...TEXT,
    id,
    type: 'select',
    label: isPlan ? 'Plan' : 'Amount',
    order: 2,
    role: 'pricing',
    dataSource: {
      type: 'reference',
      dependsOn: [],
      params: { product_code: { static: code }, field_id: { static: id } },
    },
  }
}

const TEXT: Field = {
  id: 'account_number',
  type: 'text',
  inputMode: 'text',
  label: 'Account number',
  placeholder: '',
  required: true,
  order: 1,
  role: 'account',
  validation: {},
}

const PHONE: Field = {
  ...TEXT,
  id: 'phone',
  inputMode: 'tel',
  label: 'Mobile number',
  placeholder: '60123456789',
  validation: { pattern: '^[0-9+]{6,20}$', message: 'Enter a mobile number' },
}

const EMAIL: Field = {
  ...TEXT,
  id: 'email',
  inputMode: 'email',
  label: 'E-mail address',
  placeholder: 'name@example.com',
  validation: { pattern: '^[^@ ]{1,64}@[^@ ]{1,190}$', message: 'Enter an e-mail address' },
}

function accountOf(kind: ProductKind): Field | undefined {
  if (kind === 'reload' || kind === 'mobile_data') return PHONE
  if (kind === 'esim' || kind === 'gift_card' || kind === 'voucher') return EMAIL
  return kind === 'pin' ? undefined : TEXT
}

function legacyOf(account: Field | undefined): LegacyFields {
  return {
    accountLabel: account?.label ?? null,
    keyboardType: account?.inputMode ?? '',
    commonDenominations: '',
    denominationDataType: 'Decimal',
    accountType:
      account === undefined ? 'not_required' : account.id === 'phone' ? 'phone_number' : 'account_number',
  }
}
