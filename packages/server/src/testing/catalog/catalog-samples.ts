import fc from 'fast-check'
import { RATE_ONE } from '../../lib/rates.ts'
import type {
  AccountView,
  BaseCatalog,
  Category,
  Field,
  Group,
  Option,
  Overlay,
  OverlayProduct,
  PriceAdjustment,
  PriceLevel,
  Product,
  WholesalePrice,
} from '../../modules/catalog/model/types.ts'

// ── Samples by hand: valid resources, which a test may change ──

export const RINGGIT = 10_000n
const EARLY = new Date('2026-01-01T00:00:00Z')

export function sampleGroup(change: Partial<Group> = {}): Group {
  return {
    code: 'MOBILE',
    name: 'Mobile',
    iconUrl: 'https://img.example/mobile.svg',
    displayOrder: 1,
    isActive: true,
    ...change,
  }
}

export function sampleCategory(change: Partial<Category> = {}): Category {
  return { ...sampleGroup({ code: 'PREPAID', name: 'Prepaid' }), groupCode: 'MOBILE', ...change }
}

export function textField(change: Partial<Field> = {}): Field {
  return {
    id: 'phone',
    type: 'text',
    inputMode: 'tel',
    label: 'Phone number',
    placeholder: '0123456789',
    required: true,
    order: 1,
    role: 'account',
    validation: { pattern: '^6?01\\d{8,9}$', message: 'Enter a phone number' },
    ...change,
  }
}

export function selectField(change: Partial<Field> = {}): Field {
  return {
    id: 'amount',
    type: 'select',
    inputMode: 'text',
    label: 'Amount',
    placeholder: 'Choose',
    required: true,
    order: 2,
    role: 'pricing',
    validation: {},
    dataSource: { type: 'reference', dependsOn: [], params: { product_code: { static: 'NOVA' } } },
    ...change,
  }
}

export function moneyField(change: Partial<Field> = {}): Field {
  const { dataSource: _, ...field } = selectField()
  return {
    ...field,
    type: 'money',
    inputMode: 'decimal',
    validation: { min: 5, max: 500 },
    currency: 'MYR',
    ...change,
  }
}

/** Makes a product that is priced by options. `moneyProduct` makes one with a typed amount. */
export function sampleProduct(change: Partial<Product> = {}): Product {
  return {
    code: 'NOVA',
    categoryCode: 'PREPAID',
    kind: 'reload',
    name: 'Nova',
    note: null,
    redemption: null,
    imageUrl: 'https://img.example/nova.png',
    processingTime: 'instant',
    displayOrder: 1,
    isActive: true,
    isHidden: false,
    isRestricted: false,
    isRefundable: false,
    denomination: '5,10,30',
    denominationCurrency: null,
    denominationUnitPrice: RATE_ONE,
    fields: [textField(), selectField()],
    fulfillment: {
      account: { fromField: 'phone' },
      amount: { fromField: 'amount', path: 'denomination' },
    },
    minAmount: null,
    maxAmount: null,
    legacy: {
      accountLabel: 'Phone number',
      keyboardType: 'numeric',
      commonDenominations: '5,10',
      denominationDataType: 'Integer',
      accountType: 'phone_number',
    },
    ...change,
  }
}

/** Makes a product whose amount is typed in. */
export function moneyProduct(change: Partial<Product> = {}): Product {
  return sampleProduct({
    code: 'KITA',
    name: 'Kita',
    denomination: '5-500',
    fields: [textField(), moneyField()],
    fulfillment: { account: { fromField: 'phone' }, amount: { fromField: 'amount' } },
    ...change,
  })
}

export function sampleOption(change: Partial<Option> = {}): Option {
  return {
    productCode: 'NOVA',
    fieldId: 'amount',
    code: 'N10',
    label: 'RM 10',
    description: null,
    displayOrder: 1,
    isActive: true,
    denomination: 10n * RINGGIT,
    validity: null,
    features: null,
    rrp: null,
    minAmount: null,
    maxAmount: null,
    suggestedCategory: null,
    additionalDescription: null,
    requiresRef2: false,
    ...change,
  }
}

export function sampleBase(change: Partial<BaseCatalog> & { listed?: readonly Option[] } = {}): BaseCatalog {
  const { listed = [sampleOption()], ...rest } = change
  return {
    groups: [sampleGroup()],
    categories: [sampleCategory()],
    products: [sampleProduct()],
    options: optionMap(listed),
    updatedAt: EARLY,
    ...rest,
  }
}

export function optionMap(options: readonly Option[]): Map<string, Map<string, Option[]>> {
  const products = new Map<string, Map<string, Option[]>>()
  for (const option of options) {
    const fields = products.get(option.productCode) ?? new Map<string, Option[]>()
    products.set(option.productCode, fields)
    fields.set(option.fieldId, [...(fields.get(option.fieldId) ?? []), option])
  }
  return products
}

export const PERCENTAGE: WholesalePrice = {
  discountType: 'percentage',
  unitPrice: 98_500_000n,
  currency: 'MYR',
}

export function sampleLevel(
  prices: Readonly<Record<string, WholesalePrice>> = { NOVA: PERCENTAGE },
): PriceLevel {
  return { code: 'STANDARD', name: 'Standard', prices: new Map(Object.entries(prices)) }
}

export function sampleOverlay(change: Partial<Overlay> = {}): Overlay {
  return { groups: [], categories: [], products: [], options: [], updatedAt: EARLY, ...change }
}

export function overlayProduct(change: Partial<OverlayProduct> = {}): OverlayProduct {
  return {
    code: 'NOVA',
    categoryCode: null,
    displayName: null,
    imageUrl: null,
    displayOrder: null,
    isEnabled: true,
    adjustment: null,
    minAmount: null,
    maxAmount: null,
    ...change,
  }
}

export function sampleView(change: Partial<AccountView> = {}): AccountView {
  return {
    levelCode: 'STANDARD',
    allowedProducts: new Set(),
    deniedProducts: new Set(),
    overlay: undefined,
    ...change,
  }
}

// ── Random samples: few codes, so that references meet, repeat and dangle ──

const GROUP_CODES = ['G1', 'G2', 'G3'] as const
const CATEGORY_CODES = ['C1', 'C2', 'C3', 'C4'] as const
const PRODUCT_CODES = ['P1', 'P2', 'P3', 'P4', 'FD'] as const
const OPTION_CODES = ['O1', 'O2', 'O3', 'x:y'] as const

const order = fc.integer({ min: 0, max: 4 })
const usuallyTrue = fc.boolean().chain((first) => (first ? fc.constant(true) : fc.boolean()))
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
const url = fc.constantFrom('https://img.example/a.png', 'https://img.example/b.png')
const amount = fc.bigInt({ min: 1n, max: 2_000n * RINGGIT })
const rate = fc.oneof(fc.constant(RATE_ONE), fc.bigInt({ min: 1_000_000n, max: 5n * RATE_ONE }))
const instant = fc.date({ min: EARLY, max: new Date('2026-12-31T00:00:00Z'), noInvalidDate: true })

export const wholesalePrices: fc.Arbitrary<WholesalePrice> = fc.oneof(
  fc.record({
    discountType: fc.constant('percentage' as const),
    unitPrice: fc.bigInt({ min: 1n, max: 2n * RATE_ONE }),
    currency: fc.constant('MYR'),
  }),
  fc.record({
    discountType: fc.constant('fixed' as const),
    unitPrice: fc.bigInt({ min: -5n * RATE_ONE, max: -1n }),
    currency: fc.constant('MYR'),
  }),
)

export const adjustments: fc.Arbitrary<PriceAdjustment> = fc.oneof(
  fc.record({
    type: fc.constant('percentage' as const),
    value: fc.bigInt({ min: 1n, max: 3n * RATE_ONE }),
  }),
  fc.record({ type: fc.constant('fixed' as const), value: fc.bigInt({ min: -50_000n, max: 50_000n }) }),
)

const groups = fc.uniqueArray(
  fc.record({
    code: fc.constantFrom(...GROUP_CODES),
    name: fc.string(),
    iconUrl: url,
    displayOrder: order,
    isActive: usuallyTrue,
  }),
  { selector: (group) => group.code },
)

const categories = fc.uniqueArray(
  fc.record({
    code: fc.constantFrom(...CATEGORY_CODES),
    groupCode: fc.constantFrom(...GROUP_CODES),
    name: fc.string(),
    iconUrl: url,
    displayOrder: order,
    isActive: usuallyTrue,
  }),
  { selector: (category) => category.code },
)

const biller = selectField({ id: 'biller', role: 'none', order: 3 })
const planCode = { subproduct_code: { fromField: 'amount', path: 'code', omitIfEmpty: true } }

const products: fc.Arbitrary<Product[]> = fc.uniqueArray(
  fc
    .record({
      code: fc.constantFrom(...PRODUCT_CODES),
      categoryCode: fc.constantFrom(...CATEGORY_CODES),
      kind: fc.constantFrom('reload' as const, 'mobile_data' as const, 'bill_payment' as const),
      name: fc.string(),
      displayOrder: order,
      isActive: usuallyTrue,
      isHidden: usuallyTrue.map((value) => !value),
      isRestricted: usuallyTrue.map((value) => !value),
      denominationUnitPrice: rate,
      minAmount: orNull(amount),
      maxAmount: orNull(amount),
      isMoney: fc.boolean(),
      hasPlanCode: fc.boolean(),
    })
    .map(({ isMoney, hasPlanCode, ...change }) => {
      const product = isMoney ? moneyProduct(change) : sampleProduct(change)
      const extras = hasPlanCode && !isMoney ? { extras: planCode } : {}
      return {
        ...product,
        fields: [...product.fields, biller],
        fulfillment: { ...product.fulfillment, ...extras },
      }
    }),
  { selector: (product) => product.code },
)

const options: fc.Arbitrary<Option[]> = fc.uniqueArray(
  fc
    .record({
      productCode: fc.constantFrom(...PRODUCT_CODES),
      fieldId: fc.constantFrom('amount', 'biller'),
      code: fc.constantFrom(...OPTION_CODES),
      label: fc.constantFrom('Nova 10 GB 30 Days', 'Nova', ''),
      description: orNull(fc.string()),
      displayOrder: order,
      isActive: usuallyTrue,
      denomination: amount,
      validity: orNull(fc.constantFrom('30 Days', '7 Days')),
      features: orNull(fc.array(fc.string(), { maxLength: 2 })),
      rrp: orNull(amount),
      minAmount: orNull(amount),
      maxAmount: orNull(amount),
    })
    .map((change) =>
      sampleOption(change.fieldId === 'biller' ? { ...change, denomination: null, rrp: null } : change),
    ),
  {
    selector: (option) => `${option.productCode}:${option.fieldId}:${option.code}`,
    maxLength: 20,
  },
)

export const bases: fc.Arbitrary<BaseCatalog> = fc.record({
  groups,
  categories,
  products,
  options: options.map(optionMap),
  updatedAt: instant,
})

export const levels: fc.Arbitrary<PriceLevel> = fc
  .dictionary(fc.constantFrom(...PRODUCT_CODES, 'GONE'), wholesalePrices, { noNullPrototype: true })
  .map((prices) => sampleLevel(prices))

const face = {
  isOwn: fc.boolean(),
  name: orNull(fc.string()),
  iconUrl: orNull(url),
  displayOrder: orNull(order),
}

export const overlays: fc.Arbitrary<Overlay> = fc.record({
  groups: fc.uniqueArray(fc.record({ code: fc.constantFrom(...GROUP_CODES, 'OWN1', 'OWN2'), ...face }), {
    selector: (group) => group.code,
  }),
  categories: fc.uniqueArray(
    fc.record({
      code: fc.constantFrom(...CATEGORY_CODES, 'MINE1', 'MINE2'),
      groupCode: orNull(fc.constantFrom(...GROUP_CODES, 'OWN1', 'GONE')),
      ...face,
    }),
    { selector: (category) => category.code },
  ),
  products: fc.uniqueArray(
    fc.record({
      code: fc.constantFrom(...PRODUCT_CODES, 'GONE'),
      categoryCode: orNull(fc.constantFrom(...CATEGORY_CODES, 'MINE1', 'GONE')),
      displayName: orNull(fc.string()),
      imageUrl: orNull(url),
      displayOrder: orNull(order),
      isEnabled: usuallyTrue,
      adjustment: orNull(adjustments),
      minAmount: orNull(amount),
      maxAmount: orNull(amount),
    }),
    { selector: (product) => product.code },
  ),
  options: fc.uniqueArray(
    fc.record({
      productCode: fc.constantFrom(...PRODUCT_CODES, 'GONE'),
      fieldId: fc.constantFrom('amount', 'biller', 'phone', 'gone'),
      code: fc.constantFrom(...OPTION_CODES, 'GONE'),
      isEnabled: usuallyTrue,
      rrp: orNull(amount),
    }),
    { selector: (option) => `${option.productCode}:${option.fieldId}:${option.code}` },
  ),
  updatedAt: instant,
})

const codeSets = fc
  .uniqueArray(fc.constantFrom(...PRODUCT_CODES, 'GONE'))
  .map((codes) => new Set<string>(codes))

export const accountViews: fc.Arbitrary<AccountView> = fc.record({
  levelCode: fc.constant('STANDARD'),
  allowedProducts: codeSets,
  deniedProducts: fc.oneof(fc.constant(new Set<string>()), codeSets),
  overlay: fc.option(overlays, { nil: undefined }),
})
