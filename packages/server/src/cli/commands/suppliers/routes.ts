import { writeRemoval, writeRoute } from '../../../modules/operator/catalog/route-changes.service.ts'
import { routeRow } from '../../../modules/providers/connections/operators.service.ts'
import { listRoutes } from '../../../modules/providers/connections/routing.service.ts'
import type { Call, Command, Option } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { consentOf, noteFindings, PRICE_OPTIONS } from '../../consent.ts'
import { wholeNumber } from '../../options.ts'
import { recorded } from '../../record.ts'
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

const USUAL_WEIGHT = 100

export const routeCommands: readonly Command[] = [
  {
    name: 'route set',
    summary: 'let a provider fulfil a product, or change its route',
    details: `Routes of the smallest priority come first; the others wait until none of those can take an order.
Within one priority a provider is drawn by weight, or the cheapest takes the order with --by-cost.
A product that has routes uses these alone. Options that are left out get their defaults.
Where a price is below the cost, or the cost moves by more than WARUNG_PRICE_CHANGE_MAX_PERCENT, it is shown with what it
would have cost on the sales of the last 30 days, and saved only with --accept-loss and that figure.`,
    options: {
      ...ROUTE_OPTIONS,
      priority: { value: 'NUMBER', help: '1 to 1000 (default 1); the smallest is first' },
      weight: { value: 'NUMBER', help: `0 to 1000 (default ${USUAL_WEIGHT}): its share within its priority` },
      'by-cost': { help: 'within its priority the cheapest takes the order, instead of weights' },
      cost: {
        value: 'COST',
        help: "the provider's charge: 97.5% of the face value, or an amount per order",
      },
      window: {
        value: 'WINDOW',
        help: 'when it is open, by GMT+8: 08:00-22:30, or mon-fri,sun 22:00-02:00; always where none is given',
        multiple: true,
      },
      disabled: { help: 'keep the route without using it' },
      ...PRICE_OPTIONS,
    },
    async run(call) {
      const input = readInput(call)
      const { config } = await call.runtime()
      const gate = { maxPercent: config.priceChangeMaxPercent, consent: consentOf(call) }
      const { route, comparison } = await recorded(call, { action: 'route.set' }, (tx, database) =>
        writeRoute(tx, database, input.place, input.settings, gate),
      )
      noteFindings(call, comparison)
      const view = routeRow(route)
      return { json: view, text: formatFields({ ...view, windows: view.windows.join('; ') }) }
    },
  },
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
  {
    name: 'route remove',
    summary: 'remove a route',
    details: `If the remaining routes charge more than a price, or no cost of the product is known any more, this is
shown, and the route is removed only with --accept-loss and the figure.`,
    options: {
      ...ROUTE_OPTIONS,
      'to-any': { help: "when it is the product's last, the product may be sold through * from now on" },
      ...PRICE_OPTIONS,
    },
    async run(call) {
      const [product, provider] = [call.text('product'), call.text('provider')]
      const { config } = await call.runtime()
      const gate = { maxPercent: config.priceChangeMaxPercent, consent: consentOf(call) }
      const toAny = { isToAny: call.has('to-any'), toAnyText: '--to-any' }
      const { comparison } = await recorded(call, { action: 'route.remove' }, (tx, database) =>
        writeRemoval(tx, database, { product, provider }, toAny, gate),
      )
      noteFindings(call, comparison)
      return { json: { product, provider }, text: `The route of ${product} to ${provider} is removed.` }
    },
  },
]

function readInput(call: Call) {
  const weight = call.find('weight')
  if (call.has('by-cost') && weight !== undefined)
    throw new UsageError('give --weight or --by-cost, not both')
  const settings = {
    priority: wholeNumber(call.find('priority') ?? '1'),
    weight: call.has('by-cost') ? null : wholeNumber(weight ?? String(USUAL_WEIGHT)),
    cost: call.find('cost') ?? null,
    windows: call.list('window'),
    enabled: !call.has('disabled'),
  }
  return { place: { product: call.text('product'), provider: call.text('provider') }, settings }
}
