import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'
import { MARGIN_LIST_RULES } from './margins.service.ts'

const ringgit = (description: string) => Type.String({ description: `${description}, in ringgit` })

const Line = Type.Object(
  {
    sample: Type.String({ description: 'The option’s code, or the amount where any amount is sold' }),
    face_value: ringgit('Face value'),
    price: ringgit('Price for a reseller of this level'),
    cost: ringgit('Price of this provider'),
    margin: ringgit('price minus cost'),
    margin_rate: orNull(Type.Number(), 'Part of the face value: 0.015 is 1.5 %'),
  },
  { title: 'Margin line' },
)

const ProductMargin = Type.Object(
  {
    product: Type.String(),
    name: Type.String(),
    is_active: Type.Boolean({ description: 'On sale' }),
    negative: Type.Boolean({ description: 'Some level pays less than some route that takes orders charges' }),
    sold_below_cost: Type.Boolean({ description: 'Some level pays less than the cheapest of them charges' }),
    routes: Type.Array(
      Type.Object({
        provider: Type.String(),
        is_for_any_product: Type.Boolean({ description: 'The route of *: the product has none of its own' }),
        priority: Type.Integer(),
        takes_orders: Type.Boolean({ description: 'Route and provider are enabled' }),
        cost: orNull(Type.String(), 'As it was set: 97.00% of the face value, or ringgit; null: not known'),
      }),
      { description: 'In the order in which they are chosen' },
    ),
    levels: Type.Array(
      Type.Object({
        level: Type.String(),
        price: Type.Object({
          discount_type: enumOf(['percentage', 'fixed']),
          value: Type.String({ description: 'The factor on the face value, or the ringgit taken off it' }),
          currency: Type.String(),
        }),
        routes: Type.Array(
          Type.Object({
            provider: Type.String(),
            takes_orders: Type.Boolean(),
            negative: Type.Boolean({ description: 'The lowest margin is below zero' }),
            lowest: orNull(Line, 'null: the cost is not known, or nothing is on sale'),
            highest: orNull(Line),
          }),
          { description: 'In the same order as the product’s routes' },
        ),
      }),
      { description: 'Levels that sell it; empty: none does' },
    ),
  },
  { title: 'Product margin' },
)

export const MarginListParameters = Type.Object({
  search: parameter(MARGIN_LIST_RULES.search, 'In the code or the name of the product'),
  negative: parameter(MARGIN_LIST_RULES.negative, 'true: products with a negative margin alone'),
  is_active: parameter(MARGIN_LIST_RULES.isActive, 'Products that are on sale, or off'),
  ...PAGE_PARAMETERS,
})
export const MarginListResponse = listOf(ProductMargin)
