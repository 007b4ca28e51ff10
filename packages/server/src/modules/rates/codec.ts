import { Type } from 'typebox'
import type { Infer } from '../../http/codec.ts'
import { input, member, optionalMember, resource } from '../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../http/schemas.ts'
import { MOMENT } from '../../lib/dates.ts'
import { CURRENCY_CODE } from '../../lib/input/codes.ts'
import { optional } from '../../lib/input/parameters.ts'
import { FACTOR, formatRate } from '../../lib/rates.ts'
import type { CurrencyRate } from './types.ts'
import { RATE_STATES } from './types.ts'

export const RATE_INPUT = input({
  currency: member(CURRENCY_CODE, { description: 'By ISO 4217', option: { help: 'such as USD' } }),
  rate: member(FACTOR, {
    description: 'Ringgit for one unit of the currency, with up to 8 decimals',
    option: { help: 'ringgit for one unit, such as 4.70' },
  }),
  from: optionalMember(optional(MOMENT, null), {
    description: 'A day (GMT+8) or a time from which it is in force; left out: from when it is approved',
    option: {
      value: 'DATE',
      help: 'from when; a day (GMT+8) or a time such as 2026-03-01T22:00Z; default: now',
    },
  }),
})
export type RateInput = Infer<typeof RATE_INPUT>

export const RATE_VIEW = resource<CurrencyRate>()('Currency rate', {
  id: [Type.String(), ({ id }) => String(id)],
  currency: [Type.String({ description: 'By ISO 4217' }), ({ currency }) => currency],
  rate: [
    Type.String({ description: 'Ringgit for one unit of the currency' }),
    ({ rate }) => formatRate(rate),
  ],
  from: [Instant, ({ fromAt }) => fromAt.toISOString()],
  state: [enumOf(RATE_STATES), ({ state }) => state],
  reason: [Type.String(), ({ reason }) => reason],
  set_by: [Type.String({ description: 'E-mail address, or the user of the machine' }), ({ setBy }) => setBy],
  approved_by: [orNull(Type.String(), 'null: set at the machine'), ({ approvedBy }) => approvedBy],
  set_at: [Instant, ({ setAt }) => setAt.toISOString()],
})
