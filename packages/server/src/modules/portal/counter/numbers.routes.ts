import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { dayOf } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import { dropFavourite, keepFavourite } from '../../counter/acts.ts'
import { FAVOURITE } from '../../counter/codec.ts'
import { listFavourites } from '../../counter/service.ts'
import { memberAct } from '../access/acts.service.ts'
import { dataOf, Instant } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { ownFilter } from '../payments/payments.service.ts'
import type { Recent } from './recents.rules.ts'
import { recentsOf } from './recents.rules.ts'

const TAG = 'Sell'
const PATH = '/portal/v1/sell/favourites'
/** Payments among which recent numbers are looked for, and their days. */
const LOOKED_THROUGH = 200
const DAYS = 30

const RECENT = resource<Recent>()('Recent number', {
  product: [Type.String(), ({ productCode }) => productCode],
  product_name: [Type.String(), ({ productName }) => productName],
  number: [Type.String({ description: 'Account of the customer' }), ({ account }) => account],
  amount: [Type.String({ description: "In the product's own unit" }), ({ amount }) => formatMoney(amount)],
  at: [Instant, ({ at }) => at.toISOString()],
  is_own: [Type.Boolean({ description: 'true: you sold it' }), ({ isOwn }) => isOwn],
})

const Numbers = Type.Object({
  favourites: Type.Array(FAVOURITE.schema, { description: 'Your own first, then those of the shop' }),
  recents: Type.Array(RECENT.schema, { description: 'Each number of a product once; your own sales first' }),
})

/** Operations on the numbers that a counter sells to again. */
export function portalNumberOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database, log, payments, now } = settings
  const stage = { authenticate, log, world: undefined }
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/sell/numbers',
      docs: {
        operationId: 'portalListNumbers',
        summary: 'Favourite and recent numbers',
        description: `Recent: among the last ${LOOKED_THROUGH} payments of ${DAYS} days, without bills.`,
        tag: TAG,
      },
      schemas: { responses: { 200: dataOf(Numbers) } },
      authenticate: authenticate('sell.read'),
      async handle({ caller }) {
        const { reseller, userId } = caller
        const today = dayOf(now().getTime())
        const filter = ownFilter(caller, {
          days: { from: today - DAYS + 1, to: today },
          statuses: [],
          account: null,
          product: null,
          member: null,
        })
        const [favourites, sold] = await Promise.all([
          listFavourites(database, reseller.id, userId),
          payments.list(reseller.id, filter, { before: null, limit: LOOKED_THROUGH }),
        ])
        const recents = recentsOf(sold.payments, String(userId))
        const data = {
          favourites: favourites.map((each) => FAVOURITE.encode(each)),
          recents: recents.map((each) => RECENT.encode(each)),
        }
        return { status: 200, body: { data } }
      },
    }),
    memberAct(stage, {
      act: keepFavourite,
      method: 'POST',
      path: PATH,
      permission: 'sell',
      docs: { operationId: 'portalKeepFavourite', summary: 'Keep a number for the next sale', tag: TAG },
      body: 'Favourite request',
      isStrict: true,
      status: 201,
      answer: FAVOURITE.schema,
      view: (favourite) => FAVOURITE.encode(favourite),
    }),
    memberAct(stage, {
      act: dropFavourite,
      method: 'DELETE',
      path: `${PATH}/:id`,
      permission: 'sell',
      docs: { operationId: 'portalDropFavourite', summary: 'Drop a favourite number', tag: TAG },
      hasBody: false,
      answer: FAVOURITE.schema,
      view: (favourite) => FAVOURITE.encode(favourite),
    }),
  ]
}
