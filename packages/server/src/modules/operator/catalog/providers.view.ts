import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import type { Connection } from '../../providers/connections/connections.types.ts'
import { limitsOf } from '../../providers/connections/operators.service.ts'
import type { ProviderFloat } from '../../providers/float.rules.ts'
import type { HealthPoint, HealthRow, HealthSeries } from '../../providers/health/health.types.ts'

export type WatchedConnection = {
  readonly connection: Connection
  readonly health: readonly HealthRow[]
  /** undefined: it was never asked, because it cannot say. */
  readonly float: ProviderFloat | undefined
}

export function providerView({ connection, health, float }: WatchedConnection) {
  const { floatAlert } = connection
  return {
    code: connection.code,
    kind: connection.kind,
    name: connection.name,
    enabled: connection.isEnabled,
    limits: limitsOf(connection),
    float_alert: floatAlert === null ? null : moneyToNumber(floatAlert),
    float: float === undefined ? null : floatView(float),
    health: health.map(({ provider: _, age_ms, ...row }) => ({ ...row, age_ms: Math.round(age_ms) })),
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
  }
}

export function floatView({
  amount,
  currency,
  ringgit,
  readAt,
  alertBelow,
  failingSince,
  trouble,
  ...rate
}: ProviderFloat) {
  const money = (units: bigint | null) => (units === null ? null : formatMoney(units))
  return {
    amount: money(amount),
    currency,
    ringgit: money(ringgit),
    read_at: readAt?.toISOString() ?? null,
    alert_below: money(alertBelow),
    is_low: amount !== null && alertBelow !== null && amount < alertBelow,
    spent_per_hour: money(rate.spentPerHour),
    hours_left: rate.hoursLeft,
    failing_since: failingSince?.toISOString() ?? null,
    trouble,
  }
}

export function healthSeriesView(provider: string, { stepMs, points, total }: HealthSeries) {
  return {
    provider,
    interval_minutes: stepMs / 60_000,
    intervals: points.map((point) => ({
      at: new Date(point.startMs).toISOString(),
      ...healthPointView(point),
    })),
    total: healthPointView(total),
  }
}

function healthPointView({ attempts, counts, p50Ms, p95Ms }: Omit<HealthPoint, 'startMs'>) {
  return { attempts, ...counts, p50_ms: p50Ms, p95_ms: p95Ms }
}

/** Shows the provider's configuration to few roles: an address or a template can reveal almost as much as a secret. */
export function providerDetailView(
  watched: WatchedConnection & { readonly pack: string | null; readonly isPreparedAlone: boolean },
  { mayReadConfig }: { mayReadConfig: boolean },
) {
  const { config, secretNames } = watched.connection
  const names = mayReadConfig ? Object.entries(secretNames) : []
  return {
    ...providerView(watched),
    pack: watched.pack,
    needs_second_person: watched.isPreparedAlone,
    config: mayReadConfig ? config : null,
    secrets: names.map(([name, at]) => ({ name, set_at: at.toISOString() })),
  }
}
