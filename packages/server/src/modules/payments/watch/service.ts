import type { Database, Tx } from '../../../db/database.ts'
import { joined } from '../../../db/joined.ts'
import { listResellerNames } from '../../accounts/public.sql.ts'
import type { Alerts } from '../../alerts/core/service.ts'
import { listAlerts } from '../../alerts/core/service.ts'
import type { Alert, AlertKind } from '../../alerts/core/types.ts'
import type { ProviderAnswers } from '../../providers/health/answers.service.ts'
import { readAnswers } from '../../providers/health/answers.service.ts'
import { statusOf } from '../read/history.rules.ts'
import type { Finding } from './findings.rules.ts'
import { changesOf } from './findings.rules.ts'
import type { Figures } from './rates.rules.ts'
import { addFigures, judgeRate, RECENT_MIN, rateText } from './rates.rules.ts'
import type { CountRow } from './rates.sql.ts'
import { countLastWeek, countRecent } from './rates.sql.ts'
import { stuckFinding } from './stuck.rules.ts'
import { sumStuck, tryWatchLock } from './stuck.sql.ts'

export type PaymentWatch = {
  readonly database: Database
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>
}

const ALERTS_MAX = 1_000

/**
 * Keeps the alerts about stuck payments, silent suppliers and fallen success rates up to date. A node that finds another
 * one at it does nothing.
 */
export async function watchPayments({ database, alerts }: PaymentWatch): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await tryWatchLock(tx))) return
    const open = await listAlerts(joined(tx, database), { limit: ALERTS_MAX, withCleared: false })
    const answers = await readAnswers(tx)
    const keep = (kind: AlertKind, findings: readonly Finding[], endsUnfound: boolean) =>
      keepAlerts({ alerts, tx, open }, kind, findings, endsUnfound)
    await keep('payments_stuck', await findStuck(tx), true)
    await keep('supplier_silent', answers.map(silenceFinding), true)
    const fallen = [...(await findFallenPayments(tx)), ...answers.map(fallenSupplier)]
    // Without payments nothing is known, so that the alert stays until there are some, or somebody clears it.
    await keep('success_rate_fell', fallen, false)
  })
}

async function keepAlerts(
  { alerts, tx, open }: { alerts: PaymentWatch['alerts']; tx: Tx; open: readonly Alert[] },
  kind: AlertKind,
  findings: readonly Finding[],
  endsUnfound: boolean,
): Promise<void> {
  const own = open.filter((alert) => alert.kind === kind)
  const { raised, cleared } = changesOf(findings, own, endsUnfound)
  for (const { subject, text } of raised) await alerts.raise({ kind, subject, text }, tx)
  for (const subject of cleared) await alerts.clear(kind, subject, tx)
}

async function findStuck(tx: Tx): Promise<Finding[]> {
  return (await sumStuck(tx)).map((row) =>
    stuckFinding({
      provider: row.provider,
      payments: row.payments,
      cost: row.cost,
      oldestDueAt: row.oldest_due_at,
      overdueSeconds: row.overdue_seconds,
    }),
  )
}

function silenceFinding({ provider, silence: { state, unanswered } }: ProviderAnswers): Finding {
  return {
    subject: provider,
    text:
      state === 'bad'
        ? `${provider} has not answered the last orders: at least ${roundDown(unanswered)}`
        : `${provider} has not answered half of the last orders yet`,
    state,
  }
}

/** Rounds to 1, 2 or 5 times a power of ten, so that an open alert does not change with every order. */
function roundDown(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)))
  return power * ([5, 2].find((each) => each * power <= count) ?? 1)
}

function fallenSupplier({ provider, recent, week }: ProviderAnswers): Finding {
  return rateFinding(`supplier ${provider}`, recent, week)
}

// ── Rates of products and resellers ──

const RECENT_MINUTES = 60
const NONE: Figures = { good: 0, ended: 0 }

async function findFallenPayments(tx: Tx): Promise<Finding[]> {
  const recent = await countRecent(tx, RECENT_MINUTES)
  const names = await listResellerNames(
    tx,
    recent.map(({ reseller_id: id }) => id),
  )
  const now = figuresBySubject(recent, names)
  // The week is read only where an hour has enough payments to be compared with it.
  if ([...now.values()].every(({ ended }) => ended < RECENT_MIN)) return []
  const before = figuresBySubject(await countLastWeek(tx), names)
  return [...now].map(([subject, figures]) => rateFinding(subject, figures, before.get(subject) ?? NONE))
}

/** Sums by product and by reseller. Pending and voided payments say nothing about success. */
function figuresBySubject(
  rows: readonly CountRow[],
  names: Awaited<ReturnType<typeof listResellerNames>>,
): Map<string, Figures> {
  const sums = new Map<string, Figures>()
  for (const { reseller_id: id, product_code: product, code, payments } of rows) {
    const status = statusOf(code)
    if (status !== 'SUCCESSFUL' && status !== 'FAILED') continue
    const ended = Number(payments)
    const figures = { good: status === 'SUCCESSFUL' ? ended : 0, ended }
    addFigures(sums, `product ${product}`, figures)
    const account = names.get(id)?.account
    if (account !== undefined) addFigures(sums, `reseller ${account}`, figures)
  }
  return sums
}

function rateFinding(subject: string, recent: Figures, week: Figures): Finding {
  const verdict = judgeRate(recent, week)
  const state = verdict === 'fallen' ? 'bad' : verdict
  return { subject, text: rateText(subject, recent, week), state }
}
