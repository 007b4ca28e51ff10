import type { Database } from '../../../db/database.ts'
import { joined } from '../../../db/joined.ts'
import { assert } from '../../../lib/errors.ts'
import type { Approvals } from '../../approvals/types.ts'
import { audited, readReason } from '../../audit/service.ts'
import type { AuditLog } from '../../audit/types.ts'
import type { Catalog } from '../../catalog/product/store.types.ts'
import {
  enableConnection,
  getConnection,
  listConnections,
} from '../../providers/connections/connections.service.ts'
import { connectionRow, routeRow } from '../../providers/connections/operators.service.ts'
import { listRoutes, removeRoute } from '../../providers/connections/routing.service.ts'
import type { Route } from '../../providers/connections/routing.types.ts'
import { listHealthReports } from '../../providers/health/health.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { isPlain, unknown } from '../console/pages.rules.ts'
import { lockSubject } from '../console/sql.ts'
import type { Asked } from './price-approvals.service.ts'
import { doOrAsk, routeRequest } from './price-approvals.service.ts'
import type { WatchedConnection } from './providers.view.ts'
import type { RouteGate, RoutePlace, RouteSettings, SavedRoute } from './route-changes.service.ts'
import { routeTarget, writeRoute } from './route-changes.service.ts'

export type ProvidersContext = {
  readonly database: Database
  readonly log: AuditLog
  readonly catalog: Pick<Catalog, 'state'>
  readonly approvals: Pick<Approvals, 'request'>
  /** A price may move by so many percent by one person's word. */
  readonly priceChangeMaxPercent: number
}

export async function listProviders({ database }: ProvidersContext): Promise<WatchedConnection[]> {
  const reports = await listHealthReports(database)
  return (await listConnections(database)).map((connection) => ({
    connection,
    health: reports.filter(({ provider }) => provider === connection.code),
  }))
}

export async function getProvider({ database }: ProvidersContext, code: string): Promise<WatchedConnection> {
  if (!isPlain(code)) throw unknown('provider')
  const connection = await getConnection(database, code)
  const reports = await listHealthReports(database)
  return { connection, health: reports.filter(({ provider }) => provider === code) }
}

/** A disabled provider takes no new orders; those that it has are still asked about. */
export async function switchProvider(
  context: ProvidersContext,
  caller: OperatorCaller,
  code: string,
  { isEnabled, reason }: { readonly isEnabled: boolean; readonly reason: unknown },
): Promise<WatchedConnection> {
  if (!isPlain(code)) throw unknown('provider')
  const action = isEnabled ? 'provider.enable' : 'provider.disable'
  await audited(context.log, { caller, action, reason }, async (tx, database) => {
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
  return getProvider(context, code)
}

// ── Routes ──

export function listTheseRoutes(
  { database }: ProvidersContext,
  query: { readonly product?: string | undefined; readonly provider?: string | undefined },
): Promise<Route[]> {
  return listRoutes(database, {
    productCode: query.product || undefined,
    provider: query.provider || undefined,
  })
}

/** As it should be from now on: what is left out is as if it had never been given. */
export async function putRoute(
  context: ProvidersContext,
  caller: OperatorCaller,
  place: RoutePlace,
  { settings, reason: given, isDry }: { settings: RouteSettings; reason: unknown; isDry: boolean },
): Promise<{ readonly done: SavedRoute } | { readonly asked: Asked }> {
  const reason = readReason(given)
  const gate = { maxPercent: context.priceChangeMaxPercent, held: context.catalog.state() }
  if (isDry) return { done: await rehearseRoute(context, place, settings, gate) }
  const save = () =>
    audited(context.log, { caller, action: 'route.set', reason }, (tx, database) =>
      writeRoute(tx, database, place, settings, { ...gate, consent: { kind: 'alone' } }),
    )
  return doOrAsk(context.approvals, caller, save, () => routeRequest(place, settings, reason))
}

const UNDONE = new Error('a dry run leaves nothing behind')

async function rehearseRoute(
  { database }: ProvidersContext,
  place: RoutePlace,
  settings: RouteSettings,
  gate: Omit<RouteGate, 'consent'>,
): Promise<SavedRoute> {
  let saved: SavedRoute | undefined
  const rehearsal = database.transaction(async (tx) => {
    const consent = { kind: 'none needed' } as const
    saved = (await writeRoute(tx, joined(tx, database), place, settings, { ...gate, consent })).result
    throw UNDONE
  })
  await rehearsal.catch((error: unknown) => {
    if (error !== UNDONE) throw error
  })
  assert(saved !== undefined, 'a dry run ends with its result')
  return saved
}

/** Returns it as it was. */
export function dropRoute(
  context: ProvidersContext,
  caller: OperatorCaller,
  { product, provider }: RoutePlace,
  { isToAny, reason }: { readonly isToAny: boolean; readonly reason: unknown },
): Promise<Route> {
  return audited(context.log, { caller, action: 'route.remove', reason }, async (tx, database) => {
    await lockSubject(tx, 'providers')
    const [before] = await listRoutes(database, { productCode: product, provider })
    if (before === undefined) throw unknown('route')
    await removeRoute(database, product, provider, { isToAny, toAnyWords: '"to_any": true' })
    return {
      target: routeTarget({ product, provider }),
      before: routeRow(before),
      after: null,
      result: before,
    }
  })
}
