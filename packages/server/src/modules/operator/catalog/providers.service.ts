import type { Database } from '../../../db/database.ts'
import { joined } from '../../../db/joined.ts'
import { assert } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { count, optional } from '../../../lib/input/parameters.ts'
import type { Approvals } from '../../approvals/types.ts'
import { audited, readReason } from '../../audit/service.ts'
import type { AuditLog } from '../../audit/types.ts'
import type { Catalog } from '../../catalog/product/store.types.ts'
import type { Consent } from '../../margins/service.ts'
import { getConnection, listConnections } from '../../providers/connections/connections.service.ts'
import { listRoutes } from '../../providers/connections/routing.service.ts'
import type { Route } from '../../providers/connections/routing.types.ts'
import { findFloat, listFloats } from '../../providers/float.service.ts'
import { listHealthReports } from '../../providers/health/health.service.ts'
import { HISTORY_HOURS_MAX } from '../../providers/health/history.rules.ts'
import { readHealthSeries } from '../../providers/health/history.service.ts'
import type { HealthSeries } from '../../providers/health/history.types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { isPlain, plainText, unknown } from '../console/pages.rules.ts'
import type { Asked } from './price-approvals.service.ts'
import {
  doOrRequestApproval,
  enablingRequest,
  removalRequest,
  routeRequest,
} from './price-approvals.service.ts'
import type { WatchedConnection } from './providers.view.ts'
import type { RouteGate, RouteKey, RouteSettings, SavedRoute } from './route-changes.service.ts'
import { byApi, writeRemoval, writeRoute, writeSwitch } from './route-changes.service.ts'

export type ProvidersContext = {
  readonly database: Database
  readonly log: AuditLog
  readonly catalog: Pick<Catalog, 'state'>
  readonly approvals: Pick<Approvals, 'request'>
  /** Largest change of a price, in percent, that one operator may make alone. */
  readonly priceChangeMaxPercent: number
}

export async function listProviders({
  database,
}: Pick<ProvidersContext, 'database'>): Promise<WatchedConnection[]> {
  const reports = await listHealthReports(database)
  const floats = await listFloats(database)
  return (await listConnections(database)).map((connection) => ({
    connection,
    health: reports.filter(({ provider }) => provider === connection.code),
    float: floats.find(({ provider }) => provider === connection.code),
  }))
}

export async function getProvider({ database }: ProvidersContext, code: string): Promise<WatchedConnection> {
  if (!isPlain(code)) throw unknown('provider')
  const connection = await getConnection(database, code)
  const reports = await listHealthReports(database)
  return {
    connection,
    health: reports.filter(({ provider }) => provider === code),
    float: await findFloat(database, code),
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

/**
 * Enables or disables a provider. Disabling never waits for a second person: an operator who is alone at night must be
 * able to stop orders to a supplier. Enabling waits when the provider charges more than a price.
 */
export async function switchProvider(
  context: ProvidersContext,
  caller: OperatorCaller,
  code: string,
  wish: { readonly isEnabled: boolean; readonly isLossAccepted: boolean; readonly reason: unknown },
): Promise<{ readonly done: WatchedConnection } | { readonly asked: Asked }> {
  const { isEnabled, isLossAccepted: isAccepted } = wish
  if (!isPlain(code)) throw unknown('provider')
  const reason = readReason(wish.reason)
  const action = isEnabled ? 'provider.enable' : 'provider.disable'
  const consent: Consent = isEnabled ? { kind: 'alone' } : { kind: 'stopping', isAccepted }
  const save = () =>
    audited(context.log, { caller, action, reason }, (tx, database) =>
      writeSwitch(tx, database, code, isEnabled, { ...gateOf(context), consent }),
    )
  const outcome = await doOrRequestApproval(context.approvals, caller, save, () =>
    enablingRequest(code, reason),
  )
  return 'asked' in outcome ? outcome : { done: await getProvider(context, code) }
}

function gateOf(context: ProvidersContext): Omit<RouteGate, 'consent'> {
  return { maxPercent: context.priceChangeMaxPercent, held: context.catalog.state() }
}

// ── Routes ──

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

export type PutRoute = {
  readonly settings: RouteSettings
  readonly reason: unknown
  readonly isDry: boolean
  /** Accepts a loss when a route is disabled: the remaining routes may charge more than the price. */
  readonly isLossAccepted?: boolean
}

/** Replaces all settings of the route: a setting that is left out returns to its default. */
export async function putRoute(
  context: ProvidersContext,
  caller: OperatorCaller,
  place: RouteKey,
  { settings, reason: given, isDry, isLossAccepted: isAccepted = false }: PutRoute,
): Promise<{ readonly done: SavedRoute } | { readonly asked: Asked }> {
  const reason = readReason(given)
  const gate = gateOf(context)
  if (isDry) return { done: await rehearseRoute(context, place, settings, gate) }
  const consent: Consent = settings.enabled === false ? { kind: 'stopping', isAccepted } : { kind: 'alone' }
  const save = () =>
    audited(context.log, { caller, action: 'route.set', reason }, (tx, database) =>
      writeRoute(tx, database, place, settings, { ...gate, consent }),
    )
  return doOrRequestApproval(context.approvals, caller, save, () => routeRequest(place, settings, reason))
}

const UNDONE = new Error('a dry run leaves nothing behind')

async function rehearseRoute(
  { database }: ProvidersContext,
  place: RouteKey,
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

/** Removes the route and returns it as it was. Disabling it stops its orders at once, without an approval. */
export function dropRoute(
  context: ProvidersContext,
  caller: OperatorCaller,
  place: RouteKey,
  { isToAny, reason: given }: { readonly isToAny: boolean; readonly reason: unknown },
): Promise<{ readonly done: SavedRoute } | { readonly asked: Asked }> {
  const reason = readReason(given)
  const remove = () =>
    audited(context.log, { caller, action: 'route.remove', reason }, (tx, database) =>
      writeRemoval(tx, database, place, byApi(isToAny), { ...gateOf(context), consent: { kind: 'alone' } }),
    )
  return doOrRequestApproval(context.approvals, caller, remove, () => removalRequest(place, isToAny, reason))
}
