import type { Database, Queryable } from '../../db/database.ts'
import { startFollowing } from '../../db/follower.ts'
import { inSnapshot } from '../../db/snapshots.ts'
import type { Vault } from '../../db/vault.ts'
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

/** Who fulfils what. */
export type Providers = {
  /** Who takes this order; pure and in memory. */
  choose(request: RouteRequest): RouteChoice
  /** The one that a payment names, whoever takes new orders now. */
  byCode(code: string): Provider | undefined
  list(): readonly Provider[]
  /** False: it is disabled or gone. What it has is still asked about. */
  takesOrders(code: string): boolean
  /** Asked right before an order is sent: what was chosen may have fallen ill since. Each `send` is observed once. */
  admit(code: string): Admission
  /** Every order sent is reported, so that health is what live traffic measures. */
  observe(code: string, observation: Observation): void
  /** Of all nodes, as far as they have told. */
  healthOf(code: string): Health
  isOpen(code: string): boolean
  /** Interrupted: none of those who fulfil the product takes orders now. */
  productHealth(productCode: string): ProductHealth
}

export type OpenProviders = Providers & {
  /** Looks at the database now rather than at the next poll. */
  refresh(): Promise<void>
  /** This node's own, for its metrics. */
  measurements(): readonly Measurement[]
  /** Tells the other nodes what this one measured, and hears them. */
  shareHealth(): Promise<void>
  close(): Promise<void>
}

export type RegistrySettings = {
  readonly database: Database
  readonly vault: Vault
  readonly kinds: ReadonlyMap<string, ConnectorKind>
  /** Takes what has no route, and is never found ill: staging's simulator. */
  readonly fallback: Provider | undefined
  /** For how long a node has a payment to itself: an order that may take longer could never be sent. */
  readonly leaseMs: number
  /** The database's clock, for time windows. */
  readonly nowMs: () => number
  readonly onProblem: (text: string, error: unknown) => void
  readonly random?: () => number
  /** Tests turn these by hand. */
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
  /** Connections whose secrets could not be opened, though nothing need be wrong with them. */
  readonly unreadable: ReadonlySet<string>
}

/**
 * Keeps up with connections and routes, whichever node changes them. Each version is built whole beside the one in
 * use and takes its place in one assignment; a connection that did not change keeps its provider, and orders under way
 * end at the one they began with.
 */
export async function openRegistry(given: RegistrySettings): Promise<OpenProviders> {
  const { database, onProblem, monotonicMs, shareEveryMs } = given
  const fallback = given.fallback && limited(given.fallback, {}, given.leaseMs)
  const settings = { ...given, fallback }
  const health = openHealth({
    database,
    onProblem,
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
    // What could not be read is read again at the next look.
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
  const world = { letsThrough: health.letsThrough, nowMs, random }
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
 * A connection that cannot be made is left out and told; it does not keep the others from working. `unreadable`: not
 * its own fault, perhaps; a database that was away for a moment must not take a provider away until the next change.
 */
async function connect(
  { kinds, vault, leaseMs, onProblem }: RegistrySettings,
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
    const made = kind.create({ code: row.code, config: row.config, secrets })
    return {
      version: row.version,
      isEnabled: row.is_enabled,
      provider: limited(made, limits, leaseMs),
      watched: { code: row.code, version: row.version, breaker: breakerOf(limits) },
    }
  } catch (error) {
    onProblem(`the provider ${row.code} cannot be used`, error)
    return undefined
  }
}

/** An order has this part of a lease at most: the rest is for the wait at the provider's door. */
const LEASE_SHARE = 0.75

function limited(
  provider: Provider,
  { concurrency, ratePerSecond }: ConnectionLimits,
  leaseMs: number,
): Provider {
  return {
    ...provider,
    concurrencyMax: concurrency ?? provider.concurrencyMax,
    ratePerSecond: ratePerSecond ?? provider.ratePerSecond,
    submitTimeoutMs: Math.min(provider.submitTimeoutMs, Math.floor(leaseMs * LEASE_SHARE)),
  }
}

function watchedFallback(fallback: Provider | undefined): { watched: Watched }[] {
  return fallback === undefined ? [] : [{ watched: { code: fallback.code, version: 0n, breaker: null } }]
}
