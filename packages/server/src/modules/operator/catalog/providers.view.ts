import { moneyToNumber } from '../../../lib/money.ts'
import type { Connection } from '../../providers/connections/connections.types.ts'
import { limitsOf } from '../../providers/connections/operators.service.ts'
import type { HealthRow } from '../../providers/health/health.types.ts'

export type WatchedConnection = { readonly connection: Connection; readonly health: readonly HealthRow[] }

export function providerView({ connection, health }: WatchedConnection) {
  const { floatAlert } = connection
  return {
    code: connection.code,
    kind: connection.kind,
    name: connection.name,
    enabled: connection.isEnabled,
    limits: limitsOf(connection),
    float_alert: floatAlert === null ? null : moneyToNumber(floatAlert),
    health: health.map(({ provider: _, age_ms, ...row }) => ({ ...row, age_ms: Math.round(age_ms) })),
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt.toISOString(),
  }
}

/** Shows the provider's configuration to few roles: an address or a template can reveal almost as much as a secret. */
export function providerDetailView(
  watched: WatchedConnection,
  { mayReadConfig }: { mayReadConfig: boolean },
) {
  const { config, secretNames } = watched.connection
  const names = mayReadConfig ? Object.entries(secretNames) : []
  return {
    ...providerView(watched),
    config: mayReadConfig ? config : null,
    secrets: names.map(([name, at]) => ({ name, set_at: at.toISOString() })),
  }
}
