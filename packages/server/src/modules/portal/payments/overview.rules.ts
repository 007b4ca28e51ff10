import { formatDay } from '../../../lib/dates.ts'
import type { Stream } from '../../events/types.ts'

type Money = bigint

export type Day = FigureDay & { readonly day: number }

/** Figures of one day, or of several days together. */
export type FigureDay = {
  readonly counts: {
    readonly SUCCESSFUL: bigint
    readonly PENDING: bigint
    readonly FAILED: bigint
    readonly REFUND: bigint
  }
  readonly faceValue: Money
  readonly cost: Money
}

export type Figures = {
  readonly payments: bigint
  readonly successful: bigint
  readonly pending: bigint
  readonly failed: bigint
  readonly refunded: bigint
  readonly sales: Money
  readonly cost: Money
  readonly margin: Money
  /** Share of successful payments among those that ended. null: none has ended. */
  readonly successRate: number | null
}

export function figuresOf(days: readonly FigureDay[]): Figures {
  const sum = (read: (day: FigureDay) => bigint) => days.reduce((total, day) => total + read(day), 0n)
  const successful = sum(({ counts }) => counts.SUCCESSFUL)
  const pending = sum(({ counts }) => counts.PENDING)
  const failed = sum(({ counts }) => counts.FAILED)
  const refunded = sum(({ counts }) => counts.REFUND)
  const sales = sum(({ faceValue }) => faceValue)
  const cost = sum((day) => day.cost)
  return {
    payments: successful + pending + failed + refunded,
    successful,
    pending,
    failed,
    refunded,
    sales,
    cost,
    margin: sales - cost,
    successRate: rateOf(successful, failed),
  }
}

/** Share of the good ones, from 0 to 1, to 4 places; null: there are none of either kind. */
export function rateOf(good: bigint, bad: bigint): number | null {
  const all = good + bad
  return all === 0n ? null : Math.round((Number(good) / Number(all)) * 10_000) / 10_000
}

const RATE_DAYS = 7
const DAYS_LEFT_MAX = 9_999

/**
 * Days that the balance lasts at the rate of the last seven whole days, to a tenth of a day. null: nothing was sold.
 * Today does not count: it is not over, so every morning would look like a quiet day.
 */
export function daysLeft(balance: Money, days: readonly Day[], today: number): number | null {
  const cost = costOfWeek(days, today)
  if (cost <= 0n) return null
  if (balance <= 0n) return 0
  const tenths = (balance * 10n * BigInt(RATE_DAYS)) / cost
  return Math.min(Number(tenths) / 10, DAYS_LEFT_MAX)
}

function costOfWeek(days: readonly Day[], today: number): Money {
  const whole = days.filter(({ day }) => day < today && day >= today - RATE_DAYS)
  return whole.reduce((total, day) => total + day.cost, 0n)
}

// ── The balance over time ──

/** Day on which the wallet moved, as the ledger has it. */
export type MovedDay = {
  readonly day: number
  readonly opening: Money
  readonly closing: Money
  readonly movements: { readonly deposit: { readonly amount: Money } }
}

export type BalanceDay = {
  readonly day: number
  /** Balance at the end of the day; of today: the present one. */
  readonly closing: Money
  readonly deposited: Money
}

/** Returns every day of the range: one without movements has the balance of the day before it. */
export function balanceByDay(
  moved: readonly MovedDay[],
  { from, to }: { readonly from: number; readonly to: number },
  present: Money,
): BalanceDay[] {
  const byDay = new Map(moved.map((each) => [each.day, each]))
  let balance = moved[0]?.opening ?? present
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const day = from + index
    const found = byDay.get(day)
    balance = found?.closing ?? balance
    return { day, closing: balance, deposited: found?.movements.deposit.amount ?? 0n }
  })
}

/** Average of what payments took on each of the last seven whole days; null: nothing was sold. */
export function spentPerDay(days: readonly Day[], today: number): Money | null {
  const cost = costOfWeek(days, today)
  return cost <= 0n ? null : cost / BigInt(RATE_DAYS)
}

/** Place in the portal where something can be done about it. Pages choose their own addresses. */
export type AttentionTarget =
  /** Status and access of the account, which operators set. */
  | { readonly page: 'account' }
  | { readonly page: 'deposits' }
  | { readonly page: 'endpoint'; readonly stream: Stream }
  | {
      readonly page: 'payments'
      /** Parameters of the list of payments. */
      readonly filter: { readonly status: 'pending'; readonly from: string; readonly to: string }
    }
  | { readonly page: 'cases'; readonly states: readonly ['open', 'in_progress'] }
  | { readonly page: 'catalogue'; readonly filter: { readonly at_loss: true } }
  | { readonly page: 'keys'; readonly key: string }

export type Attention = {
  readonly kind:
    | 'account_suspended'
    | 'account_read_only'
    | 'balance_low'
    | 'balance_runs_out'
    | 'endpoint_paused'
    | 'endpoint_failing'
    | 'endpoint_disabled'
    | 'payments_pending'
    | 'cases_open'
    | 'products_at_loss'
    | 'key_ends'
  readonly severity: 'critical' | 'warning' | 'info'
  readonly text: string
  /** Thing that it is about, when there are several. */
  readonly subject: string | null
  readonly count: number | null
  readonly target: AttentionTarget
}

const SOON_DAYS = 2

export function moneyAttention(
  balance: Money,
  highestThreshold: Money | null,
  lasts: number | null,
): Attention[] {
  if (highestThreshold !== null && balance < highestThreshold) {
    return [
      attention('balance_low', 'critical', 'The balance is below your threshold.', { page: 'deposits' }),
    ]
  }
  if (lasts !== null && lasts < SOON_DAYS) {
    const text = `At the present rate the balance lasts less than ${SOON_DAYS} days.`
    return [attention('balance_runs_out', 'warning', text, { page: 'deposits' })]
  }
  return []
}

export function accountAttention(account: { status: string; access: number }): Attention[] {
  const target = { page: 'account' } as const
  if (account.status !== 'active') {
    const text = 'The account is suspended: nothing can be paid.'
    return [attention('account_suspended', 'critical', text, target)]
  }
  return account.access === 0
    ? []
    : [attention('account_read_only', 'warning', 'The account is read only: nothing can be paid.', target)]
}

export type EndpointState = {
  readonly stream: Stream
  readonly isEnabled: boolean
  readonly pausedAt: Date | null
  readonly failingSince: Date | null
}

export function endpointAttention({ stream, isEnabled, pausedAt, failingSince }: EndpointState): Attention[] {
  const target = { page: 'endpoint', stream } as const
  if (pausedAt !== null) {
    const text = `The ${stream} endpoint failed for days and is paused: nothing is sent.`
    return [attention('endpoint_paused', 'critical', text, target, stream)]
  }
  if (!isEnabled) {
    return [attention('endpoint_disabled', 'info', `The ${stream} endpoint is switched off.`, target, stream)]
  }
  if (failingSince === null) return []
  const text = `The ${stream} endpoint does not take what is sent.`
  return [attention('endpoint_failing', 'warning', text, target, stream)]
}

/** Counts the payments that were made before today and have not ended. */
export function countLeftPending(days: readonly Day[], today: number): number {
  return Number(days.reduce((sum, { day, counts }) => (day < today ? sum + counts.PENDING : sum), 0n))
}

/** Names the days before today, as `countLeftPending` counts them. */
export function leftPendingTarget(days: readonly Day[], today: number): AttentionTarget {
  const from = Math.min(today - 1, ...days.map(({ day }) => day))
  return {
    page: 'payments',
    filter: { status: 'pending', from: formatDay(from), to: formatDay(today - 1) },
  }
}

export const CASES_TARGET: AttentionTarget = { page: 'cases', states: ['open', 'in_progress'] }
export const LOSSES_TARGET: AttentionTarget = { page: 'catalogue', filter: { at_loss: true } }

export function countAttention(
  kind: 'payments_pending' | 'cases_open' | 'products_at_loss',
  count: number,
  text: string,
  target: AttentionTarget,
): Attention[] {
  const severity = kind === 'products_at_loss' ? 'warning' : 'info'
  return count === 0 ? [] : [{ ...attention(kind, severity, text, target), count }]
}

export function keyAttention(keys: readonly { label: string; key: string; expiresAt: Date | null }[]) {
  return keys.flatMap(({ label, key, expiresAt }) =>
    expiresAt === null
      ? []
      : [
          attention(
            'key_ends',
            'info',
            `The API key ${label === '' ? key : label} was replaced and ends at ${expiresAt.toISOString()}.`,
            { page: 'keys', key },
            key,
          ),
        ],
  )
}

function attention(
  kind: Attention['kind'],
  severity: Attention['severity'],
  text: string,
  target: AttentionTarget,
  subject: string | null = null,
): Attention {
  return { kind, severity, text, subject, count: null, target }
}
