import type { Database, Tx } from '../../../db/database.ts'
import { assert, invalidFields } from '../../../lib/errors.ts'
import { noSuchName } from '../../../lib/input/nearest.ts'
import type { Done } from '../../audit/types.ts'
import { listProductCodes } from '../../catalog/operators.service.ts'
import type { CatalogState } from '../../catalog/product/store.types.ts'
import { comparisonView } from '../../margins/comparison.service.ts'
import type { Consent } from '../../margins/service.ts'
import { acceptedBy, judgeRoutes, requireConsent } from '../../margins/service.ts'
import type { ComparisonView } from '../../margins/types.ts'
import { enableConnection, getConnection } from '../../providers/connections/connections.service.ts'
import { connectionRow, routeRow } from '../../providers/connections/operators.service.ts'
import { listRoutes, removeRoute, setRoute } from '../../providers/connections/routing.service.ts'
import type { Route } from '../../providers/connections/routing.types.ts'
import { ANY_PRODUCT } from '../../providers/connections/routing.types.ts'
import { lockSubject } from '../console/sql.ts'

export type RouteKey = { readonly product: string; readonly provider: string }

export type RouteSettings = {
  readonly priority?: number | undefined
  readonly weight?: number | null | undefined
  readonly cost?: string | null | undefined
  readonly windows?: readonly string[] | undefined
  readonly enabled?: boolean | undefined
}

export type RouteGate = {
  readonly maxPercent: number
  readonly consent: Consent
  /** The node's own view of the catalogue. It is used when it has the present version. */
  readonly held?: CatalogState | undefined
}

export type SavedRoute = { readonly route: Route; readonly comparison: ComparisonView }

const USUAL_WEIGHT = 100

/** Locks providers and routes: what is read after it is what a change is made to. */
export async function lockProviders(tx: Tx): Promise<void> {
  await lockSubject(tx, 'providers')
}

/** Writes the route within the caller's transaction. */
export async function writeRoute(
  tx: Tx,
  database: Database,
  { product, provider }: RouteKey,
  settings: RouteSettings,
  { maxPercent, consent, held }: RouteGate,
): Promise<Done<SavedRoute>> {
  await lockProviders(tx)
  await refuseUnknownProduct(tx, product)
  const [before] = await listRoutes(database, { productCode: product, provider })
  const save = () =>
    setRoute(database, {
      productCode: product,
      provider,
      priority: settings.priority ?? 1,
      weight: settings.weight === undefined ? USUAL_WEIGHT : settings.weight,
      cost: settings.cost ?? null,
      windows: settings.windows ?? [],
      isEnabled: settings.enabled ?? true,
    })
  const { result: route, comparison } = await judgeRoutes(tx, maxPercent, save, held)
  const change = { before: before === undefined ? null : routeRow(before), after: routeRow(route) }
  requireConsent(comparison, change, consent)
  return {
    target: routeTarget({ product, provider }),
    before: change.before,
    after: { ...change.after, ...acceptedBy(consent, comparison) },
    result: { route, comparison: comparisonView(comparison) },
  }
}

/** Tells whether `*` may take the product of a last route, and by which words the caller says so. */
export type ToAny = { readonly isToAny: boolean; readonly toAnyText: string }

export function byApi(isToAny: boolean): ToAny {
  return { isToAny, toAnyText: '"to_any": true' }
}

/** Removes a route within the caller's transaction. The result is the route as it was. */
export async function writeRemoval(
  tx: Tx,
  database: Database,
  { product, provider }: RouteKey,
  toAny: ToAny,
  { maxPercent, consent, held }: RouteGate,
): Promise<Done<SavedRoute>> {
  await lockProviders(tx)
  const [route] = await listRoutes(database, { productCode: product, provider })
  const remove = () => removeRoute(database, product, provider, toAny)
  const { comparison } = await judgeRoutes(tx, maxPercent, remove, held)
  assert(route !== undefined, 'a route that was removed was there')
  const before = routeRow(route)
  requireConsent(comparison, { before, after: null }, consent)
  const { accepted } = acceptedBy(consent, comparison)
  const result = { route, comparison: comparisonView(comparison) }
  const after = accepted === undefined ? null : { accepted }
  return { target: routeTarget({ product, provider }), before, after, result }
}

/** Lets a provider take orders, or stops them, within the caller's transaction. */
export async function writeSwitch(
  tx: Tx,
  database: Database,
  code: string,
  isEnabled: boolean,
  { maxPercent, consent, held }: RouteGate,
): Promise<Done<ComparisonView>> {
  await lockProviders(tx)
  const before = await getConnection(database, code)
  const save = () => enableConnection({ database }, code, isEnabled)
  const { result: after, comparison } = await judgeRoutes(tx, maxPercent, save, held)
  // The rows are not sealed: they hold the time of the last change, which would differ at the approval.
  requireConsent(comparison, { before: before.isEnabled, after: isEnabled }, consent)
  return {
    target: { kind: 'provider', id: code },
    before: connectionRow(before),
    after: { ...connectionRow(after), ...acceptedBy(consent, comparison) },
    result: comparisonView(comparison),
  }
}

export function routeTarget({ product, provider }: RouteKey) {
  return { kind: 'route', id: `${product}/${provider}` }
}

/** Refuses an unknown product with 400 and the nearest codes. */
async function refuseUnknownProduct(tx: Tx, product: string): Promise<void> {
  if (product === ANY_PRODUCT) return
  const codes = await listProductCodes(tx)
  if (!codes.includes(product)) throw invalidFields({ product: [noSuchName('product', product, codes)] })
}
