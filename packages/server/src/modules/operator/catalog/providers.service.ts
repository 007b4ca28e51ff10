import type { Database } from '../../../db/database.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { count, optional } from '../../../lib/input/parameters.ts'
import { getConnection, listConnections } from '../../providers/connections/connections.service.ts'
import type { Connection } from '../../providers/connections/connections.types.ts'
import { isPreparedAlone } from '../../providers/connections/prepared.service.ts'
import { listRoutes } from '../../providers/connections/routing.service.ts'
import type { Route } from '../../providers/connections/routing.types.ts'
import type { ProviderFloat } from '../../providers/float.rules.ts'
import { findFloat, listFloats } from '../../providers/float.service.ts'
import { listHealthReports } from '../../providers/health/health.service.ts'
import type { HealthRow, HealthSeries } from '../../providers/health/health.types.ts'
import { HISTORY_HOURS_MAX } from '../../providers/health/history.rules.ts'
import { readHealthSeries } from '../../providers/health/history.service.ts'
import { findPackOf } from '../../providers/packs/packs.service.ts'
import { isPlain, plainText, unknown } from '../kit/pages.rules.ts'

export type WatchedConnection = {
  readonly connection: Connection
  readonly health: readonly HealthRow[]
  /** undefined: it was never asked, because it cannot say. */
  readonly float: ProviderFloat | undefined
}

/** Connection with what its own page shows. */
export type DetailedConnection = WatchedConnection & {
  readonly pack: string | null
  readonly isPreparedAlone: boolean
}

export type ProvidersContext = { readonly database: Database }

export async function listProviders({ database }: ProvidersContext): Promise<WatchedConnection[]> {
  const reports = await listHealthReports(database)
  const floats = await listFloats(database)
  return (await listConnections(database)).map((connection) => ({
    connection,
    health: reports.filter(({ provider }) => provider === connection.code),
    float: floats.find(({ provider }) => provider === connection.code),
  }))
}

export async function getProvider({ database }: ProvidersContext, code: string): Promise<DetailedConnection> {
  if (!isPlain(code)) throw unknown('provider')
  const connection = await getConnection(database, code)
  const reports = await listHealthReports(database)
  return {
    connection,
    health: reports.filter(({ provider }) => provider === code),
    float: await findFloat(database, code),
    pack: (await findPackOf(database, code))?.pack ?? null,
    isPreparedAlone: await isPreparedAlone(database, code),
  }
}

export type HealthContext = {
  readonly database: Database
  /** The database's clock. */
  readonly nowMs: () => number
}

export const HEALTH_RULES = { hours: optional(count(1, HISTORY_HOURS_MAX), 24) }

/** Reads the health of a provider over time. The simulator of staging has no connection, and is measured too. */
export async function getProviderHealth(
  { database, nowMs }: HealthContext,
  code: string,
  query: { readonly hours?: string | undefined },
): Promise<HealthSeries> {
  const { hours } = readFields(HEALTH_RULES, query)
  if (!isPlain(code)) throw unknown('provider')
  const series = await readHealthSeries(database, { provider: code, hours, nowMs: nowMs() })
  if (series.total.attempts === 0) await getConnection(database, code)
  return series
}

/** Limit of the length of a product's or provider's code. */
const CODE_LENGTH_MAX = 50

export const ROUTE_LIST_RULES = {
  product: optional(plainText(CODE_LENGTH_MAX), null),
  provider: optional(plainText(CODE_LENGTH_MAX), null),
}

export function listTheseRoutes(
  { database }: ProvidersContext,
  query: { readonly product?: string | undefined; readonly provider?: string | undefined },
): Promise<Route[]> {
  const { product, provider } = readFields(ROUTE_LIST_RULES, query)
  return listRoutes(database, { productCode: product ?? undefined, provider: provider ?? undefined })
}
