import type { Database } from '../../db/database.ts'
import { audited } from '../audit/service.ts'
import type { AuditLog } from '../audit/types.ts'
import { enableConnection, getConnection, listConnections } from '../providers/connections.service.ts'
import { connectionRow, routeRow } from '../providers/desk.service.ts'
import { listHealthReports } from '../providers/health.service.ts'
import { listRoutes, removeRoute, setRoute } from '../providers/routing.service.ts'
import type { Route } from '../providers/routing.types.ts'
import type { OperatorCaller } from '../sessions/types.ts'
import { isPlain, unknown } from './desk.rules.ts'
import { lockSubject } from './desk.sql.ts'
import type { WatchedConnection } from './providers.view.ts'

export type ProvidersDesk = { readonly database: Database; readonly log: AuditLog }

export async function listProviders({ database }: ProvidersDesk): Promise<WatchedConnection[]> {
  const reports = await listHealthReports(database)
  return (await listConnections(database)).map((connection) => ({
    connection,
    health: reports.filter(({ provider }) => provider === connection.code),
  }))
}

export async function getProvider({ database }: ProvidersDesk, code: string): Promise<WatchedConnection> {
  if (!isPlain(code)) throw unknown('provider')
  const connection = await getConnection(database, code)
  const reports = await listHealthReports(database)
  return { connection, health: reports.filter(({ provider }) => provider === code) }
}

/** A disabled provider takes no new orders; those that it has are still asked about. */
export async function switchProvider(
  desk: ProvidersDesk,
  caller: OperatorCaller,
  code: string,
  { isEnabled, reason }: { readonly isEnabled: boolean; readonly reason: unknown },
): Promise<WatchedConnection> {
  if (!isPlain(code)) throw unknown('provider')
  const action = isEnabled ? 'provider.enable' : 'provider.disable'
  await audited(desk.log, { caller, action, reason }, async (tx, database) => {
    await lockSubject(tx, 'providers')
    const before = await getConnection(database, code)
    const after = await enableConnection({ database }, code, isEnabled)
    return {
      target: { kind: 'provider', id: code },
      before: connectionRow(before),
      after: connectionRow(after),
      result: undefined,
    }
  })
  return getProvider(desk, code)
}

// ── Routes ──

export function listTheseRoutes(
  { database }: ProvidersDesk,
  query: { readonly product?: string | undefined; readonly provider?: string | undefined },
): Promise<Route[]> {
  return listRoutes(database, {
    productCode: query.product || undefined,
    provider: query.provider || undefined,
  })
}

export type RoutePlace = { readonly product: string; readonly provider: string }

export type RouteSettings = {
  readonly priority?: number | undefined
  readonly weight?: number | null | undefined
  readonly cost?: string | null | undefined
  readonly windows?: readonly string[] | undefined
  readonly enabled?: boolean | undefined
}

const USUAL_WEIGHT = 100

/** As it should be from now on: what is left out is as if it had never been given. */
export function putRoute(
  desk: ProvidersDesk,
  caller: OperatorCaller,
  { product, provider }: RoutePlace,
  { settings, reason }: { readonly settings: RouteSettings; readonly reason: unknown },
): Promise<Route> {
  return audited(desk.log, { caller, action: 'route.set', reason }, async (tx, database) => {
    await lockSubject(tx, 'providers')
    const [before] = await listRoutes(database, { productCode: product, provider })
    const after = await setRoute(database, {
      productCode: product,
      provider,
      priority: settings.priority ?? 1,
      weight: settings.weight === undefined ? USUAL_WEIGHT : settings.weight,
      cost: settings.cost ?? null,
      windows: settings.windows ?? [],
      isEnabled: settings.enabled ?? true,
    })
    return {
      target: { kind: 'route', id: `${product}/${provider}` },
      before: before === undefined ? null : routeRow(before),
      after: routeRow(after),
      result: after,
    }
  })
}

/** Returns it as it was. */
export function dropRoute(
  desk: ProvidersDesk,
  caller: OperatorCaller,
  { product, provider }: RoutePlace,
  { isToAny, reason }: { readonly isToAny: boolean; readonly reason: unknown },
): Promise<Route> {
  return audited(desk.log, { caller, action: 'route.remove', reason }, async (tx, database) => {
    await lockSubject(tx, 'providers')
    const [before] = await listRoutes(database, { productCode: product, provider })
    if (before === undefined) throw unknown('route')
    await removeRoute(database, product, provider, { isToAny, toAnyWords: '"to_any": true' })
    return {
      target: { kind: 'route', id: `${product}/${provider}` },
      before: routeRow(before),
      after: null,
      result: before,
    }
  })
}
