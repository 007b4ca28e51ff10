import { Type } from 'typebox'
import { documentedAs } from '../../http/parameters.ts'
import { CodedErrors, enumOf, orNull } from '../../http/schemas.ts'
import { MONEY } from '../../lib/money.ts'
import { ORDER_CODE } from '../orders/core/fields.rules.ts'
import { LINES_MAX, QUANTITY } from '../orders/core/items.rules.ts'
import { LINE_STATUSES } from '../orders/core/states.rules.ts'
import { LANGUAGES, OPEN_FIELDS, ORDER_STATES } from '../orders/core/types.ts'
import { FONTS } from '../orders/settings/types.ts'
import { CUSTOMER_ACCOUNT, EXTRA, PRODUCT } from '../payments/core/fields.rules.ts'

const Instant = Type.String({ format: 'date-time' })
const Amount = (description: string) => Type.String({ description, examples: ['10.60'] })
export const OrderParams = Type.Object({ order_id: documentedAs(ORDER_CODE, Type.String()) })

// ── Answers ──

const Item = Type.Object(
  {
    line: Type.Integer({ description: 'Place in the basket, from 1' }),
    product_code: Type.String(),
    product_name: Type.String(),
    image_url: orNull(Type.String()),
    account: orNull(Type.String(), 'null: not typed yet'),
    amount: Amount("In the product's own unit"),
    quantity: Type.Integer(),
    unit_price: Amount('Price of one, locked for the life of the order'),
    price: Amount('unit_price × quantity'),
    is_fixed: Type.Boolean({ description: 'The shop chose it: only missing values can be set' }),
    missing: Type.Array(enumOf(OPEN_FIELDS), {
      description: 'Values to be typed before it can be submitted',
    }),
    status: enumOf(LINE_STATUSES, 'pending until the order is confirmed'),
  },
  { title: 'Checkout item' },
)

const Theme = Type.Object(
  {
    accent: Type.String({ description: 'Colour as #rgb or #rrggbb, as the other colours' }),
    background: Type.String(),
    surface: Type.String(),
    text: Type.String(),
    radius: Type.String({ description: 'From 0px to 24px' }),
    font: enumOf(FONTS),
  },
  { title: 'Checkout theme', description: 'Values of CSS properties, never CSS text' },
)

const CheckoutOrder = Type.Object(
  {
    order_id: Type.String(),
    status: enumOf(ORDER_STATES),
    merchant: Type.Object({ name: Type.String() }),
    theme: Theme,
    language: enumOf(LANGUAGES),
    currency: Type.Literal('MYR'),
    is_fixed: Type.Boolean({ description: 'The shop chose the basket' }),
    show_results: Type.Boolean({ description: 'Whether `results` shows PINs, links and serial numbers' }),
    items: Type.Array(Item),
    total_amount: Amount('Sum of the prices'),
    refund_amount: Amount('Prices of units that failed'),
    expires_at: Instant,
    server_time: Instant,
    version: Type.Integer({ description: 'Raised by every change of the basket' }),
    continue_url: orNull(
      Type.String(),
      "The shop's own address, with order_id and status; null while a draft",
    ),
  },
  { title: 'Checkout order' },
)

export const OrderResponse = Type.Object({ data: CheckoutOrder })

/** Conflict of a submission; the earlier payments are told by their age alone. */
export const SubmitConflict = Type.Object(
  {
    ...CodedErrors.properties,
    repeats: Type.Optional(
      Type.Array(
        Type.Object({
          line: Type.Integer(),
          seconds: Type.Integer({ description: 'Time since the earlier payment' }),
        }),
        {
          description: 'Lines that repeat an earlier payment, and how many seconds ago it was taken',
        },
      ),
    ),
  },
  { title: 'Submit conflict', description: 'In conflict with what is there' },
)

export const QuoteResponse = Type.Object({
  data: Type.Object(
    {
      unit_price: Amount('Price of one now; it is locked when the item enters the basket'),
      price: Amount('unit_price × quantity'),
      currency: Type.Literal('MYR'),
    },
    { title: 'Quote' },
  ),
})

const Result = Type.Object(
  {
    line: Type.Integer(),
    number: Type.Integer({ description: 'From 1 to the quantity of the line' }),
    sn: Type.String({ description: 'Serial number' }),
    pin: Type.String(),
    expiry: Type.String(),
    voucherlink: Type.String(),
    redemption: orNull(
      Type.String(),
      'How it is used, in the language of `Accept-Language` where the catalogue has it',
    ),
  },
  { title: 'Checkout result' },
)

export const ResultsResponse = Type.Object({ data: Type.Array(Result) })

// ── Requests ──

const ExtraValue = Type.Optional(Type.Union([documentedAs(EXTRA, Type.String()), Type.Null()]))

const Extras = Type.Object(
  {
    subproduct_code: ExtraValue,
    biller_code: ExtraValue,
    ref2: ExtraValue,
    ic_number: ExtraValue,
  },
  { title: 'Checkout extras' },
)

const wanted = {
  account: Type.Optional(Type.Union([documentedAs(CUSTOMER_ACCOUNT, Type.String()), Type.Null()])),
  extras: Type.Optional(Type.Union([Extras, Type.Null()])),
  quantity: Type.Optional(documentedAs(QUANTITY, Type.Integer({ description: '1 when left out' }))),
}

const ProductCode = documentedAs(PRODUCT, Type.String())
const WantedAmount = documentedAs(MONEY, Type.String({ description: "In the product's own unit" }))

export const QuoteBody = Type.Object({ product_code: ProductCode, amount: WantedAmount, ...wanted })

const BasketItem = Type.Object(
  {
    line: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LINES_MAX,
        description: 'Line of the basket that it is; members that are left out stay as they are',
      }),
    ),
    product_code: Type.Optional(ProductCode),
    amount: Type.Optional(WantedAmount),
    ...wanted,
  },
  { title: 'Basket item' },
)

const Version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Version of the basket that the customer sees',
})

export const ItemsBody = Type.Object({
  version: Version,
  items: Type.Array(BasketItem, { maxItems: LINES_MAX }),
})

export const SubmitBody = Type.Object({
  version: Version,
  allow_duplicate: Type.Optional(
    Type.Boolean({ description: 'The customer wants it although it repeats an earlier payment' }),
  ),
})
