import { readWithin } from '../../../db/bounded.ts'
import type { Database, Queryable } from '../../../db/database.ts'
import type { DayRange } from '../../../lib/dates.ts'
import { startOfDayMs } from '../../../lib/dates.ts'
import { formatMoney, LOCAL_CURRENCY } from '../../../lib/money.ts'
import { formatRate } from '../../../lib/rates.ts'
import type { Alerts } from '../../alerts/core/service.ts'
import type { AlertReport } from '../../alerts/core/types.ts'
import type { RatelessCosts } from '../../payments/reports/public.sql.ts'
import { keepCostRates, listRatelessCosts, sumToldCosts } from '../../payments/reports/public.sql.ts'
import { listFloats } from '../../providers/float.service.ts'
import { moneyText } from '../../rates/rules.ts'
import { findFirstRate, holdRates, listRates, readRates } from '../../rates/service.ts'
import { raiseOnly } from '../alerts.service.ts'
import { readSuppliers } from '../service.ts'
import type { RealisedMargin } from './rules.ts'
import { driftPercent, hasDrifted, realisedOf } from './rules.ts'

const TIMEOUT_MS = 8_000
/** Limit of products, suppliers and currencies, of which each pair has a line. */
const LINES_MAX = 20_000
const PAIRS_MAX = 1_000
const BATCH = 1_000
const DAY_MS = 24 * 3_600_000
const ALERTS_MAX = 50
/** Above the number of currencies that there are. */
const RATES_MAX = 1_000

type CostWatch = { readonly database: Database; readonly alerts: Alerts }

/** Lists what suppliers took for the payments of these days, beside what their routes say, by product and supplier. */
export function listRealised(database: Database, { from, to }: DayRange): Promise<RealisedMargin[]> {
  return readRealised(database, { from: new Date(startOfDayMs(from)), until: new Date(startOfDayMs(to + 1)) })
}

function readRealised(
  database: Database,
  time: { readonly from: Date; readonly until: Date },
): Promise<RealisedMargin[]> {
  return readWithin(database, TIMEOUT_MS, async (tx) => {
    const told = await sumToldCosts(tx, time, LINES_MAX)
    if (told.length === 0) return []
    const suppliers = await readSuppliers(tx)
    return told.map((each) => realisedOf(each, suppliers))
  })
}

/** Keeps rates with costs of payments, and alerts an operator of suppliers whose currency has none. */
export async function watchRates({ database, alerts }: CostWatch): Promise<void> {
  const rateless = await listRatelessCosts(database, PAIRS_MAX)
  for (const each of rateless) await keepRates(database, each)
  const reports = [...(await missingRates(database, rateless))].map(([provider, currencies]): AlertReport => {
    const text = `${provider}: its money is in ${currencies.join(', ')}, which has no rate`
    return { kind: 'rate_missing', subject: provider, text }
  })
  await raiseOnly({ database, alerts }, ['rate_missing'], reports)
}

async function keepRates(database: Database, costs: RatelessCosts): Promise<void> {
  const from = await findFirstRate(database, costs.currency)
  if (from === undefined) return
  const keepSome = () =>
    database.transaction(async (tx) => {
      await holdRates(tx)
      return keepCostRates(tx, costs, from, BATCH)
    })
  while ((await keepSome()) === BATCH) {}
}

async function missingRates(
  database: Queryable,
  rateless: readonly RatelessCosts[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rates = await readRates(database)
  const floats = await listFloats(database)
  const used = [
    ...rateless,
    ...floats.flatMap(({ amount, ringgit, ...float }) =>
      amount !== null && ringgit === null ? [float] : [],
    ),
  ]
  const missing = new Map<string, readonly string[]>()
  for (const { provider, currency } of used) {
    const known = missing.get(provider) ?? []
    if (!rates.has(currency) && !known.includes(currency)) missing.set(provider, [...known, currency])
  }
  return missing
}

function dayBefore(nowMs: number) {
  return { from: new Date(nowMs - DAY_MS), until: new Date(nowMs) }
}

/** Alerts an operator of rates that were set long ago, where a float or a cost of the last day is in their currency. */
export async function watchRateAges({
  database,
  alerts,
  rateAgeDays,
  nowMs,
}: CostWatch & { readonly rateAgeDays: number; readonly nowMs: number }): Promise<void> {
  const told = await sumToldCosts(database, dayBefore(nowMs), LINES_MAX)
  const floats = (await listFloats(database)).filter(({ amount }) => amount !== null)
  const used = new Set([...told, ...floats].map(({ currency }) => currency))
  const inForce = await listRates(database, {
    currency: null,
    state: 'in_force',
    afterId: null,
    limit: RATES_MAX,
  })
  const old = inForce.filter(
    ({ currency, fromAt }) => used.has(currency) && nowMs - fromAt.getTime() > rateAgeDays * DAY_MS,
  )
  const reports = old.map(({ currency, rate, fromAt }): AlertReport => {
    const days = Math.floor((nowMs - fromAt.getTime()) / DAY_MS)
    const text = `1 ${currency} is ${formatRate(rate)} ${LOCAL_CURRENCY} for ${days} days`
    return { kind: 'rate_old', subject: currency, text }
  })
  await raiseOnly({ database, alerts }, ['rate_old'], reports)
}

/** Alerts an operator of suppliers who took another amount in the last day than their routes say. */
export async function watchDrift({
  database,
  alerts,
  maxPercent,
  nowMs,
}: CostWatch & { readonly maxPercent: number; readonly nowMs: number }): Promise<void> {
  const drifted = (await readRealised(database, dayBefore(nowMs))).filter((each) =>
    hasDrifted(each, maxPercent),
  )
  const reports = drifted.slice(0, ALERTS_MAX).map(driftReport)
  await raiseOnly({ database, alerts }, ['cost_drift'], reports)
}

function driftReport(realised: RealisedMargin): AlertReport {
  const { productCode, provider, payments, cost: amount, currency, ringgit, listedCost } = realised
  const taken = moneyText({ amount, currency }, ringgit)
  const listed = formatMoney(listedCost ?? 0n)
  return {
    kind: 'cost_drift',
    subject: `${productCode}/${provider}`,
    text: `${provider} took ${taken} for ${payments} payments of ${productCode} in a day; by its route it is ${listed} (${driftPercent(realised)} %)`,
  }
}
