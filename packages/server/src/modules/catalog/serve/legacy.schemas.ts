import type { Static } from 'typebox'
import { Type } from 'typebox'

const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const NO_LIMIT = 'Decimal with 2 to 4 places; -1: no limit'

// ── Billers ──

const ALWAYS_NULL = Type.Null({ description: 'Always null' })

export const Biller = Type.Object(
  {
    biller_code: Type.String(),
    display_name: Type.String(),
    denomination: ALWAYS_NULL,
    face_value: ALWAYS_NULL,
    validity: ALWAYS_NULL,
    account_number: ALWAYS_NULL,
    description: TextOrNull('Description'),
    additional_description: Type.Array(Type.String()),
    min: Type.String({ description: NO_LIMIT }),
    max: Type.String({ description: NO_LIMIT }),
    suggested_category: TextOrNull('Advisory: may be wrong, is not official'),
  },
  { title: 'Biller' },
)
export type BillerWire = Static<typeof Biller>

const UrlOrNull = TextOrNull('URL; null when there is none')

export const BillersResponse = Type.Object(
  {
    message: Type.String(),
    data: Type.Array(Biller),
    links: Type.Object({ first: UrlOrNull, last: UrlOrNull, prev: UrlOrNull, next: UrlOrNull }),
    meta: Type.Object({
      current_page: Type.Integer(),
      from: Type.Union([Type.Integer(), Type.Null()]),
      last_page: Type.Integer(),
      path: Type.String(),
      per_page: Type.Integer(),
      to: Type.Union([Type.Integer(), Type.Null()]),
      total: Type.Integer(),
    }),
  },
  { title: 'Biller page' },
)

// ── The deprecated product list and sub-products ──

export const ProductListItem = Type.Object(
  {
    status: Type.Union([Type.Literal('Active'), Type.Literal('Inactive')]),
    has_subproduct: Type.Boolean(),
    product_code: Type.String(),
    product_name: Type.String(),
    product_remarks: Type.String(),
    account_label: TextOrNull('null when there is nothing to enter'),
    keyboard_type: Type.String(),
    denomination: Type.String(),
    common_denominations: Type.String(),
    denomination_data_type: Type.Union([Type.Literal('Integer'), Type.Literal('Decimal')]),
    denomination_currency: Type.String(),
    denomination_unit_price: Type.Number(),
    product_group: Type.String({ description: 'Name of the group' }),
    category: Type.String({ description: 'Name of the category' }),
    image_url: Type.String(),
    account_type: Type.Union([
      Type.Literal('account_number'),
      Type.Literal('phone_number'),
      Type.Literal('both'),
      Type.Literal('not_required'),
    ]),
    is_refundable: Type.Boolean({ description: 'A void can be asked for' }),
  },
  { title: 'Product list item' },
)
export type ProductListItemWire = Static<typeof ProductListItem>

export const ProductListResponse = Type.Object(
  { data: Type.Array(ProductListItem) },
  { title: 'Product list' },
)

export const SubProduct = Type.Object(
  {
    subproduct_code: Type.String({ description: 'Value for extras.subproduct_code of a payment' }),
    display_name: Type.String(),
    denomination: TextOrNull('The plan price: the amount of a payment'),
    face_value: TextOrNull('Its worth in MYR'),
    validity: TextOrNull('Mobile data plans'),
    description: TextOrNull('Description'),
    account_number: TextOrNull('Student loans: the account to pay'),
    additional_description: Type.Union([Type.Array(Type.String()), Type.Null()]),
    min: TextOrNull(NO_LIMIT),
    max: TextOrNull(NO_LIMIT),
  },
  { title: 'Sub-product' },
)
export type SubProductWire = Static<typeof SubProduct>

export const SubProductsResponse = Type.Object(
  { message: Type.String(), data: Type.Array(SubProduct) },
  { title: 'Sub-products' },
)
