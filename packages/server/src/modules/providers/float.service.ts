import type { Database, Queryable } from '../../db/database.ts'
import { CURRENCY_CODE } from '../../lib/input/codes.ts'
import { isStorable, LOCAL_CURRENCY } from '../../lib/money.ts'
import type { Alerts } from '../alerts/core/service.ts'
import { listAlerts } from '../alerts/core/service.ts'
import type { AlertKind } from '../alerts/core/types.ts'
import { inRinggit } from '../rates/rules.ts'
import { readRates } from '../rates/service.ts'
import { listConnectionRows } from './connections/connections.sql.ts'
import type { ProviderFloat } from './float.rules.ts'
import { hoursLeft, judgeFloat, RATE_HOURS, spentPerHour } from './float.rules.ts'
import {
  claimFloat,
  findFloatAlert,
  listAllReadings,
  listFloatRows,
  listReadings,
  saveFailure,
  saveReading,
  sweepReadings,
} from './float.sql.ts'
import type { FloatAnswer, FloatCapability } from './port/types.ts'
import type { Providers } from './registry.service.ts'

export type FloatSettings = {
  readonly database: Database
  readonly providers: Pick<Providers, 'list'>
  readonly alerts: Alerts
  /** Pause between two questions to one provider, for all nodes together. */
  readonly pauseMs?: number
  readonly timeoutMs?: number
  /** Time without an answer after which an operator is alerted. */
  readonly silentMs?: number
}

const PAUSE_MS = 60_000
const TIMEOUT_MS = 10_000
const SILENT_MS = 15 * 60_000
const READINGS_KEPT_DAYS = 7
const TROUBLE_MAX = 200

/** Asks every provider that is due; returns the number that this node asked. */
export async function watchFloats(settings: FloatSettings): Promise<number> {
  const { database, providers, pauseMs = PAUSE_MS } = settings
  let asked = 0
  await Promise.all(
    providers.list().map(async ({ code, float }) => {
      if (float === undefined || !(await claimFloat(database, code, pauseMs))) return
      asked += 1
      await watchOne(settings, code, float)
    }),
  )
  await clearAlertsOfRemoved(settings)
  if (asked > 0) await sweepReadings(database, READINGS_KEPT_DAYS)
  return asked
}

const ALERT_KINDS: readonly AlertKind[] = ['float_unread', 'float_low', 'float_forecast']
const ALERTS_MAX = 1_000

/** Clears the float alerts of removed providers: nobody asks these any more, so their alerts would never end. */
async function clearAlertsOfRemoved({ database, providers, alerts }: FloatSettings): Promise<void> {
  const open = await listAlerts(database, { limit: ALERTS_MAX, withCleared: false })
  const raised = open.flatMap(({ kind, subject }) => {
    const known = ALERT_KINDS.find((each) => each === kind)
    return known === undefined ? [] : [{ kind: known, subject }]
  })
  if (raised.length === 0) return
  const known = new Set(
    [...providers.list(), ...(await listConnectionRows(database))].map(({ code }) => code),
  )
  for (const { kind, subject } of raised) if (!known.has(subject)) await alerts.clear(kind, subject)
}

async function watchOne(settings: FloatSettings, provider: string, float: FloatCapability): Promise<void> {
  const { database, alerts, timeoutMs = TIMEOUT_MS, silentMs = SILENT_MS } = settings
  const answer = await readWithin(float, timeoutMs)
  if (answer.kind === 'unknown') {
    const failingMs = await saveFailure(database, provider, answer.reason.slice(0, TROUBLE_MAX))
    if (failingMs < silentMs) return
    await alerts.raise({
      kind: 'float_unread',
      subject: provider,
      text: `${provider} has not said for ${Math.round(failingMs / 60_000)} minutes how much of our money is left`,
    })
    return
  }
  const money = { amount: answer.amount, currency: answer.currency ?? LOCAL_CURRENCY }
  await saveReading(database, provider, money)
  await alerts.clear('float_unread', provider)
  const alertBelow = await findFloatAlert(database, provider)
  const readings = await listReadings(database, provider, RATE_HOURS)
  const { low, forecast } = judgeFloat(money, alertBelow, readings, await readRates(database))
  await updateAlert(alerts, 'float_low', provider, low)
  await updateAlert(alerts, 'float_forecast', provider, forecast)
}

async function updateAlert(
  alerts: Alerts,
  kind: AlertKind,
  provider: string,
  text: string | null,
): Promise<void> {
  if (text === null) await alerts.clear(kind, provider)
  else await alerts.raise({ kind, subject: provider, text: `${provider}: ${text}` })
}

async function readWithin(float: FloatCapability, timeoutMs: number): Promise<FloatAnswer> {
  const signal = AbortSignal.timeout(timeoutMs)
  const gaveUp = new Promise<FloatAnswer>((resolve) => {
    signal.addEventListener('abort', () =>
      resolve({ kind: 'unknown', reason: `no answer within ${timeoutMs} ms` }),
    )
  })
  const answered = float
    .readFloat(signal)
    .catch((error: unknown): FloatAnswer => ({ kind: 'unknown', reason: String(error) }))
  const answer = await Promise.race([answered, gaveUp])
  if (answer.kind === 'unknown') return answer
  if (!isStorable(answer.amount)) return { kind: 'unknown', reason: 'the amount is too large to be true' }
  const isCurrency = answer.currency === undefined || CURRENCY_CODE.read(answer.currency) !== undefined
  return isCurrency ? answer : { kind: 'unknown', reason: 'the currency is no code of ISO 4217' }
}

const FLOATS_MAX = 1_000

/** Lists the float of every provider that was ever asked, by code. */
export async function listFloats(database: Queryable): Promise<ProviderFloat[]> {
  const rows = await listFloatRows(database, FLOATS_MAX)
  const readings = await listAllReadings(database, RATE_HOURS)
  const rates = await readRates(database)
  return rows.map((row) => {
    const rate = spentPerHour(readings.filter(({ provider }) => provider === row.provider))
    return {
      provider: row.provider,
      amount: row.amount,
      currency: row.currency,
      ringgit: row.amount === null ? null : inRinggit(rates, { amount: row.amount, currency: row.currency }),
      readAt: row.read_at,
      failingSince: row.failing_since,
      trouble: row.trouble,
      alertBelow: row.float_alert,
      spentPerHour: rate,
      hoursLeft: row.amount === null ? null : hoursLeft(row.amount, rate),
    }
  })
}

export async function findFloat(database: Queryable, provider: string): Promise<ProviderFloat | undefined> {
  return (await listFloats(database)).find((each) => each.provider === provider)
}
