import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { DatabaseClock } from './db/clock.ts'
import { openDatabaseClock } from './db/clock.ts'
import type { Database } from './db/database.ts'
import { answersWithin } from './db/database.ts'
import { documentationOperations } from './http/documentation.ts'
import { createEdge } from './http/edge.ts'
import { healthOperations } from './http/health.ts'
import type { EdgeMetrics } from './http/metrics.ts'
import { createMetrics } from './http/metrics.ts'
import { buildOpenApi } from './http/openapi.ts'
import type { Operation } from './http/operation.ts'
import { createRequestLog } from './http/request-log.ts'
import { RequestError } from './lib/errors.ts'
import { repeat } from './lib/repeat.ts'
import { DIRECTORY_STALE_MS, openDirectory } from './modules/accounts/directory.ts'
import type { Directory } from './modules/accounts/types.ts'
import type { Limiter } from './modules/auth/addresses.service.ts'
import { openLimiter } from './modules/auth/addresses.service.ts'
import { createNonces } from './modules/auth/nonces.service.ts'
import type { Nonces } from './modules/auth/nonces.types.ts'
import { jwksOperations } from './modules/auth/routes.ts'
import type { Authenticator } from './modules/auth/service.ts'
import { createAuthenticator } from './modules/auth/service.ts'
import { tokenOperations } from './modules/auth/tokens.routes.ts'
import { openTokens } from './modules/auth/tokens.service.ts'
import type { Tokens } from './modules/auth/tokens.types.ts'
import type { CatalogAnswers } from './modules/catalog/answers.service.ts'
import { createCatalogAnswers } from './modules/catalog/answers.service.ts'
import { startExpanding } from './modules/catalog/changes.jobs.ts'
import { legacyCatalogOperations } from './modules/catalog/legacy.routes.ts'
import { catalogOperations } from './modules/catalog/routes.ts'
import { openCatalog } from './modules/catalog/snapshots.service.ts'
import type { Catalog } from './modules/catalog/store.types.ts'
import { createDynamicOptions } from './modules/providers/options.service.ts'
import { simulatedOptions } from './modules/providers/simulator/options.rules.ts'
import type { Balances } from './modules/wallet/balances.service.ts'
import { createBalances } from './modules/wallet/balances.service.ts'
import { walletOperations } from './modules/wallet/routes.ts'
import type { Runtime } from './runtime.ts'
import { VERSION } from './version.ts'

/** Everything one node runs, opened in order and closed in the opposite one. */
export type App = {
  /** Begins to accept requests; returns the address that clients use. */
  listen(): Promise<string>
  /** Looks once more at the accounts, which may just have been seeded; from here on /readyz says ready. */
  markReady(): Promise<void>
  readonly metrics: EdgeMetrics
  readonly catalog: Catalog
  /** Finishes the requests under way, then lets go of everything. */
  close(): Promise<void>
}

type Services = {
  clock: DatabaseClock
  directory: Directory
  limiter: Limiter
  nonces: Nonces
  tokens: Tokens
  balances: Balances
  catalog: Catalog
  catalogAnswers: CatalogAnswers
}

type Phase = 'starting' | 'serving' | 'stopping'

const SWEEP_MS = 30_000
const READY_QUERY_TIMEOUT_MS = 2_000
/** Names the service in tokens while no public address does: a port differs between nodes and between starts. */
const ISSUER = 'urn:warung'

export async function openApp(runtime: Runtime, logger: Logger): Promise<App> {
  const { config, database } = runtime
  const metrics = createMetrics()
  const addresses = { base: config.publicUrl ?? `http://${config.host}:${config.port}` }
  const services = await openServices(runtime, logger)
  watch(metrics, services)
  let phase: Phase = 'starting'
  const operations = listOperations({
    config,
    services,
    authenticate: createAuthenticator({ ...services, explainSignatures: config.environment === 'staging' }),
    now: () => new Date(services.clock.nowMs()),
    problems: () => findProblems(database, services.directory, phase),
    baseUrl: () => addresses.base,
  })
  const edge = createEdge({
    operations,
    limiter: services.limiter,
    trustProxy: config.trustProxy,
    requestTimeoutMs: config.requestTimeoutMs,
    requestsMax: config.requestsMax,
    connectionsMax: config.connectionsMax,
    logger: logger as FastifyBaseLogger,
    requestLog: createRequestLog(logger),
    metrics,
  })
  const sweep = repeat(
    SWEEP_MS,
    () => sweepAll(services),
    (error) => logger.error({ err: error }, 'sweep failed'),
  )

  const expanding = startExpanding({
    database,
    catalog: services.catalog,
    onProblem: (error) => logger.error({ err: error }, 'catalogue changes could not be expanded'),
  })

  return {
    metrics,
    catalog: services.catalog,
    async listen() {
      await edge.listen({ host: config.host, port: config.port })
      const { port } = edge.server.address() as AddressInfo
      const local = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
      addresses.base = config.publicUrl ?? local
      logger.info({ address: local }, `Server listening at ${local}`)
      return addresses.base
    },
    async markReady() {
      await services.directory.refresh()
      await services.catalog.refresh()
      phase = 'serving'
    },
    async close() {
      phase = 'stopping'
      await edge.close()
      await sweep.stop()
      await expanding.stop()
      await closeServices(services)
    },
  }
}

async function openServices(runtime: Runtime, logger: Logger): Promise<Services> {
  const { config, database, vault } = runtime
  const onProblem = (text: string, error: unknown) => logger.error({ err: error }, text)
  const clock = await openDatabaseClock(database)
  const directory = await openDirectory({ database, vault, environment: config.environment, onProblem })
  const catalog = await openCatalog({ database, onProblem })
  return {
    directory,
    clock,
    limiter: await openLimiter({
      database,
      limit: config.rateLimit,
      blockMinutes: config.rateBlockMinutes,
      exempt: config.rateExempt,
      onProblem,
    }),
    nonces: createNonces(database),
    tokens: await openTokens({ database, vault, directory, issuer: () => config.publicUrl ?? ISSUER }),
    balances: createBalances(database),
    catalog,
    catalogAnswers: createCatalogAnswers(catalog, createDynamicOptions({ provider: simulatedOptions })),
  }
}

async function closeServices(services: Services): Promise<void> {
  await Promise.all([services.nonces.drain(), services.balances.drain()])
  await services.limiter.close()
  await services.tokens.close()
  services.clock.close()
  await services.catalog.close()
  await services.directory.close()
}

async function sweepAll(services: Services): Promise<void> {
  await services.nonces.sweep()
  await services.limiter.sweep()
  await services.tokens.cleanUp()
}

function watch(metrics: EdgeMetrics, services: Services): void {
  metrics.gauge(
    'warung_nonces_waiting',
    'Nonces waiting for their group commit',
    () => services.nonces.waiting,
  )
  metrics.gauge(
    'warung_directory_age_seconds',
    'Age of the accounts directory; above 5 requests are refused',
    () => services.directory.ageMs() / 1_000,
  )
}

async function findProblems(database: Database, directory: Directory, phase: Phase): Promise<string[]> {
  const problems: string[] = []
  if (phase !== 'serving') problems.push(`the service is ${phase}`)
  if (directory.ageMs() > DIRECTORY_STALE_MS) problems.push('the accounts directory is out of date')
  if (!(await answersWithin(database, READY_QUERY_TIMEOUT_MS))) problems.push('the database does not answer')
  return problems
}

type OperationDependencies = {
  config: Pick<Config, 'environment'>
  services: Pick<Services, 'tokens' | 'balances' | 'catalogAnswers'>
  now: () => Date
  authenticate: Authenticator
  problems: () => Promise<string[]>
  baseUrl: () => string
}

/** Every operation the service answers, in the order the reference shows them. */
function listOperations(dependencies: OperationDependencies): Operation[] {
  const { services, authenticate } = dependencies
  const operations: Operation[] = [
    ...catalogOperations(authenticate, services.catalogAnswers, dependencies.now),
    ...legacyCatalogOperations(authenticate, services.catalogAnswers, dependencies.baseUrl),
    ...walletOperations(authenticate, services.balances),
    ...tokenOperations(services.tokens),
    ...jwksOperations(services.tokens),
    ...healthOperations(dependencies.problems),
  ]
  const documentation = documentationOperations({
    environment: dependencies.config.environment,
    document: () =>
      buildOpenApi(operations, {
        version: VERSION,
        serverUrl: dependencies.baseUrl(),
        environment: dependencies.config.environment,
      }),
  })
  operations.push(...documentation)
  return operations
}

/** The operations without anything behind them, for the checked-in OpenAPI document. */
export function documentedOperations(): Operation[] {
  const absent = new Proxy({}, { get: () => undefined }) as never
  const nobody = async () => {
    throw new RequestError({ status: 401, code: 'unauthorized', publicText: 'Documentation only.' })
  }
  return listOperations({
    config: { environment: 'staging' },
    services: { tokens: absent, balances: absent, catalogAnswers: absent },
    now: () => new Date(0),
    authenticate: () => nobody,
    problems: async () => [],
    baseUrl: () => '',
  })
}
