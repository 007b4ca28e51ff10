import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { enumOf } from '../../../http/schemas.ts'
import { Discount, FormField, Fulfillment, Money, ProcessingTime } from '../serve/schemas.ts'

/** Schemas of the `data` of catalogue events: the complete effective state, where null means "no value". */

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const ProductEventData = Type.Object(
  {
    product_code: Type.String(),
    product_category_code: Type.String(),
    name: Type.String({ description: "The service's name for it" }),
    display_name: Type.String({ description: 'Your name for it, else the same' }),
    note: orNull(Type.String(), 'Description'),
    image_url: Type.String(),
    processing_time: ProcessingTime,
    display_order: Type.Number(),
    fields: Type.Array(FormField),
    fulfillment: Type.Union([Fulfillment, Type.Null()]),
    is_active: Type.Boolean(),
    is_hidden: Type.Boolean({ description: 'Not listed; it may still be active' }),
    options_source_type: orNull(
      Type.Union([Type.Literal('reference'), Type.Literal('dynamic')]),
      'Source of the options of its select fields; null when it has none',
    ),
    denomination_currency: orNull(Type.String(), 'Unit of a denomination'),
    denomination_unit_price: Type.Number(),
    price_adjustment_type: orNull(
      Type.Union([Type.Literal('fixed'), Type.Literal('percentage')]),
      'Belongs to your price adjustment',
    ),
    price_adjustment_value: orNull(Type.Number(), 'Belongs to your price adjustment'),
    reseller_code: Type.String({ description: 'Your account' }),
    unit_price: orNull(
      Type.String(),
      'The last one of a product you can no longer buy; null when it never had one for you',
    ),
    currency: orNull(Type.String(), 'As unit_price'),
    discount: orNull(Discount, 'As unit_price'),
    min_amount: orNull(Money, 'Replaces the minimum of the pricing field'),
    max_amount: orNull(Money, 'Replaces the maximum of the pricing field'),
    is_refundable: Type.Boolean({ description: 'A void can be asked for once it was paid' }),
  },
  { title: 'Product event data' },
)
export type ProductEventWire = Static<typeof ProductEventData>

export const OptionEventData = Type.Object(
  {
    product_code: Type.String(),
    field_id: Type.String(),
    code: Type.String(),
    label: Type.String(),
    description: orNull(Type.String(), 'Description'),
    display_order: Type.Number(),
    is_active: Type.Boolean(),
    denomination: orNull(Type.Number(), 'null unless the field prices'),
    price: orNull(Money, 'null unless the field prices'),
    cost: orNull(Money, 'null unless the field prices'),
    rrp: orNull(Money, 'null unless the field prices'),
    min_amount: orNull(Money, "Always null: a biller's limits come from the options operation"),
    max_amount: orNull(Money, "Always null: a biller's limits come from the options operation"),
  },
  { title: 'Option event data' },
)
export type OptionEventWire = Static<typeof OptionEventData>

export const CategoryEventData = Type.Object(
  {
    product_category_code: Type.String(),
    product_group_code: Type.String(),
    name: Type.String(),
    icon_url: Type.String(),
    display_order: Type.Number(),
    is_active: Type.Boolean(),
  },
  { title: 'Category event data' },
)
export type CategoryEventWire = Static<typeof CategoryEventData>

export const GroupEventData = Type.Object(
  {
    product_group_code: Type.String(),
    name: Type.String(),
    icon_url: Type.String(),
    display_order: Type.Number(),
    is_active: Type.Boolean(),
  },
  { title: 'Group event data' },
)
export type GroupEventWire = Static<typeof GroupEventData>

/**
 * Schema of the catalogue webhook's body and of the feed's events; `data` is null when the resource no longer
 * exists.
 */
export function catalogEnvelope(title: string, types: readonly string[], resource: string, data: TSchema) {
  return Type.Object(
    {
      type: enumOf(types),
      resource: Type.Literal(resource),
      id: Type.String({ description: 'Options: PRODUCT_CODE:FIELD_ID:OPTION_CODE' }),
      timestamp: Type.String({ format: 'date-time', description: 'ISO 8601, UTC' }),
      data: Type.Union([data, Type.Null()], { description: 'null: it is no more' }),
    },
    { title },
  )
}
