import { CURRENCY_CODE } from '../../../lib/input/codes.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { setRate } from '../../../modules/rates/acts.ts'
import { RATE_VIEW } from '../../../modules/rates/codec.ts'
import { listRates } from '../../../modules/rates/service.ts'
import { RATE_STATES } from '../../../modules/rates/types.ts'
import type { Command } from '../../command.ts'
import { DRY_RUN_OPTION } from '../../consent.ts'
import { actCommand } from '../../kit/acts.ts'
import { formatFields, formatTable } from '../../text.ts'

const LIST_MAX = 1_000
const FILTER = {
  currency: optional(CURRENCY_CODE, null),
  state: optional(oneOf(RATE_STATES), null),
}

export const rateCommands: readonly Command[] = [
  actCommand({
    name: 'rate set',
    summary: 'set what one unit of a currency is worth in ringgit',
    details: `Floats, costs and settlement files of suppliers in that currency are shown in ringgit by it; wallets and
prices are in ringgit and do not change. What was told by an earlier rate stays so. A date that is over may be given where
the currency had no rate.`,
    act: setRate,
    places: [
      { name: 'currency', value: 'CURRENCY', help: 'by ISO 4217, such as USD' },
      { name: 'rate', value: 'RATE', help: 'ringgit for one unit, such as 4.70, with up to 8 decimals' },
    ],
    options: {
      reason: { value: 'TEXT', help: 'why, for the history', required: true },
      'dry-run': DRY_RUN_OPTION,
    },
    world: () => undefined,
    show(rate) {
      const view = RATE_VIEW.encode(rate)
      return { json: view, text: formatFields(view) }
    },
  }),
  {
    name: 'rate list',
    summary: 'list the rates of currencies with their history, the latest first',
    options: {
      currency: { value: 'CURRENCY', help: 'only this currency' },
      state: { value: 'STATE', help: `only those that are ${RATE_STATES.join(', ')}` },
    },
    async run(call) {
      const filter = readFields(FILTER, { currency: call.find('currency'), state: call.find('state') })
      const { database } = await call.runtime()
      const rates = await listRates(database, { ...filter, afterId: null, limit: LIST_MAX })
      const views = rates.map((rate) => RATE_VIEW.encode(rate))
      return { json: { rates: views }, text: formatTable(views, 'No rate is set: amounts are in ringgit.') }
    },
  },
]
