import { Type } from 'typebox'
import type { Tx } from '../../db/database.ts'
import type { Infer } from '../../http/codec.ts'
import { input, member, optionalMember } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { orNull } from '../../http/schemas.ts'
import { assert, invalidFields } from '../../lib/errors.ts'
import { PROVIDER_CODE } from '../../lib/input/codes.ts'
import { BOOLEAN, checked } from '../../lib/input/fields.ts'
import { noSuchName } from '../../lib/input/nearest.ts'
import { act } from '../acts/service.ts'
import type { By, Texts } from '../acts/types.ts'
import type { CatalogState } from '../catalog/model/store.types.ts'
import { listProductCodes } from '../catalog/operators.service.ts'
import { lockProviders, providerTarget } from '../providers/acts.ts'
import type { CountUnfinished } from '../providers/connections/connections.service.ts'
import {
  enableConnection,
  getConnection,
  removeConnection,
} from '../providers/connections/connections.service.ts'
import { connectionRow, ROUTE_FIELDS, routeRow } from '../providers/connections/operators.service.ts'
import { endPreparation, isPreparedAlone } from '../providers/connections/prepared.service.ts'
import { listRoutes, removeRoute, setRoute } from '../providers/connections/routing.service.ts'
import type { Route } from '../providers/connections/routing.types.ts'
import { ANY_PRODUCT } from '../providers/connections/routing.types.ts'
import { comparisonView } from './comparison.service.ts'
import { acceptedBy, missingConsent, secondPersonFor } from './consent.service.ts'
import { judgeRoutes } from './service.ts'
import type { ComparisonView } from './types.ts'

// Changes of routes, and of the providers that may take orders. What the cheapest route charges decides whether a price
// loses money, so each is compared with the prices before it is kept.

export type SupplyWorld = {
  /** Largest change of a price, in percent, that one person may make alone. */
  readonly maxPercent: number
  /** Node's own view of the catalogue, which is used if it is of the present version. */
  readonly held?: () => CatalogState
}

export type SavedRoute = { readonly route: Route; readonly comparison: ComparisonView }

const ROUTE_KEY = {
  product: member(ROUTE_FIELDS.productCode, { description: 'Or *' }),
  provider: member(ROUTE_FIELDS.provider),
}

const ACCEPT_LOSS = optionalMember(BOOLEAN, {
  description: 'Stop its orders although the routes that are left charge more than a price',
})

const ROUTE_SETTINGS = {
  priority: optionalMember(ROUTE_FIELDS.priority, {
    description: '1 when left out',
    option: { value: 'NUMBER', help: '1 to 1000 (default 1); the smallest is first' },
  }),
  weight: optionalMember(checked<number | null>(ROUTE_FIELDS.weight), {
    schema: orNull(documentedAs(ROUTE_FIELDS.weight, Type.Integer()), '100 when left out; null: by cost'),
    option: { value: 'NUMBER', help: '0 to 1000 (default 100): its share within its priority' },
  }),
  cost: optionalMember(checked<string | null>(ROUTE_FIELDS.cost), {
    schema: orNull(documentedAs(ROUTE_FIELDS.cost, Type.String())),
    option: { help: "the provider's charge: 97.5% of the face value, or an amount per order" },
  }),
  windows: optionalMember(checked<readonly string[]>(ROUTE_FIELDS.windows), {
    option: {
      name: 'window',
      value: 'WINDOW',
      help: 'when it is open, by GMT+8: 08:00-22:30, or mon-fri,sun 22:00-02:00; always where none is given',
    },
  }),
  enabled: optionalMember(BOOLEAN, { description: 'true when left out' }),
}

const ROUTE_INPUT = input({ ...ROUTE_KEY, ...ROUTE_SETTINGS, acceptLoss: ACCEPT_LOSS })
type RouteInput = Infer<typeof ROUTE_INPUT>

const USUAL_WEIGHT = 100

/** Lets a provider fulfil a product, or replaces all settings of the route. */
export const writeRoute = act({
  name: 'route.set',
  input: ROUTE_INPUT,
  lock: lockProviders,
  approval: {
    kind: 'route_change',
    target: routeTarget,
    write({ product, provider, acceptLoss: _, ...settings }: RouteInput): Texts {
      return { product, provider, settings: JSON.stringify(settings) }
    },
    read: ({ product, provider, settings }) =>
      ROUTE_INPUT.read({ ...(JSON.parse(settings ?? '{}') as object), product, provider }),
  },
  async run(tx, { product, provider, acceptLoss, ...settings }, by: By<SupplyWorld>) {
    await refuseUnknownProduct(tx, product)
    const [present] = await listRoutes(tx, { productCode: product, provider })
    const before = present === undefined ? null : routeRow(present)
    const { result: route, comparison } = await judge(tx, by, () =>
      setRoute(by.database, {
        productCode: product,
        provider,
        priority: settings.priority ?? 1,
        weight: settings.weight === undefined ? USUAL_WEIGHT : settings.weight,
        cost: settings.cost ?? null,
        windows: settings.windows ?? [],
        isEnabled: settings.enabled ?? true,
      }),
    )
    const stopping = settings.enabled === false ? { isAccepted: acceptLoss === true } : undefined
    const after = routeRow(route)
    return (
      missingConsent(comparison, { before, after }, by.consent, stopping) ?? {
        target: routeTarget({ product, provider }),
        before,
        after: { ...after, ...acceptedBy(by.consent, comparison, stopping) },
        result: { route, comparison: comparisonView(comparison) },
      }
    )
  },
})

const REMOVAL = input({
  ...ROUTE_KEY,
  toAny: optionalMember(BOOLEAN, {
    description: "When it is the product's last, the product may be sold through *",
    option: {
      help: "when it is the product's last, the product may be sold through * from now on",
    },
  }),
})
type Removal = Infer<typeof REMOVAL>

/** Removes a route; the result is the route as it was. Disabling it stops its orders at once, without an approval. */
export const dropRoute = act({
  name: 'route.remove',
  input: REMOVAL,
  lock: lockProviders,
  approval: {
    kind: 'route_removal',
    target: routeTarget,
    write: ({ toAny = false, ...place }: Removal): Texts => ({ ...place, to_any: String(toAny) }),
    read: ({ product, provider, to_any: toAny }) =>
      REMOVAL.read({ product, provider, to_any: toAny === 'true' }),
  },
  async run(tx, { product, provider, toAny = false }, by: By<SupplyWorld>) {
    const [route] = await listRoutes(tx, { productCode: product, provider })
    const toAnyText = by.consent.kind === 'accepted' ? '--to-any' : '"to_any": true'
    const { comparison } = await judge(tx, by, () =>
      removeRoute(by.database, product, provider, { isToAny: toAny, toAnyText }),
    )
    assert(route !== undefined, 'a route that was removed was there')
    const before = routeRow(route)
    const { accepted } = acceptedBy(by.consent, comparison)
    return (
      missingConsent(comparison, { before, after: null }, by.consent) ?? {
        target: routeTarget({ product, provider }),
        before,
        after: accepted === undefined ? null : { accepted },
        result: { route, comparison: comparisonView(comparison) },
      }
    )
  },
})

const SWITCH = input({
  code: member(PROVIDER_CODE, { identifies: 'provider' }),
  enabled: member(BOOLEAN),
  acceptLoss: ACCEPT_LOSS,
})

/**
 * Lets a provider take orders, or sends it no new ones. Disabling never waits for a second person: an operator who is
 * alone at night must be able to stop orders to a supplier. Enabling waits when the provider charges more than a price,
 * and when one person alone prepared the connection.
 */
export const switchProvider = act({
  name: ({ enabled }: Infer<typeof SWITCH>) => (enabled ? 'provider.enable' : 'provider.disable'),
  input: SWITCH,
  lock: lockProviders,
  approval: {
    kind: 'provider_switch',
    target: providerTarget,
    write: ({ code }): Texts => ({ code }),
    // Only enabling is ever asked for.
    read: ({ code }) => SWITCH.read({ code, enabled: true }),
  },
  async run(tx, { code, enabled, acceptLoss }, by: By<SupplyWorld>) {
    const before = await getConnection(by.database, code)
    const { result: after, comparison } = await judge(tx, by, () =>
      enableConnection({ database: by.database }, code, enabled),
    )
    const stopping = enabled ? undefined : { isAccepted: acceptLoss === true }
    // The rows are not sealed: they hold the time of the last change, which would differ at the approval.
    const isPrepared = enabled && (await isPreparedAlone(tx, code))
    const change = {
      before: before.isEnabled,
      after: enabled,
      ...(isPrepared && { version: before.version }),
    }
    if (isPrepared && by.consent.kind === 'alone') return { ask: secondPersonFor(comparison, change) }
    if (isPrepared) await endPreparation(tx, code)
    return (
      missingConsent(comparison, change, by.consent, stopping) ?? {
        target: providerTarget({ code }),
        before: connectionRow(before),
        after: { ...connectionRow(after), ...acceptedBy(by.consent, comparison, stopping) },
        result: { connection: after, comparison: comparisonView(comparison) },
      }
    )
  },
})

function judge<T>(tx: Tx, { world }: By<SupplyWorld>, work: () => Promise<T>) {
  return judgeRoutes(tx, world.maxPercent, work, world.held?.())
}

function routeTarget({ product, provider }: { readonly product: string; readonly provider: string }) {
  return { kind: 'route', id: `${product}/${provider}` }
}

/** Refuses an unknown product with 400 and the nearest codes. */
async function refuseUnknownProduct(tx: Tx, product: string): Promise<void> {
  if (product === ANY_PRODUCT) return
  const codes = await listProductCodes(tx)
  if (!codes.includes(product)) throw invalidFields({ product: [noSuchName('product', product, codes)] })
}

/** Removes a provider without unfinished payments or voids, with its routes. */
export const dropProvider = act({
  name: 'provider.remove',
  input: input({
    code: member(PROVIDER_CODE, { identifies: 'provider' }),
    toAny: optionalMember(BOOLEAN, {
      option: { help: 'products that have no other route may be sold through * from now on' },
    }),
  }),
  lock: lockProviders,
  async run(
    tx,
    { code, toAny = false },
    by: By<SupplyWorld & { readonly countUnfinished: CountUnfinished }>,
  ) {
    const before = connectionRow(await getConnection(by.database, code))
    const { comparison } = await judge(tx, by, () =>
      removeConnection(
        { database: by.database, countUnfinished: by.world.countUnfinished, isToAny: toAny },
        code,
      ),
    )
    const { accepted } = acceptedBy(by.consent, comparison)
    return (
      missingConsent(comparison, before, by.consent) ?? {
        target: providerTarget({ code }),
        before,
        after: accepted === undefined ? null : { accepted },
        result: comparisonView(comparison),
      }
    )
  },
})
