import type { Logger } from 'pino'
import { folderOfOutcomes } from '../config/groups.ts'
import type { DatabaseClock } from '../db/clock.ts'
import { openDatabaseClock } from '../db/clock.ts'
import type { OpenLeaseClock } from '../db/lease-clock.ts'
import { openLeaseClock } from '../db/lease-clock.ts'
import type { OpenReader } from '../db/standby/reader.ts'
import type { EdgeMetrics } from '../http/metrics.ts'
import { failpointOf } from '../lib/failpoints.ts'
import type { OnProblem } from '../lib/observing/payment-stages.ts'
import type { AddressOf } from '../lib/own-addresses.ts'
import type { Signal } from '../lib/signal.ts'
import { createSignal } from '../lib/signal.ts'
import { openDirectory } from '../modules/accounts/directory.ts'
import type { CountedKeys, Directory } from '../modules/accounts/types.ts'
import type { Alerts } from '../modules/alerts/core/service.ts'
import { createAlerts } from '../modules/alerts/core/service.ts'
import { createAuditLog } from '../modules/audit/service.ts'
import type { AuditLog } from '../modules/audit/types.ts'
import type { Limiter } from '../modules/auth/addresses.service.ts'
import { openLimiter } from '../modules/auth/addresses.service.ts'
import { createNonces } from '../modules/auth/nonces.service.ts'
import type { Nonces } from '../modules/auth/nonces.types.ts'
import { openTokens } from '../modules/auth/tokens.service.ts'
import type { Tokens } from '../modules/auth/tokens.types.ts'
import type { Bills } from '../modules/bills/service.ts'
import { createBills } from '../modules/bills/service.ts'
import type { OpenCases } from '../modules/cases/start.service.ts'
import { openCases } from '../modules/cases/start.service.ts'
import type { Catalog } from '../modules/catalog/model/store.types.ts'
import type { CatalogAnswers } from '../modules/catalog/serve/answers.service.ts'
import { createCatalogAnswers } from '../modules/catalog/serve/answers.service.ts'
import { openCatalog } from '../modules/catalog/store/snapshots.service.ts'
import type { Endpoints } from '../modules/events/endpoints/endpoints.service.ts'
import { createEndpoints } from '../modules/events/endpoints/endpoints.service.ts'
import { addressesBy } from '../modules/events/endpoints/names.service.ts'
import type { Feed } from '../modules/events/feed/feed.service.ts'
import { createFeed } from '../modules/events/feed/feed.service.ts'
import type { DeliveryLog } from '../modules/events/log/log.service.ts'
import { createDeliveryLog } from '../modules/events/log/log.service.ts'
import type { Replays } from '../modules/events/log/replay.service.ts'
import { createReplays } from '../modules/events/log/replay.service.ts'
import type { TestEvents } from '../modules/events/log/test-events.service.ts'
import { createTestEvents } from '../modules/events/log/test-events.service.ts'
import { createEventReader } from '../modules/events/messages/reader.service.ts'
import type { EventReader } from '../modules/events/types.ts'
import { sweepStops } from '../modules/grants/stops.service.ts'
import type { Network } from '../modules/network/service.ts'
import { openNetwork } from '../modules/network/service.ts'
import type { NumberLookups } from '../modules/numbers/lookup.service.ts'
import { createNumberLookups } from '../modules/numbers/lookup.service.ts'
import type { OpenNumberPlans } from '../modules/numbers/plans.service.ts'
import { openNumberPlans } from '../modules/numbers/plans.service.ts'
import type { OpenOrders } from '../modules/orders/start.service.ts'
import { openOrders } from '../modules/orders/start.service.ts'
import type { TestClocks } from '../modules/payments/core/clock.service.ts'
import { createTestClocks } from '../modules/payments/core/clock.service.ts'
import { createCountedKeys } from '../modules/payments/limits/keys.service.ts'
import { createOutcomeFiles } from '../modules/payments/outcomes/outcome-files.service.ts'
import { createOutcomes } from '../modules/payments/outcomes/outcomes.service.ts'
import type { Outcomes } from '../modules/payments/outcomes/outcomes.types.ts'
import type { History } from '../modules/payments/read/history.service.ts'
import { createHistory } from '../modules/payments/read/history.service.ts'
import { createRefidLookup } from '../modules/payments/read/references.service.ts'
import type { OpenPayments } from '../modules/payments/start.service.ts'
import { openPayments } from '../modules/payments/start.service.ts'
import { createDynamicOptions, optionsOf } from '../modules/providers/options.service.ts'
import type { SupplierAnswers } from '../modules/providers/proofs/answers.service.ts'
import { collectAnswers } from '../modules/providers/proofs/answers.service.ts'
import { fulfilmentOf } from '../modules/providers/simulator/fulfilment.service.ts'
import type { StartedProviders } from '../modules/providers/start.service.ts'
import { openProviders } from '../modules/providers/start.service.ts'
import type { Receipts } from '../modules/receipts/service.ts'
import { createReceipts } from '../modules/receipts/service.ts'
import { sweepResets } from '../modules/sessions/passwords/passwords.service.ts'
import { memberNetworks } from '../modules/sessions/people/devices.service.ts'
import { noteLockout } from '../modules/sessions/people/lockouts.service.ts'
import type { SessionsOptions } from '../modules/sessions/people/settings.types.ts'
import type { MemberAuthenticator, OperatorAuthenticator } from '../modules/sessions/people/types.ts'
import { hasMemberSecondFactor } from '../modules/sessions/second-factor/totp.service.ts'
import { createMemberAuthenticator } from '../modules/sessions/session/authentication.service.ts'
import { sweepSessions } from '../modules/sessions/session/service.ts'
import type { Balances } from '../modules/wallet/balance/balances.service.ts'
import { createBalances } from '../modules/wallet/balance/balances.service.ts'
import type { Thresholds } from '../modules/wallet/balance/thresholds.service.ts'
import { createThresholds } from '../modules/wallet/balance/thresholds.service.ts'
import type { Statements } from '../modules/wallet/statement/statement.service.ts'
import { createStatements } from '../modules/wallet/statement/statement.service.ts'
import { createOutbound } from '../outbound/client.ts'
import { namesOfSuppliers, namesOfWebhooks } from '../outbound/purposes.ts'
import type { Outbound } from '../outbound/types.ts'
import type { Runtime } from '../runtime.ts'
import type { Shared } from './groups/shared.ts'
import { operatorAuthenticators } from './groups/shared.ts'
import type { Live } from './live.ts'
import { openLive } from './live.ts'
import { ambiguityReport, raising, stepReport } from './observing/alert-reports.ts'
import { createLogLines } from './observing/log-lines.ts'
import type { Observing } from './observing/observing.ts'
import { openObserving } from './observing/observing.ts'

/** Services that a node opens, from the database's clock to the payments. */
export type Services = {
  clock: DatabaseClock
  /** Turns the paths of pages and pictures of this service into addresses. */
  addressOf: AddressOf
  leaseClock: OpenLeaseClock
  alerts: Alerts
  directory: Directory
  limiter: Limiter
  nonces: Nonces
  tokens: Tokens
  balances: Balances
  catalog: Catalog
  catalogAnswers: CatalogAnswers
  /** HTTP client for suppliers. */
  outbound: Outbound
  /** HTTP client for resellers' receivers, with its own names and connections. */
  webhooks: Outbound
  providers: StartedProviders
  supplierAnswers: SupplierAnswers
  network: Network
  numbers: OpenNumberPlans
  numberLookups: NumberLookups
  bills: Bills
  /** Answers of suppliers that the database has not taken yet. */
  outcomes: Outcomes
  payments: OpenPayments
  /** Orders of the hosted checkout, with its settings. */
  orders: OpenOrders
  history: History
  receipts: Receipts
  cases: OpenCases
  statements: Statements
  thresholds: Thresholds
  countedKeys: CountedKeys
  testClocks: TestClocks
  endpoints: Endpoints
  deliveryLog: DeliveryLog
  replays: Replays
  testEvents: TestEvents
  eventReader: EventReader
  feed: Feed
  audit: AuditLog
  authenticateOperator: OperatorAuthenticator
  /** Authenticates operators, including those without the required second factor. */
  authenticateEnrolling: OperatorAuthenticator
  authenticateMember: MemberAuthenticator
  sessions: SessionsOptions
  live: Live
  /** Reads of lists, statements and files. */
  reader: OpenReader
  /** Signal that an account has new facts, which have to be numbered. */
  facts: Signal
  observing: Observing
  onProblem: OnProblem
}

/** Longest lease that is no setting: the time for which a node has the lane of a receiver. */
const DELIVERY_LEASE_MS = 15_000

/** Name of the service in tokens while there is no public address: a port differs between nodes and between starts. */
const ISSUER = 'urn:warung'

/** Opens the services. `addressOf` turns the paths of our own pictures into addresses. */
export async function openServices(
  runtime: Runtime,
  logger: Logger,
  metrics: EdgeMetrics,
  addressOf: AddressOf,
  { groups, operators }: Shared = {},
): Promise<Services> {
  const { config, database, reader, vault } = runtime
  const lines = createLogLines(logger, (id) => directory.findReseller(id)?.account)
  const { onProblem } = lines
  const clock = await openDatabaseClock(database)
  const directory = await openDirectory({ database, vault, environment: config.environment, onProblem })
  const catalog = await openCatalog({ database, onProblem })
  const numbers = await openNumberPlans({ database, onProblem })
  const alerts = createAlerts({ database, onRaised: lines.onAlert })
  const leaseClock = await openLeaseClock({
    database,
    leaseMs: Math.max(config.leaseMs, DELIVERY_LEASE_MS),
    onStep: (step) => void raising(alerts, onProblem, stepReport)(step),
  })
  const balances = createBalances(database)
  const isStaging = config.environment === 'staging'
  const facts = createSignal()
  const nowMs = () => clock.nowMs()
  const observing = openObserving({ config, metrics, nowMs, onProblem })
  const { allow, authority, nameServers } = config.outbound
  const suppliers = createOutbound({ allow, ca: authority?.pem, names: namesOfSuppliers(nameServers) })
  const outbound = observing.carry(suppliers)
  const webhookNames = namesOfWebhooks(nameServers)
  const webhooks = createOutbound({ allow, ca: authority?.pem, names: webhookNames })
  const supplierAnswers = collectAnswers({ database, onProblem })
  const providers = await openProviders({
    environment: config.environment,
    simulator: config.simulator,
    leaseMs: config.leaseMs,
    database,
    vault,
    groups,
    outbound,
    fulfilment: fulfilmentOf(catalog),
    nowMs,
    onProblem,
    onAmbiguous: raising(alerts, onProblem, ambiguityReport),
    ...supplierAnswers,
  })
  const dynamicOptions = createDynamicOptions({ provider: optionsOf(providers) })
  const eventReader = createEventReader({ database, vault, addressOf })
  const audit = createAuditLog({ database, vault })
  // The key is made now, and not by the first caller that needs it: that one would hold a connection and wait for
  // another. A log that cannot be written to stops administrative changes, and no payments.
  await audit.key().catch((error: unknown) => onProblem('the key of the audit log cannot be opened', error))
  const network = await openNetwork({ database, catalog, providers, nowMs, addressOf, onProblem })
  const outcomes = createOutcomes({
    files: createOutcomeFiles({ directory: folderOfOutcomes(config), vault }),
    alerts,
    failpoint: failpointOf(config),
    onProblem,
  })
  const numberLookups = createNumberLookups({ database, clock, catalog, numbers, providers, onProblem })
  const payments = openPayments({
    database,
    vault,
    directory,
    clock,
    catalog,
    dynamicOptions,
    providers,
    outcomes,
    leaseMs: config.leaseMs,
    leaseClock,
    isStaging,
    isStopped: network.stopsPayments,
    isInterrupted: network.isInterrupted,
    balances,
    quoteSeconds: config.quoteSeconds,
    numbers,
    differenceOf: numberLookups.difference,
    failpoint: failpointOf(config),
    onCommitted: facts.fire,
    onProblem,
    alerts,
    onMoved: (payment) => orders.noteMove(payment),
    watch: observing.watch,
    onCallbackTrouble: lines.onCallbackTrouble,
  })
  const orders: OpenOrders = openOrders({
    database,
    vault,
    directory,
    catalog,
    payments,
    previews: payments,
    leaseMs: config.leaseMs,
    leaseClock,
    failpoint: failpointOf(config),
    onCommitted: facts.fire,
    onProblem,
  })
  const services: Services = {
    outcomes,
    reader,
    facts,
    observing,
    onProblem,
    directory,
    clock,
    addressOf,
    leaseClock,
    alerts,
    limiter: await openLimiter({
      database,
      limit: config.rateLimit,
      blockMinutes: config.rateBlockMinutes,
      exempt: config.rateExempt,
      onProblem,
    }),
    nonces: createNonces(database),
    tokens: await openTokens({
      database,
      vault,
      directory,
      issuer: () => config.publicUrl ?? ISSUER,
      hasSecondFactor: hasMemberSecondFactor,
      knownNetworks: memberNetworks,
      onLockedOut: (tx, { username: login, address, scope }) =>
        noteLockout({ audit }, tx, { kind: 'member', login, address, scope }),
      onProblem,
    }),
    balances,
    catalog,
    catalogAnswers: createCatalogAnswers(catalog, dynamicOptions, addressOf, numbers),
    outbound,
    webhooks,
    providers,
    supplierAnswers,
    network,
    numbers,
    numberLookups,
    bills: createBills({
      catalog,
      providers,
      isStaging,
      numbers,
      onUnavailable: (provider, reason) => logger.warn({ provider, reason }, 'a bill could not be shown'),
    }),
    testClocks: createTestClocks(database),
    endpoints: createEndpoints({
      database,
      vault,
      environment: config.environment,
      outbound: webhooks,
      allow,
      addressesOf: addressesBy(webhookNames),
    }),
    deliveryLog: createDeliveryLog({
      database,
      vault,
      reader: eventReader,
      onProblem: (error) =>
        onProblem('a delivery could not be read; the log shows it without its content', error),
    }),
    replays: createReplays(database),
    testEvents: createTestEvents({ database, balances, now: () => new Date(nowMs()) }),
    eventReader,
    feed: createFeed({ database, reader: eventReader }),
    audit,
    ...operatorAuthenticators({ database, config }, operators),
    authenticateMember: createMemberAuthenticator({ database, config }),
    live: await openLive(config, database, onProblem, operators),
    sessions: { database, vault, audit, config, operators, baseUrl: () => addressOf('/'), nowMs, onProblem },
    history: createHistory({ database: reader, vault, catalog, numbers }),
    receipts: createReceipts({ database, vault, directory, tokens: () => services.tokens }),
    cases: openCases({
      database,
      vault,
      catalog,
      providers,
      outcomes,
      environment: config.environment,
      leaseMs: config.leaseMs,
      leaseClock,
      failpoint: failpointOf(config),
      onCommitted: facts.fire,
      onProblem,
    }),
    statements: createStatements(reader, createRefidLookup(reader)),
    thresholds: createThresholds(database),
    countedKeys: createCountedKeys(database, clock),
    payments,
    orders,
  }
  await outcomes.start()
  return services
}

/** Closes the voids first: their providers' decisions are among the outcomes that the payments close. Orders pay. */
export async function closeMoney({ cases, orders, payments }: Services): Promise<void> {
  await Promise.all([cases.close(), orders.close()])
  await payments.close()
}

export async function closeServices(services: Services): Promise<void> {
  await services.live.feeds.close()
  await Promise.all([services.nonces.drain(), services.balances.drain()])
  await services.limiter.close()
  await services.tokens.close()
  services.clock.close()
  services.leaseClock.close()
  await Promise.all([services.network.close(), services.numbers.close()])
  await services.providers.close()
  await services.supplierAnswers.close()
  // A provider that hangs must not delay the stop.
  void services.outbound.close()
  void services.webhooks.close()
  await services.catalog.close()
  await services.directory.close()
  await services.observing.close()
}

export async function sweepServices(services: Services): Promise<void> {
  await services.nonces.sweep()
  await services.limiter.sweep()
  await services.tokens.cleanUp()
  await services.payments.callbacks.sweep()
  await services.payments.sweep()
  await services.numberLookups.sweep()
  await services.orders.sweep()
  await sweepSessions(services.sessions.database)
  await sweepResets(services.sessions)
  await sweepStops(services.audit)
}
