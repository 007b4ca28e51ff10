import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { formatMoney } from '../../../lib/money.ts'
import { priceRow } from '../../catalog/operators.service.ts'
import type { LevelMargin, MarginLine, ProductMargin } from '../../margins/matrix.rules.ts'
import { isLoss, marginRate } from '../../margins/matrix.rules.ts'
import type { RealisedMargin } from '../../margins/realised/rules.ts'
import { driftPercent } from '../../margins/realised/rules.ts'
import { routeRow } from '../../providers/connections/operators.service.ts'
import { ANY_PRODUCT } from '../../providers/connections/routing.types.ts'
import { listOf, PAGE_PARAMETERS } from '../kit/schemas.ts'
import { MARGIN_LIST_RULES, REALISED_DAYS_MAX, REALISED_LIST_RULES } from './margins.service.ts'

const ringgit = (description: string) => Type.String({ description: `${description}, in ringgit` })

const LINE = resource<MarginLine>()('Margin line', {
  sample: [
    Type.String({ description: 'The option’s code, or the amount where any amount is sold' }),
    ({ sample }) => sample,
  ],
  face_value: [ringgit('Face value'), ({ faceValue }) => formatMoney(faceValue)],
  price: [ringgit('Price for a reseller of this level'), ({ price }) => formatMoney(price)],
  cost: [ringgit('Price of this provider'), ({ cost }) => formatMoney(cost)],
  margin: [ringgit('price minus cost'), ({ margin }) => formatMoney(margin)],
  margin_rate: [orNull(Type.Number(), 'Part of the face value: 0.015 is 1.5 %'), (line) => marginRate(line)],
})

const ROUTE = resource<ProductMargin['routes'][number]>()(undefined, {
  provider: [Type.String(), ({ provider }) => provider],
  is_for_any_product: [
    Type.Boolean({ description: 'The route of *: the product has none of its own' }),
    ({ productCode }) => productCode === ANY_PRODUCT,
  ],
  priority: [Type.Integer(), ({ priority }) => priority],
  takes_orders: [
    Type.Boolean({ description: 'Route and provider are enabled' }),
    ({ takesOrders }) => takesOrders,
  ],
  cost: [
    orNull(Type.String(), 'As it was set: 97.00% of the face value, or ringgit; null: not known'),
    (route) => routeRow(route).cost,
  ],
})

const LEVEL_ROUTE = resource<LevelMargin['routes'][number]>()(undefined, {
  provider: [Type.String(), ({ provider }) => provider],
  takes_orders: [Type.Boolean(), ({ takesOrders }) => takesOrders],
  negative: [Type.Boolean({ description: 'The lowest margin is below zero' }), (route) => isLoss(route)],
  lowest: [
    orNull(LINE.schema, 'null: the cost is not known, or nothing is on sale'),
    ({ lowest }) => lowest && LINE.encode(lowest),
  ],
  highest: [orNull(LINE.schema), ({ highest }) => highest && LINE.encode(highest)],
})

const LEVEL = resource<LevelMargin>()(undefined, {
  level: [Type.String(), ({ level }) => level],
  price: [
    Type.Object({
      discount_type: enumOf(['percentage', 'fixed']),
      value: Type.String({ description: 'The factor on the face value, or the ringgit taken off it' }),
      currency: Type.String(),
    }),
    ({ price }) => priceRow(price),
  ],
  routes: [
    Type.Array(LEVEL_ROUTE.schema, { description: 'In the same order as the product’s routes' }),
    ({ routes }) => routes.map((route) => LEVEL_ROUTE.encode(route)),
  ],
})

/** Margins of a product, by price level and route. */
export const PRODUCT_MARGIN = resource<ProductMargin>()('Product margin', {
  product: [Type.String(), ({ product }) => product.code],
  name: [Type.String(), ({ product }) => product.name],
  is_active: [Type.Boolean({ description: 'On sale' }), ({ product }) => product.isActive],
  negative: [
    Type.Boolean({ description: 'Some level pays less than some route that takes orders charges' }),
    ({ isNegative }) => isNegative,
  ],
  sold_below_cost: [
    Type.Boolean({ description: 'Some level pays less than the cheapest of them charges' }),
    ({ isBelowCost }) => isBelowCost,
  ],
  routes: [
    Type.Array(ROUTE.schema, { description: 'In the order in which they are chosen' }),
    ({ routes }) => routes.map((route) => ROUTE.encode(route)),
  ],
  levels: [
    Type.Array(LEVEL.schema, { description: 'Levels that sell it; empty: none does' }),
    ({ levels }) => levels.map((level) => LEVEL.encode(level)),
  ],
})

export const MarginListParameters = Type.Object({
  search: parameter(MARGIN_LIST_RULES.search, 'In the code or the name of the product'),
  negative: parameter(MARGIN_LIST_RULES.negative, 'true: products with a negative margin alone'),
  is_active: parameter(MARGIN_LIST_RULES.isActive, 'Products that are on sale, or off'),
  ...PAGE_PARAMETERS,
})
export const MarginListResponse = listOf(PRODUCT_MARGIN.schema)

const orNone = (amount: bigint | null) => (amount === null ? null : formatMoney(amount))

/** Money that a supplier took for a product, for the API and the command. */
export const REALISED_MARGIN = resource<RealisedMargin>()('Realised margin', {
  product: [Type.String(), ({ productCode }) => productCode],
  provider: [Type.String(), ({ provider }) => provider],
  payments: [Type.Integer(), ({ payments }) => Number(payments)],
  face_value: [ringgit('Face value'), ({ faceValue }) => formatMoney(faceValue)],
  charged: [ringgit('Sum that the resellers paid'), ({ charged }) => formatMoney(charged)],
  currency: [Type.String({ description: 'Currency of `cost`, by ISO 4217' }), ({ currency }) => currency],
  cost: [
    Type.String({ description: 'Money that the supplier took, in its currency' }),
    ({ cost }) => formatMoney(cost),
  ],
  cost_ringgit: [
    orNull(Type.String(), 'The same in ringgit; null: the currency had no rate'),
    ({ ringgit }) => orNone(ringgit),
  ],
  margin: [orNull(Type.String(), 'charged minus it, in ringgit'), ({ margin }) => orNone(margin)],
  listed_cost: [
    orNull(Type.String(), 'By the present cost of its route, in ringgit; null: not known'),
    ({ listedCost }) => orNone(listedCost),
  ],
  listed_margin: [orNull(Type.String(), 'charged minus that'), ({ listedMargin }) => orNone(listedMargin)],
  drift_percent: [
    orNull(Type.Number(), 'How much more it took than listed, in percent; below zero: less'),
    (realised) => driftPercent(realised),
  ],
})

export const RealisedListParameters = Type.Object({
  days: parameter(
    REALISED_LIST_RULES.days,
    `A day yyyy-MM-dd (GMT+8) or a range yyyy-MM-dd - yyyy-MM-dd of at most ${REALISED_DAYS_MAX} days; the last 7 when left out`,
  ),
  ...PAGE_PARAMETERS,
})
