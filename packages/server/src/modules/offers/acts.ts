import type { Tx } from '../../db/database.ts'
import { RequestError } from '../../lib/errors.ts'
import { shortReason } from '../../lib/input/records.ts'
import { act } from '../acts/service.ts'
import type { By, Texts } from '../acts/types.ts'
import { applyBase } from '../catalog/edit/base.service.ts'
import { lockCatalog } from '../catalog/operators.service.ts'
import { loadCatalog } from '../catalog/store/load.service.ts'
import { comparisonView } from '../margins/comparison.service.ts'
import { acceptedBy, missingConsent } from '../margins/consent.service.ts'
import type { SupplyWorld } from '../margins/routes.acts.ts'
import { judgeCatalog, judgeRoutes } from '../margins/service.ts'
import type { Comparison } from '../margins/types.ts'
import { lockProviders, providerTarget } from '../providers/acts.ts'
import { formatCost, formatWindow } from '../providers/connections/connections.rules.ts'
import { getConnection } from '../providers/connections/connections.service.ts'
import { routeRow } from '../providers/connections/operators.service.ts'
import { listRoutes, setRoute } from '../providers/connections/routing.service.ts'
import type { Route } from '../providers/connections/routing.types.ts'
import type { Provider } from '../providers/port/types.ts'
import { replaceProducts } from '../providers/products.service.ts'
import { readRates } from '../rates/service.ts'
import type { Acceptance, Ground } from './acceptance.rules.ts'
import { isClosedAt, planAcceptance } from './acceptance.rules.ts'
import { choose } from './choice.service.ts'
import type { AcceptInput } from './codec.ts'
import { ACCEPT_INPUT, REJECT_INPUT, SCHEDULE_INPUT, SYNC_INPUT } from './codec.ts'
import { placesOfProduct } from './places.rules.ts'
import { routeAfter } from './routes.rules.ts'
import { openShelf } from './shelf.rules.ts'
import { decideProposals, deleteOffers, listOffers, listSchedules, writeKnown, writeSchedule } from './sql.ts'
import { requireCatalogue, startSync } from './sync.service.ts'
import type { Accepted, Proposal, Rejected } from './types.ts'

export type SyncWorld = {
  readonly providerOf: (code: string) => Promise<Provider | undefined> | Provider | undefined
}

/** Begins to read a supplier's list; the reading that runs already where there is one. */
export const syncCatalogue = act({
  name: 'catalogue.sync',
  input: SYNC_INPUT,
  lock: lockProviders,
  async run(tx, { provider }, by: By<SyncWorld>) {
    await getConnection(tx, provider)
    requireCatalogue(await by.world.providerOf(provider), provider)
    const { sync, isNew } = await startSync(tx, provider, nameOf(by))
    if (!isNew) return { unchanged: sync }
    return {
      target: providerTarget({ code: provider }),
      before: null,
      after: { sync: String(sync.id) },
      result: sync,
    }
  },
})

/** Sets how often a supplier's list is read; null: never by itself. */
export const scheduleSync = act({
  name: 'catalogue.schedule',
  input: SCHEDULE_INPUT,
  lock: lockProviders,
  async run(tx, { provider, everyHours }) {
    await getConnection(tx, provider)
    const of = async () => (await listSchedules(tx)).find((each) => each.provider === provider)
    const before = await of()
    await writeSchedule(tx, provider, everyHours)
    return {
      target: providerTarget({ code: provider }),
      before: { every_hours: before?.everyHours ?? null },
      after: { every_hours: everyHours },
      result: { provider, schedule: await of() },
    }
  },
})

/** Keeps proposals from being made again, until the supplier says something else. */
export const rejectProposals = act({
  name: 'offers.reject',
  input: REJECT_INPUT,
  lock: lockProviders,
  async run(tx, wanted, by: By<unknown>) {
    const { provider } = wanted
    await getConnection(tx, provider)
    const { proposals, next } = await choose(tx, wanted, 'rejected')
    const result: Rejected = { provider, rejected: proposals.length, next }
    if (proposals.length === 0) return { unchanged: result }
    await decideProposals(tx, idsOf(proposals), 'rejected', nameOf(by))
    return {
      target: providerTarget({ code: provider }),
      before: null,
      after: { rejected: linesOf(proposals) },
      result,
    }
  },
})

/**
 * Takes over what proposals say: products, options and codes, costs, hours, and what is closed. It is compared with prices
 * as any change of routes, and a second person decides what loses money or moves far.
 */
export const acceptProposals = act({
  name: 'offers.accept',
  input: ACCEPT_INPUT,
  // In the order in which the changes of routes and of prices take these locks, too.
  async lock(tx) {
    await lockProviders(tx)
    await lockCatalog(tx)
  },
  approval: {
    kind: 'offers_accept',
    target: ({ provider }) => providerTarget({ code: provider }),
    write: ({ provider, ids, product, category }: AcceptInput): Texts => ({
      provider,
      product: product ?? null,
      category: category ?? null,
      ids: ids?.join(' ') ?? null,
    }),
    // Proposals of a rule are asked for by their ids: a second person approves those that were shown.
    read: ({ ids, product, category, provider }) =>
      ACCEPT_INPUT.read({
        provider,
        ids: ids?.split(' '),
        product: product ?? undefined,
        category: category ?? undefined,
      }),
  },
  async run(tx, wanted, by: By<SupplyWorld>) {
    const { provider, ids } = wanted
    const { config } = await getConnection(tx, provider)
    const { proposals, next } = await choose(tx, wanted, 'accepted')
    const ground = await readGround(tx, provider, config, proposals, by)
    const plan = planAcceptance(ground, proposals, wanted)
    if (ids !== undefined && plan.refused.length > 0) return { refuse: cannotAccept(plan.refused) }
    const { accepted, refused } = plan
    const none: Accepted = {
      provider,
      accepted,
      refused,
      next,
      routes: [],
      comparison: comparisonView(NOTHING),
    }
    if (accepted.length === 0) return { unchanged: none }
    const routes = await routesAfter(tx, ground, plan)
    const comparison = await change(tx, ground, plan, routes, by)
    await keepKnown(tx, provider, plan)
    await decideProposals(tx, idsOf(accepted), 'accepted', nameOf(by))
    const after = {
      accepted: linesOf(accepted),
      routes: routes.map(routeRow),
      ...acceptedBy(by.consent, comparison),
    }
    const shown = { proposals: idsOf(accepted).map(String), routes: after.routes }
    const missing = missingConsent(comparison, shown, by.consent)
    if (missing !== undefined) return withIds(missing, accepted)
    return {
      target: providerTarget({ code: provider }),
      before: { routes: presentOf(ground, routes).map(routeRow) },
      after,
      result: { ...none, routes, comparison: comparisonView(comparison) },
    }
  },
})

const NOTHING: Comparison = { findings: [], loss: 0n }

type Missing = NonNullable<ReturnType<typeof missingConsent>>

function withIds(missing: Missing, accepted: readonly Proposal[]): Missing {
  if (!('ask' in missing)) return missing
  const { shown, view } = missing.ask
  return { ask: { shown: { ...shown, ids: idsOf(accepted).join(' ') }, view } }
}

async function readGround(
  tx: Tx,
  provider: string,
  config: unknown,
  proposals: readonly Proposal[],
  by: By<SupplyWorld>,
): Promise<Ground> {
  const { base } = await loadCatalog(tx, by.world.held?.())
  const codes = proposals.map(({ code }) => code)
  return {
    provider,
    config,
    shelf: openShelf(base),
    rates: await readRates(tx),
    routes: await listRoutes(tx),
    known: new Map((await listOffers(tx, provider, codes)).map((row) => [row.code, row.known])),
  }
}

/** Returns the routes that are new, or differ from what they were. */
async function routesAfter(
  tx: Tx,
  ground: Ground,
  { products, config, known }: Acceptance,
): Promise<Route[]> {
  const { provider, shelf, rates } = ground
  const bought = new Map([...products].map((code) => [code, placesOfProduct(config, code)]))
  const codes = [...bought.values()].flatMap((places) => places.map(([code]) => code))
  const rows = new Map((await listOffers(tx, provider, codes)).map((row) => [row.code, row.known]))
  const routes: Route[] = []
  for (const [code, places] of bought) {
    const product = shelf.product(code)
    if (product === undefined) continue
    const route = routeAfter({
      provider,
      product,
      rates,
      shelf,
      routes: ground.routes.filter(({ productCode }) => productCode === code || productCode === '*'),
      bought: places.map(([offer, place]) => ({ place, known: known.get(offer) ?? rows.get(offer) ?? null })),
      wasClosed: isClosedAt(ground.config, code),
    })
    if (route !== undefined && !isPresent(ground, route)) routes.push(route)
  }
  return routes
}

function presentOf({ routes }: Ground, changed: readonly Route[]): Route[] {
  const keys = new Set(changed.map(keyOf))
  return routes.filter((route) => keys.has(keyOf(route)))
}

function isPresent(ground: Ground, route: Route): boolean {
  const [present] = presentOf(ground, [route])
  return present !== undefined && JSON.stringify(routeRow(present)) === JSON.stringify(routeRow(route))
}

function keyOf({ productCode, provider }: Route): string {
  return `${productCode}\n${provider}`
}

/** Changes codes, routes and catalogue, and compares the market before and after. */
async function change(
  tx: Tx,
  { provider, config, shelf }: Ground,
  plan: Acceptance,
  routes: readonly Route[],
  by: By<SupplyWorld>,
): Promise<Comparison> {
  const { maxPercent, held } = by.world
  const work = async () => {
    if (plan.config !== config) await replaceProducts(tx, provider, plan.config)
    for (const route of routes) {
      const { windows, cost, ...rest } = route
      await setRoute(by.database, { ...rest, cost: formatCost(cost), windows: windows.map(formatWindow) })
    }
  }
  const { comparison } = await judgeRoutes(tx, maxPercent, work, held?.())
  const { judge, found } = judgeCatalog(maxPercent)
  await applyBase(by.database, shelf.change(), shortReason(by.reason), { judge, held: held?.() })
  const { findings, loss } = found()
  return { findings: [...comparison.findings, ...findings], loss: comparison.loss + loss }
}

async function keepKnown(tx: Tx, provider: string, { known, accepted }: Acceptance): Promise<void> {
  await writeKnown(tx, provider, known)
  const gone = new Set(accepted.flatMap(({ kind, code }) => (kind === 'gone' ? [code] : [])))
  await deleteOffers(tx, provider, [...gone])
}

function cannotAccept(refused: Acceptance['refused']): RequestError {
  const fields = refused.map(({ proposal, reason }) => [
    `ids.${proposal.id}`,
    [`${proposal.code}: ${reason}`],
  ])
  return new RequestError({
    status: 409,
    code: 'proposals_refused',
    publicText: `${refused.length} of the proposals cannot be accepted as they are. Nothing was changed.`,
    fields: Object.fromEntries(fields),
  })
}

function idsOf(proposals: readonly Proposal[]): bigint[] {
  return proposals.map(({ id }) => id)
}

function linesOf(proposals: readonly Proposal[]): string[] {
  return proposals.map(({ kind, code }) => `${kind} ${code}`)
}

function nameOf({ consent, caller }: By<unknown>): string {
  if (consent.kind === 'approved') return consent.approval.requestedBy.email
  return caller.kind === 'operator' ? caller.email : caller.kind === 'member' ? caller.username : caller.name
}
