import { dropRoute, writeRoute } from '../../../modules/margins/routes.acts.ts'
import { routeRow } from '../../../modules/providers/connections/operators.service.ts'
import { listRoutes } from '../../../modules/providers/connections/routing.service.ts'
import type { Runtime } from '../../../runtime.ts'
import type { Command, Option } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { consentOf, noteFindings, PRICE_OPTIONS } from '../../consent.ts'
import { actCommand } from '../../kit/acts.ts'
import { formatFields, formatTable } from '../../text.ts'

const ROUTE_OPTIONS: Readonly<Record<string, Option>> = {
  product: {
    value: 'CODE',
    help: 'or * for every product without routes of its own',
    required: true,
    names: 'routed product',
  },
  provider: { value: 'CODE', help: 'who fulfils it', required: true, names: 'provider' },
}

/** Settings that the acts on prices and routes need at the machine. */
export function supplyWorld({ config }: Runtime) {
  return { maxPercent: config.priceChangeMaxPercent }
}

export const routeCommands: readonly Command[] = [
  actCommand({
    name: 'route set',
    summary: 'let a provider fulfil a product, or change its route',
    details: `Routes of the smallest priority come first; the others wait until none of those can take an order.
Within one priority a provider is drawn by weight, or the cheapest takes the order with --by-cost.
A product that has routes uses these alone. Options that are left out get their defaults.
Where a price is below the cost, or the cost moves by more than WARUNG_PRICE_CHANGE_MAX_PERCENT, it is shown with what it
would have cost on the sales of the last 30 days, and saved only with --accept-loss and that figure.`,
    act: writeRoute,
    without: ['acceptLoss', 'enabled'],
    options: {
      ...ROUTE_OPTIONS,
      'by-cost': { help: 'within its priority the cheapest takes the order, instead of weights' },
      disabled: { help: 'keep the route without using it' },
      ...PRICE_OPTIONS,
    },
    input(call) {
      const isByCost = call.has('by-cost')
      if (isByCost && call.has('weight')) throw new UsageError('give --weight or --by-cost, not both')
      return { enabled: !call.has('disabled'), ...(isByCost && { weight: null }) }
    },
    consent: consentOf,
    world: supplyWorld,
    show({ route, comparison }, call) {
      noteFindings(call, comparison)
      const view = routeRow(route)
      return { json: view, text: formatFields({ ...view, windows: view.windows.join('; ') }) }
    },
  }),
  {
    name: 'route list',
    summary: 'list the routes of a product, of a provider, or all',
    options: {
      product: { value: 'CODE', help: 'only this product, or *', names: 'routed product' },
      provider: { value: 'CODE', help: 'only to this provider', names: 'provider' },
    },
    async run(call) {
      const { database } = await call.runtime()
      const filter = { productCode: call.find('product'), provider: call.find('provider') }
      const routes = (await listRoutes(database, filter)).map(routeRow)
      const rows = routes.map((route) => ({ ...route, windows: route.windows.join('; ') }))
      return { json: { routes }, text: formatTable(rows, 'There is no route.') }
    },
  },
  actCommand({
    name: 'route remove',
    summary: 'remove a route',
    details: `If the remaining routes charge more than a price, or no cost of the product is known any more, this is
shown, and the route is removed only with --accept-loss and the figure.`,
    act: dropRoute,
    options: { ...ROUTE_OPTIONS, ...PRICE_OPTIONS },
    consent: consentOf,
    world: supplyWorld,
    show({ route: { productCode: product, provider }, comparison }, call) {
      noteFindings(call, comparison)
      return { json: { product, provider }, text: `The route of ${product} to ${provider} is removed.` }
    },
  }),
]
