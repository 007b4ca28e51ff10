import { formatMoney } from '../../../lib/money.ts'
import { priceRow } from '../../catalog/operators.service.ts'
import type { LevelMargin, MarginLine, ProductMargin } from '../../margins/matrix.rules.ts'
import { isLoss, marginRate } from '../../margins/matrix.rules.ts'
import { routeRow } from '../../providers/connections/operators.service.ts'
import { ANY_PRODUCT } from '../../providers/connections/routing.types.ts'

export function productMarginView({ product, routes, levels, ...found }: ProductMargin) {
  return {
    product: product.code,
    name: product.name,
    is_active: product.isActive,
    negative: found.isNegative,
    sold_below_cost: found.isBelowCost,
    routes: routes.map((route) => ({
      provider: route.provider,
      is_for_any_product: route.productCode === ANY_PRODUCT,
      priority: route.priority,
      takes_orders: route.takesOrders,
      cost: routeRow(route).cost,
    })),
    levels: levels.map(levelMarginView),
  }
}

function levelMarginView({ level, price, routes }: LevelMargin) {
  return {
    level,
    price: priceRow(price),
    routes: routes.map((route) => ({
      provider: route.provider,
      takes_orders: route.takesOrders,
      negative: isLoss(route),
      lowest: route.lowest === null ? null : lineView(route.lowest),
      highest: route.highest === null ? null : lineView(route.highest),
    })),
  }
}

function lineView(line: MarginLine) {
  return {
    sample: line.sample,
    face_value: formatMoney(line.faceValue),
    price: formatMoney(line.price),
    cost: formatMoney(line.cost),
    margin: formatMoney(line.margin),
    margin_rate: marginRate(line),
  }
}
