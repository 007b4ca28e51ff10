import type { Static } from 'typebox'
import { Type } from 'typebox'

/** Schemas of the newest release; older forms are made from it (releases.view.ts). */

export const Money = Type.Object(
  {
    amount: Type.String({ pattern: '^-?\\d+\\.\\d{2,4}$', description: 'Decimal with 2 to 4 places' }),
    currency: Type.String({ description: 'Currency or virtual unit, such as MYR' }),
  },
  { title: 'Money' },
)
export type MoneyWire = Static<typeof Money>

const MoneyOrNull = (description: string) => Type.Union([Money, Type.Null()], { description })
const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const ProcessingTime = Type.Union(
  [
    Type.Literal('instant'),
    Type.Literal('24_hours'),
    Type.Literal('3_days'),
    Type.Literal('link'),
    Type.Literal('pin'),
  ],
  {
    description:
      'instant: seconds. 24_hours: 1 business day. 3_days: 3 business days. link: a redemption link. pin: a PIN or voucher code.',
  },
)

// ── A product's form ──

const SourceParameter = Type.Union([
  Type.Object({ static: Type.String({ description: 'The value itself' }) }),
  Type.Object({ from_field: Type.String({ description: 'Id of the field whose value is sent' }) }),
])

const DataSource = Type.Object(
  {
    type: Type.Union([Type.Literal('reference'), Type.Literal('dynamic')], {
      description:
        'reference: a static list to cache. dynamic: depends on the user, to be fetched each time.',
    }),
    depends_on: Type.Optional(
      Type.Array(Type.String(), { description: 'Fields that must be filled first; dynamic only' }),
    ),
    endpoint: Type.Literal('/options'),
    params: Type.Record(Type.String(), SourceParameter, { description: 'Query parameters by name' }),
  },
  { title: 'Data source', description: 'Source of the options of a select field' },
)

const Validation = Type.Object(
  {
    pattern: Type.Optional(Type.String({ description: 'Regular expression' })),
    message: Type.Optional(Type.String({ description: 'Message for the user' })),
    min: Type.Optional(Type.Number({ description: 'Money and number fields' })),
    max: Type.Optional(Type.Number({ description: 'Money and number fields' })),
  },
  { title: 'Field validation' },
)

export const FormField = Type.Object(
  {
    id: Type.String({ description: 'Unique within the product' }),
    type: Type.Union(
      [Type.Literal('text'), Type.Literal('number'), Type.Literal('select'), Type.Literal('money')],
      { description: 'Control of the form' },
    ),
    input_mode: Type.Union([
      Type.Literal('text'),
      Type.Literal('tel'),
      Type.Literal('numeric'),
      Type.Literal('email'),
      Type.Literal('decimal'),
    ]),
    label: Type.String(),
    placeholder: Type.String(),
    required: Type.Boolean(),
    order: Type.Number({ description: 'Fields are shown in ascending order' }),
    role: Type.Union([Type.Literal('account'), Type.Literal('pricing'), Type.Literal('none')], {
      description: 'account: gives the account of the payment. pricing: gives its amount.',
    }),
    validation: Validation,
    data_source: Type.Optional(DataSource),
    currency: Type.Optional(Type.String({ description: 'Money fields only' })),
    number_kind: Type.Optional(
      Type.Union([Type.Literal('mobile'), Type.Literal('fixed')], {
        description:
          'The field takes telephone numbers, as people write them: with spaces, dashes, dots and brackets, and in their bare, national or international form. All spellings of a number are one account.',
      }),
    ),
    number_country: Type.Optional(
      Type.String({
        description: 'Country of the numbers (ISO 3166); there where number_kind is',
        examples: ['MY'],
      }),
    ),
  },
  { title: 'Field' },
)
export type FormFieldWire = Static<typeof FormField>

const HOW = {
  path: Type.Optional(Type.String({ description: 'Dot-path into the selected option' })),
  omit_if_empty: Type.Optional(Type.Boolean({ description: 'Leave the key out when the value is empty' })),
}

export const Mapping = Type.Object(
  { from_field: Type.String({ description: 'Id of the field that gives the value' }), ...HOW },
  { title: 'Mapping' },
)
export type MappingWire = Static<typeof Mapping>

// One shape, not a choice of two: generated clients lose a member that can be nothing but null.
const AccountMapping = Type.Object(
  {
    from_field: Type.Union([Type.String(), Type.Null()], {
      description:
        'Id of the field that gives the value; null: none does, so send any, such as the number of the customer',
    }),
    ...HOW,
  },
  {
    title: 'Account mapping',
    description:
      'Always there; its `from_field` is null where the product has no account field, such as PINs',
  },
)

export const Fulfillment = Type.Object(
  {
    account: AccountMapping,
    amount: { ...Mapping, description: 'Source of the amount' },
    extras: Type.Optional(Type.Record(Type.String(), Mapping, { description: 'By key of extras' })),
  },
  { title: 'Fulfillment', description: 'How the filled form becomes a payment request' },
)
export type FulfillmentWire = Static<typeof Fulfillment>

// ── Prices ──

export const Discount = Type.Object(
  {
    type: Type.Union([Type.Literal('percentage'), Type.Literal('fixed')], {
      description: 'percentage: of the face value. fixed: a sum.',
    }),
    value: Type.String({ description: 'For people, such as 1.5% or MYR 0.50' }),
  },
  { title: 'Discount' },
)
export type DiscountWire = Static<typeof Discount>

const PriceAdjustment = Type.Object(
  {
    type: Type.Union([Type.Literal('fixed'), Type.Literal('percentage')], {
      description: 'How the value changes the price',
    }),
    value: Type.Number({
      description: 'fixed: added to the price. percentage: the price is multiplied by it.',
    }),
    currency: Type.Optional(Type.String({ description: 'Currency of a fixed adjustment' })),
  },
  { title: 'Price adjustment' },
)
export type PriceAdjustmentWire = Static<typeof PriceAdjustment>

const Pricing = Type.Object(
  {
    unit_price: Type.String({
      description: 'percentage: cost = face value × this. fixed: negative, cost = face value − |this|.',
    }),
    currency: Type.String(),
    discount: { ...Discount, description: 'Discount on the face value' },
    price_adjustment: Type.Union([PriceAdjustment, Type.Null()]),
    has_loss_risk: Type.Boolean({ description: 'Some denomination can be sold below cost' }),
  },
  { title: 'Pricing', description: 'Wholesale cost: for your backend, not for end users' },
)
export type PricingWire = Static<typeof Pricing>

// ── The catalogue ──

export const CatalogProduct = Type.Object(
  {
    code: Type.String(),
    name: Type.String(),
    note: TextOrNull('Description'),
    image_url: Type.String(),
    processing_time: ProcessingTime,
    is_active: Type.Boolean({ description: 'After your own customisation' }),
    denomination: TextOrNull('Raw denominations'),
    denomination_currency: TextOrNull('Unit of a denomination: a currency or a virtual unit'),
    denomination_unit_price: Type.Number({
      description: 'MYR per denomination unit: face value = denomination × this',
    }),
    fields: Type.Array(FormField),
    fulfillment: Fulfillment,
    pricing: Pricing,
    min_amount: MoneyOrNull('Replaces the minimum of the pricing field'),
    max_amount: MoneyOrNull('Replaces the maximum of the pricing field'),
    is_refundable: Type.Boolean({ description: 'A void can be asked for once it was paid' }),
  },
  { title: 'Product' },
)
export type CatalogProductWire = Static<typeof CatalogProduct>

const CatalogTree = Type.Object(
  {
    groups: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        icon_url: Type.String(),
        categories: Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            product_codes: Type.Array(Type.String()),
          }),
        ),
      }),
    ),
  },
  { title: 'Catalog tree', description: 'In the order to be shown; nothing in it is empty' },
)

export const CatalogResponse = Type.Object(
  {
    last_updated: Type.String({
      description: 'ISO 8601, UTC. Does not move with options and wholesale prices.',
    }),
    tree: CatalogTree,
    products: Type.Record(Type.String(), CatalogProduct, { description: 'By product code' }),
  },
  { title: 'Catalog' },
)
export type CatalogWire = Static<typeof CatalogResponse>

// ── Options ──

export const OptionItem = Type.Object(
  {
    code: Type.String({ description: 'Stable; fulfillment sends it' }),
    label: Type.String({ description: 'Mobile data plans: without the validity' }),
    denomination: Type.Optional(
      Type.Number({ description: 'Options of pricing fields: the amount of the payment' }),
    ),
    validity: Type.Optional(Type.String({ description: 'Data plans, eSIM included' })),
    features: Type.Optional(Type.Array(Type.String(), { description: 'Data plans, eSIM included' })),
    description: Type.Optional(Type.String()),
    price: Type.Optional({ ...Money, description: 'Price for your customer, after your adjustment' }),
    cost: Type.Optional({ ...Money, description: 'Your cost' }),
    rrp: Type.Optional({ ...Money, description: 'Recommended retail price' }),
    has_loss_risk: Type.Optional(Type.Boolean({ description: 'The price is below the cost' })),
    account_number: Type.Optional(Type.String({ description: 'Student loans: the account to pay' })),
    min_amount: Type.Optional({ ...Money, description: 'Billers: the smallest bill payment' }),
    max_amount: Type.Optional({ ...Money, description: 'Billers: the largest bill payment' }),
    ref2_required: Type.Optional(
      Type.Literal(true, { description: 'Billers: a payment needs the second reference, extras.ref2' }),
    ),
  },
  { title: 'Option' },
)
export type OptionItemWire = Static<typeof OptionItem>

const OptionsMeta = Type.Object({
  current_page: Type.Integer(),
  last_page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
})

export const OptionsResponse = Type.Object(
  {
    product_code: Type.String(),
    field_id: Type.String(),
    items: Type.Array(OptionItem),
    meta: OptionsMeta,
  },
  { title: 'Option page' },
)
export type OptionsWire = Static<typeof OptionsResponse>

/** Option with the words of a form that is drawn for people. */
const FormOption = Type.Object(
  {
    ...OptionItem.properties,
    ref1_label: Type.Optional(
      Type.String({ description: 'Billers: what the account number is, such as Bill number' }),
    ),
    ref2_label: Type.Optional(Type.String({ description: 'Billers: what the second reference is' })),
  },
  { title: 'Form option' },
)
export type FormOptionWire = Static<typeof FormOption>

export const FormOptionsResponse = Type.Object(
  { ...OptionsResponse.properties, items: Type.Array(FormOption) },
  { title: 'Form option page' },
)
