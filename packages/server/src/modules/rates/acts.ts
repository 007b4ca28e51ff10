import { invalidFields, RequestError } from '../../lib/errors.ts'
import { LOCAL_CURRENCY } from '../../lib/money.ts'
import { formatRate } from '../../lib/rates.ts'
import { act } from '../acts/service.ts'
import type { By, Texts } from '../acts/types.ts'
import type { RateInput } from './codec.ts'
import { RATE_INPUT, RATE_VIEW } from './codec.ts'
import { findLast, findRateAt, insertRate, lockRates, readTime } from './sql.ts'
import type { CurrencyRate } from './types.ts'

const AHEAD_MAX_MS = 366 * 24 * 3_600_000

/**
 * Sets what one unit of a currency is worth in ringgit, from a time on. A rate that was in force is never replaced for
 * the time that is over, because amounts were told by it.
 */
export const setRate = act({
  name: 'rate.set',
  input: RATE_INPUT,
  lock: lockRates,
  approval: {
    kind: 'rate_change',
    target: targetOf,
    write: ({ currency, rate, from = null }: RateInput): Texts => ({
      currency,
      rate: formatRate(rate),
      from: from === null ? null : new Date(from.firstMs).toISOString(),
    }),
    read: ({ currency, rate, from }) => RATE_INPUT.read({ currency, rate, from: from ?? undefined }),
  },
  async run(tx, { currency, rate, from = null }, by: By<unknown>) {
    if (currency === LOCAL_CURRENCY) return { refuse: invalidFields({ currency: ['MYR is always 1'] }) }
    const now = await readTime(tx)
    const fromAt = from === null ? now : new Date(from.firstMs)
    const replaced = await findRateAt(tx, currency, fromAt)
    if (fromAt < now && replaced !== undefined) return { refuse: invalidFields({ from: [PAST] }) }
    if (fromAt.getTime() - now.getTime() > AHEAD_MAX_MS) return { refuse: invalidFields({ from: [FAR] }) }
    const last = await findLast(tx, currency)
    const seal = last === undefined ? 'none' : String(last.id)
    const { consent } = by
    if (consent.kind === 'alone') {
      const shown = { before: replaced === undefined ? null : formatRate(replaced), seal }
      return { ask: { shown, view: undefined } }
    }
    if (consent.kind === 'approved' && consent.seal !== seal) return { refuse: changedMeanwhile(currency) }
    const result = await insertRate(tx, { currency, rate, fromAt, ...personsOf(by) })
    return {
      target: targetOf({ currency }),
      before: last ? stateOf(last) : null,
      after: stateOf(result),
      result,
    }
  },
})

const PAST = 'must not be a time that is over and had a rate: amounts were told by it'
const FAR = 'must be within a year'

function personsOf({ consent, caller, reason }: By<unknown>) {
  if (consent.kind === 'approved') {
    const { requestedBy, approvedBy, reason: asked } = consent.approval
    return { reason: asked, setBy: requestedBy.email, approvedBy: approvedBy.name }
  }
  return { reason, setBy: caller.kind === 'command' ? caller.name : 'operator', approvedBy: null }
}

function stateOf(rate: CurrencyRate) {
  const { rate: value, from } = RATE_VIEW.encode(rate)
  return { rate: value, from }
}

function targetOf({ currency }: Pick<RateInput, 'currency'>) {
  return { kind: 'rate', id: currency }
}

function changedMeanwhile(currency: string): RequestError {
  return new RequestError({
    status: 409,
    code: 'rate_changed',
    publicText: `Another rate of ${currency} was set since this request. Nothing was changed; ask for it again.`,
  })
}
