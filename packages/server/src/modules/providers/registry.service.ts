import type { Database, Queryable } from '../../db/database.ts'
import { startFollowing } from '../../db/follower.ts'
import { inSnapshot } from '../../db/snapshots.ts'
import type { Vault } from '../../db/vault.ts'
import type { Reporting } from './ambiguous.service.ts'
import { reportingAnswers } from './ambiguous.service.ts'
import { breakerOf, readLimits } from './connections/connections.rules.ts'
import { openSecrets } from './connections/connections.service.ts'
import type { ConnectionRow } from './connections/connections.sql.ts'
import {
  listConnectionRows,
  listRouteRows,
  PROVIDERS_CHANNEL,
  readVersion,
} from './connections/connections.sql.ts'
import type { ConnectionLimits, ConnectorKind, Secrets } from './connections/connections.types.ts'
import type { CompiledRoutes } from './connections/routing.rules.ts'
import { candidatesOf, chooseRoute, compileRoutes, routesOf } from './connections/routing.rules.ts'
import { toRoute } from './connections/routing.service.ts'
import type {
  Admission,
  Health,
  Observation,
  ProductHealth,
  RouteChoice,
  RouteRequest,
} from './connections/routing.types.ts'
import type { HealthBoard, Measurement, Watched } from './health/health.service.ts'
import { openHealth } from './health/health.service.ts'
import type { Provider } from './port/types.ts'
import { STOCK_KIND } from './stock/service.ts'

/** Registry of providers and their routes. */
export type Providers = {
  /** Chooses the provider of an order; in memory, without side effects. */
  choose(request: RouteRequest): RouteChoice
  /** Finds the provider that a payment names, even when it takes no new orders. */
  byCode(code: string): Provider | undefined
  list(): readonly Provider[]
  /** False: it is disabled or removed. Its present orders are still queried. */
  takesOrders(code: string): boolean
  /**
   * Admits an order right before it is sent: the chosen provider may have become ill since. Each `send` is observed
   * once.
   */
  admit(code: string): Admission
  /** Reports every order sent, because health is measured by live traffic. */
  observe(code: string, observation: Observation): void
  /** Health by the reports of all nodes. */
  healthOf(code: string): Health
  isOpen(code: string): boolean
  /** Interrupted: no provider of the product takes orders now. */
  productHealth(productCode: string): ProductHealth
}

export type OpenProviders = Providers & {
  /** Reads the database now instead of at the next poll. */
  refresh(): Promise<void>
  /** Returns this node's own measurements, for its metrics. */
  measurements(): readonly Measurement[]
  /** Sends this node's measurements to the other nodes and reads theirs. */
  shareHealth(): Promise<void>
  close(): Promise<void>
}

export type RegistrySettings = Reporting & {
  readonly database: Database
  readonly vault: Vault
  readonly kinds: ReadonlyMap<string, ConnectorKind>
  /** Provider for products without a route; it is never found ill. Staging's simulator. */
  readonly fallback: Provider | undefined
  /** Time for which a node has a payment to itself: an order that may take longer could never be sent. */
  readonly leaseMs: number
  /** Groups of resellers that send orders to the same accounts at suppliers; left out: this one alone. */
  readonly groups?: (() => number) | undefined
  /** The database's clock, for time windows. */
  readonly nowMs: () => number
  readonly onProblem: (text: string, error: unknown) => void
  readonly random?: () => number
  /** Tests control these themselves. */
  readonly monotonicMs?: () => number
  readonly pollMs?: number
  readonly shareEveryMs?: number
}

const POLL_MS = 1_000
const STATEMENT_TIMEOUT_MS = 5_000

type Connected = {
  readonly version: bigint
  readonly isEnabled: boolean
  readonly provider: Provider
  readonly watched: Watched
}

type State = {
  readonly version: bigint
  readonly connected: ReadonlyMap<string, Connected>
  readonly routes: CompiledRoutes
  /** Connections whose secrets could not be opened, perhaps for a temporary reason. */
  readonly unreadable: ReadonlySet<string>
}

/**
 * Follows the changes of connections and routes by all nodes. Each version is built completely beside the one in use
 * and replaces it in one assignment. A connection that did not change keeps its provider, and orders under way end at
 * the provider they began with.
 */
export async function openRegistry(given: RegistrySettings): Promise<OpenProviders> {
  const { database, onProblem, monotonicMs, shareEveryMs } = given
  const fallback = given.fallback && limited(given.fallback, {}, given.leaseMs)
  const settings = { ...given, fallback }
  const health = openHealth({
    database,
    onProblem,
    clockMs: given.nowMs,
    ...(monotonicMs && { nowMs: monotonicMs }),
    ...(shareEveryMs && { everyMs: shareEveryMs }),
  })
  let state: State = {
    version: 0n,
    connected: new Map(),
    routes: compileRoutes([], () => undefined, fallback),
    unreadable: new Set(),
  }

  async function catchUp(connection: Queryable): Promise<void> {
    const version = await readVersion(connection)
    if (version === state.version) return
    const loaded = await load(settings, connection, state)
    health.watch([...loaded.connected.values(), ...watchedFallback(fallback)].map(({ watched }) => watched))
    // Connections that could not be read are read again at the next poll.
    state = { version: loaded.unreadable.size === 0 ? version : state.version, ...loaded }
  }

  const follower = await startFollowing({
    database,
    what: 'the list of providers',
    channel: PROVIDERS_CHANNEL,
    pollMs: settings.pollMs ?? POLL_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    catchUp,
    onProblem,
  }).catch(async (error: unknown) => {
    await health.close()
    throw error
  })

  return {
    ...providersBy(settings, health, () => state),
    refresh: () => follower.refresh(),
    measurements: health.measurements,
    shareHealth: () => health.share(),
    async close() {
      await follower.close()
      await health.close()
    },
  }
}

function providersBy(
  { fallback, nowMs, random = Math.random }: RegistrySettings,
  health: HealthBoard,
  state: () => State,
): Providers {
  const world = { acceptsOrders: health.acceptsOrders, nowMs, random }
  const { isOpen } = health
  return {
    choose: (request) => chooseRoute(state().routes, request, world),
    byCode: (code) =>
      state().connected.get(code)?.provider ?? (fallback?.code === code ? fallback : undefined),
    list() {
      const connected = [...state().connected.values()].map(({ provider }) => provider)
      return fallback === undefined ? connected : [...connected, fallback]
    },
    takesOrders: (code) => state().connected.get(code)?.isEnabled ?? fallback?.code === code,
    admit: health.admit,
    observe: health.observe,
    healthOf: health.healthOf,
    isOpen,
    productHealth(productCode) {
      const routes = routesOf(state().routes, productCode)
      const isAnyOpen =
        routes !== undefined && candidatesOf(routes, nowMs()).some(({ code }) => !isOpen(code))
      return isAnyOpen ? 'healthy' : 'interrupted'
    },
  }
}

// ── Loading ──

async function load(
  settings: RegistrySettings,
  connection: Queryable,
  before: State,
): Promise<Omit<State, 'version'>> {
  const rows = await inSnapshot(connection, async () => ({
    connections: await listConnectionRows(connection),
    routes: await listRouteRows(connection),
  }))
  const connected = new Map<string, Connected>()
  const unreadable = new Set<string>()
  for (const row of rows.connections) {
    const existing = before.connected.get(row.code)
    const isReported = before.unreadable.has(row.code)
    const made = existing?.version === row.version ? existing : await connect(settings, row, isReported)
    if (made === 'unreadable') {
      unreadable.add(row.code)
      if (existing !== undefined) connected.set(row.code, { ...existing, isEnabled: row.is_enabled })
    } else if (made !== undefined) connected.set(row.code, made)
  }
  const takesOrders = (code: string) => {
    const found = connected.get(code)
    return found?.isEnabled === true ? found.provider : undefined
  }
  const routes = compileRoutes(rows.routes.map(toRoute), takesOrders, settings.fallback)
  return { connected, routes, unreadable }
}

/**
 * Connects one provider. A connection that cannot be made is left out and reported; the others still work.
 * `unreadable` may be a temporary fault: a short outage of the database must not remove a provider until the next
 * change.
 */
async function connect(
  { kinds, vault, leaseMs, groups, onProblem, ...reporting }: RegistrySettings,
  row: ConnectionRow,
  isReported: boolean,
): Promise<Connected | 'unreadable' | undefined> {
  let secrets: Secrets
  try {
    secrets = await openSecrets(vault, row)
  } catch (error) {
    if (!isReported) onProblem(`the secrets of the provider ${row.code} cannot be read`, error)
    return 'unreadable'
  }
  try {
    const kind = kinds.get(row.kind)
    if (kind === undefined) throw new Error(`there is no connector of kind ${row.kind}`)
    const { limits } = readLimits(row.limits)
    // Stock belongs to the group that it was bought for.
    const isShared = row.kind !== STOCK_KIND
    const made = kind.create({ code: row.code, config: row.config, secrets })
    return {
      version: row.version,
      isEnabled: row.is_enabled,
      provider: limited(reportingAnswers(made, reporting), limits, leaseMs, isShared ? groups : undefined),
      watched: { code: row.code, version: row.version, breaker: breakerOf(limits) },
    }
  } catch (error) {
    onProblem(`the provider ${row.code} cannot be used`, error)
    return undefined
  }
}

/** Share of a lease that an order may take; the rest is for waiting until the provider has room for it. */
const LEASE_SHARE = 0.75

/** Gives the provider its limits. Each group has its share of those of a shared account, and one order at a time. */
function limited(
  provider: Provider,
  limits: ConnectionLimits,
  leaseMs: number,
  groups: () => number = () => 1,
): Provider {
  const concurrency = limits.concurrency ?? provider.concurrencyMax
  const ratePerSecond = limits.ratePerSecond ?? provider.ratePerSecond
  return {
    ...provider,
    get concurrencyMax() {
      return Math.max(1, Math.floor(concurrency / groups()))
    },
    get ratePerSecond() {
      return ratePerSecond === null ? null : ratePerSecond / groups()
    },
    submitTimeoutMs: Math.min(provider.submitTimeoutMs, Math.floor(leaseMs * LEASE_SHARE)),
  }
}

function watchedFallback(fallback: Provider | undefined): { watched: Watched }[] {
  return fallback === undefined ? [] : [{ watched: { code: fallback.code, version: 0n, breaker: null } }]
}
