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
  const ended = successful + failed
  return {
    payments: successful + pending + failed + refunded,
    successful,
    pending,
    failed,
    refunded,
    sales,
    cost,
    margin: sales - cost,
    successRate: ended === 0n ? null : Math.round((Number(successful) / Number(ended)) * 10_000) / 10_000,
  }
}

const RATE_DAYS = 7
const DAYS_LEFT_MAX = 9_999

/**
 * Days that the balance lasts at the rate of the last seven whole days, to a tenth of a day. null: nothing was sold.
 * Today does not count: it is not over, so every morning would look like a quiet day.
 */
export function daysLeft(balance: Money, days: readonly Day[], today: number): number | null {
  const whole = days.filter(({ day }) => day < today && day >= today - RATE_DAYS)
  const cost = whole.reduce((total, day) => total + day.cost, 0n)
  if (cost <= 0n) return null
  const tenths = (balance * 10n * BigInt(RATE_DAYS)) / cost
  return Math.min(Number(tenths) / 10, DAYS_LEFT_MAX)
}

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
}

const SOON_DAYS = 2

export function moneyAttention(
  balance: Money,
  highestThreshold: Money | null,
  lasts: number | null,
): Attention[] {
  if (highestThreshold !== null && balance < highestThreshold) {
    return [attention('balance_low', 'critical', 'The balance is below your threshold.')]
  }
  if (lasts !== null && lasts < SOON_DAYS) {
    const text = `At the present rate the balance lasts less than ${SOON_DAYS} days.`
    return [attention('balance_runs_out', 'warning', text)]
  }
  return []
}

export function accountAttention(account: { status: string; access: number }): Attention[] {
  if (account.status !== 'active') {
    return [attention('account_suspended', 'critical', 'The account is suspended: nothing can be paid.')]
  }
  return account.access === 0
    ? []
    : [attention('account_read_only', 'warning', 'The account is read only: nothing can be paid.')]
}

export type EndpointState = {
  readonly stream: string
  readonly isEnabled: boolean
  readonly pausedAt: Date | null
  readonly failingSince: Date | null
}

export function endpointAttention({ stream, isEnabled, pausedAt, failingSince }: EndpointState): Attention[] {
  if (pausedAt !== null) {
    const text = `The ${stream} endpoint failed for days and is paused: nothing is sent.`
    return [attention('endpoint_paused', 'critical', text, stream)]
  }
  if (!isEnabled) {
    return [attention('endpoint_disabled', 'info', `The ${stream} endpoint is switched off.`, stream)]
  }
  return failingSince === null
    ? []
    : [attention('endpoint_failing', 'warning', `The ${stream} endpoint does not take what is sent.`, stream)]
}

/** Counts the payments that were made before today and have not ended. */
export function countLeftPending(days: readonly Day[], today: number): number {
  return Number(days.reduce((sum, { day, counts }) => (day < today ? sum + counts.PENDING : sum), 0n))
}

export function countAttention(
  kind: 'payments_pending' | 'cases_open' | 'products_at_loss',
  count: number,
  text: string,
): Attention[] {
  return count === 0
    ? []
    : [{ ...attention(kind, kind === 'products_at_loss' ? 'warning' : 'info', text), count }]
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
            key,
          ),
        ],
  )
}

function attention(
  kind: Attention['kind'],
  severity: Attention['severity'],
  text: string,
  subject: string | null = null,
): Attention {
  return { kind, severity, text, subject, count: null }
}
