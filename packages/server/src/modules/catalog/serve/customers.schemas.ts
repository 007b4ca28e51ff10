import type { Static } from 'typebox'
import { Type } from 'typebox'
import { CatalogProduct, CatalogResponse, FormOptionsResponse } from './schemas.ts'

// Catalogue and options as a reseller's customers see them: the same definitions without any wholesale figure. The
// members are listed one by one, so that a new member of the resellers' form is not shown to customers by itself.

const {
  code,
  name,
  note,
  image_url,
  processing_time,
  denomination_currency,
  fields,
  fulfillment,
  min_amount,
  max_amount,
} = CatalogProduct.properties

const CustomerProduct = Type.Object(
  {
    code,
    name,
    note,
    image_url,
    processing_time,
    denomination_currency,
    fields,
    fulfillment,
    min_amount,
    max_amount,
  },
  { title: 'Customer product' },
)
export type CustomerProductWire = Static<typeof CustomerProduct>

const { last_updated, tree } = CatalogResponse.properties

export const CustomerCatalog = Type.Object(
  {
    last_updated,
    tree,
    products: Type.Record(Type.String(), CustomerProduct, { description: 'By product code' }),
    interrupted: Type.Array(Type.String(), {
      description: 'Codes of the products whose payments may wait or fail at present',
    }),
  },
  { title: 'Customer catalog' },
)
export type CustomerCatalogWire = Static<typeof CustomerCatalog>

const option = FormOptionsResponse.properties.items.items.properties

const CustomerOption = Type.Object(
  {
    code: option.code,
    label: option.label,
    denomination: option.denomination,
    validity: option.validity,
    features: option.features,
    description: option.description,
    price: option.price,
    account_number: option.account_number,
    min_amount: option.min_amount,
    max_amount: option.max_amount,
    ref2_required: option.ref2_required,
    ref1_label: option.ref1_label,
    ref2_label: option.ref2_label,
  },
  { title: 'Customer option' },
)
export type CustomerOptionWire = Static<typeof CustomerOption>

const { product_code, field_id, meta } = FormOptionsResponse.properties

export const CustomerOptions = Type.Object(
  { product_code, field_id, items: Type.Array(CustomerOption), meta },
  { title: 'Customer option page' },
)
export type CustomerOptionsWire = Static<typeof CustomerOptions>
