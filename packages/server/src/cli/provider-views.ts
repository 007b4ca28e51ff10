import { moneyToNumber } from '../lib/money.ts'
import { connectionLimits } from '../modules/providers/connections/connections.rules.ts'
import type { Connection } from '../modules/providers/connections/connections.types.ts'
import type { HealthRow } from '../modules/providers/health/health.types.ts'

export function connectionView(connection: Connection) {
  const { floatAlert } = connection
  return {
    code: connection.code,
    kind: connection.kind,
    name: connection.name,
    enabled: connection.isEnabled,
    config: connection.config,
    secrets: Object.entries(connection.secretNames).map(([name, at]) => ({ name, set_at: at.toISOString() })),
    limits: connectionLimits(connection.limits),
    float_alert: floatAlert === null ? null : moneyToNumber(floatAlert),
    version: String(connection.version),
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
  }
}

export function healthView(row: HealthRow) {
  return {
    provider: row.provider,
    node: row.node,
    state: row.state,
    orders: row.orders,
    answered: row.answered,
    timeouts: row.timeouts,
    not_acted: row.not_acted,
    p50_ms: row.p50_ms,
    p95_ms: row.p95_ms,
    age_ms: Math.round(row.age_ms),
  }
}
