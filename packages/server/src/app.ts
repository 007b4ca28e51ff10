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
import type { Failpoint } from './lib/failpoints.ts'
import { createFailpoint, noFailpoint } from './lib/failpoints.ts'
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
import type { BaseCatalog, ProcessingTime } from './modules/catalog/types.ts'
import { clockOperations } from './modules/payments/clock.routes.ts'
import type { TestClocks } from './modules/payments/clock.service.ts'
import { createTestClocks } from './modules/payments/clock.service.ts'
import { historyOperations } from './modules/payments/history.routes.ts'
import type { History } from './modules/payments/history.service.ts'
import { createHistory } from './modules/payments/history.service.ts'
import type { OpenPayments } from './modules/payments/opening.service.ts'
import { openPayments } from './modules/payments/opening.service.ts'
import { startRollups } from './modules/payments/rollups.jobs.ts'
import { paymentOperations } from './modules/payments/routes.ts'
import { openProviders } from './modules/providers/opening.service.ts'
import { createDynamicOptions } from './modules/providers/options.service.ts'
import { simulatedOptions } from './modules/providers/simulator/options.rules.ts'
import type { FulfilmentOf } from './modules/providers/simulator/types.ts'
import type { Balances } from './modules/wallet/balances.service.ts'
import { createBalances } from './modules/wallet/balances.service.ts'
import { startChaining } from './modules/wallet/chain.jobs.ts'
import { walletOperations } from './modules/wallet/routes.ts'
import { statementOperations } from './modules/wallet/statement.routes.ts'
import type { Statements } from './modules/wallet/statement.service.ts'
import { createStatements } from './modules/wallet/statement.service.ts'
import { thresholdOperations } from './modules/wallet/thresholds.routes.ts'
import type { Thresholds } from './modules/wallet/thresholds.service.ts'
import { createThresholds } from './modules/wallet/thresholds.service.ts'
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
  payments: OpenPayments
  history: History
  statements: Statements
  thresholds: Thresholds
  testClocks: TestClocks
}

type Phase = 'starting' | 'serving' | 'stopping'

const SWEEP_MS = 30_000
const READY_QUERY_TIMEOUT_MS = 2_000
/** Payments that wait for a commit: from here on, what can wait does. */
const BUSY_FROM_WAITING = 16
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

  const jobs = startJobs(runtime, services, logger)

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
      await Promise.all(jobs.map((job) => job.stop()))
      await closeServices(services)
    },
  }
}

/** What goes on beside the requests, on every node; each takes care that one node at a time does a thing. */
function startJobs({ database, vault }: Runtime, { catalog, payments }: Services, logger: Logger) {
  const onProblem = (text: string) => (error: unknown) => logger.error({ err: error }, text)
  return [
    startExpanding({ database, catalog, onProblem: onProblem('catalogue changes could not be expanded') }),
    startChaining({
      database,
      vault,
      isBusy: () => payments.waiting >= BUSY_FROM_WAITING,
      onProblem: onProblem('the ledger could not be chained'),
    }),
    startRollups({ database, onProblem: onProblem('days could not be summed up') }),
  ]
}

async function openServices(runtime: Runtime, logger: Logger): Promise<Services> {
  const { config, database, vault } = runtime
  const onProblem = (text: string, error: unknown) => logger.error({ err: error }, text)
  const clock = await openDatabaseClock(database)
  const directory = await openDirectory({ database, vault, environment: config.environment, onProblem })
  const catalog = await openCatalog({ database, onProblem })
  const balances = createBalances(database)
  const dynamicOptions = createDynamicOptions({ provider: simulatedOptions })
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
    balances,
    catalog,
    catalogAnswers: createCatalogAnswers(catalog, dynamicOptions),
    testClocks: createTestClocks(database),
    history: createHistory({ database, vault, catalog }),
    statements: createStatements(database),
    thresholds: createThresholds(database),
    payments: openPayments({
      database,
      vault,
      clock,
      catalog,
      dynamicOptions,
      balances,
      providers: openProviders({
        environment: config.environment,
        simulator: config.simulator,
        fulfilment: fulfilmentOf(catalog),
        nowMs: () => clock.nowMs(),
      }),
      leaseMs: config.leaseMs,
      isStaging: config.environment === 'staging',
      failpoint: failpointOf(config),
      onProblem,
    }),
  }
}

/** What the simulator gives for a product follows from how the catalogue says it is fulfilled. */
function fulfilmentOf(catalog: Catalog): FulfilmentOf {
  let known: { base: BaseCatalog; times: ReadonlyMap<string, ProcessingTime> } | undefined
  return (productCode) => {
    const base = catalog.base()
    if (known?.base !== base) {
      known = { base, times: new Map(base.products.map((each) => [each.code, each.processingTime])) }
    }
    const time = known.times.get(productCode)
    return time === 'pin' || time === 'link' ? time : 'plain'
  }
}

function failpointOf({ failpoint }: Config): Failpoint {
  if (failpoint === undefined) return noFailpoint
  return createFailpoint(failpoint.name, failpoint.times, () => process.kill(process.pid, 'SIGKILL'))
}

async function closeServices(services: Services): Promise<void> {
  await services.payments.close()
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
    'warung_payments_waiting',
    'Payments waiting for their group commit',
    () => services.payments.waiting,
  )
  metrics.gauge(
    'warung_payments_underway',
    'Orders sent to providers and not written down yet',
    () => services.payments.underway,
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

/** The services that operations stand for. */
const DOCUMENTED = [
  'tokens',
  'balances',
  'catalogAnswers',
  'payments',
  'history',
  'statements',
  'thresholds',
  'testClocks',
] as const

type OperationDependencies = {
  config: Pick<Config, 'environment'>
  services: Pick<Services, (typeof DOCUMENTED)[number]>
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
    ...paymentOperations({
      authenticate,
      payments: services.payments,
      balances: services.balances,
      now: dependencies.now,
    }),
    ...historyOperations(authenticate, services.history),
    ...walletOperations(authenticate, services.balances),
    ...statementOperations(authenticate, services.statements, dependencies.baseUrl),
    ...thresholdOperations(authenticate, services.thresholds),
    ...(dependencies.config.environment === 'staging'
      ? clockOperations(authenticate, services.testClocks)
      : []),
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
    services: Object.fromEntries(DOCUMENTED.map((name) => [name, absent])) as never,
    now: () => new Date(0),
    authenticate: () => nobody,
    problems: async () => [],
    baseUrl: () => '',
  })
}
