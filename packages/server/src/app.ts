import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { backOfficeOperations } from './app/back-office.ts'
import { startWatchingBackups } from './app/backups.ts'
import { checkoutPageOperations, framesOf } from './app/checkout.ts'
import { checkoutApiOperations } from './app/checkout-api.ts'
import type { Closing } from './app/closing.ts'
import { askToLeave } from './app/closing.ts'
import { dashboardOperations } from './app/dashboard.ts'
import { siteOperations } from './app/documentation-site.ts'
import { closeStreams } from './app/live.ts'
import { startReadingFigures, watchServices } from './app/metrics.ts'
import { listOperations } from './app/operations.ts'
import type { Services } from './app/services.ts'
import { closeMoney, closeServices, failpointOf, openServices, sweepServices } from './app/services.ts'
import { hasMailbox } from './config/mail.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { withLongStatements } from './db/long-statements.ts'
import { joinProgress } from './db/progress.ts'
import type { CommitProbe } from './db/readiness.ts'
import { createCommitProbe } from './db/readiness.ts'
import { createEdge } from './http/edge.ts'
import type { StrangeForward } from './http/intake/forwarding.ts'
import type { EdgeMetrics } from './http/metrics.ts'
import { createMetrics } from './http/metrics.ts'
import { createRequestLog } from './http/request-log.ts'
import { isPrivateAddress, networkToString } from './lib/addresses.ts'
import { addressesAt } from './lib/own-addresses.ts'
import type { Schedule } from './lib/repeat.ts'
import { repeat } from './lib/repeat.ts'
import { smoothCondition } from './lib/smooth-condition.ts'
import { DIRECTORY_STALE_MS } from './modules/accounts/directory.ts'
import { startCountingAlerts } from './modules/alerts/alert/jobs.ts'
import { startMailing } from './modules/alerts/mail/mail.jobs.ts'
import { chooseTransport } from './modules/alerts/mail/smtp.service.ts'
import { mailboxOperations } from './modules/alerts/mailbox/mailbox.routes.ts'
import { mailboxToken } from './modules/alerts/mailbox/mailbox.service.ts'
import { startPostingAlerts } from './modules/alerts/webhook/webhook.jobs.ts'
import { startWatchingApprovals } from './modules/approvals/jobs.ts'
import { createAuthenticator, createRecognizer } from './modules/auth/service.ts'
import { startExpanding } from './modules/catalog/changes/jobs.ts'
import type { Catalog } from './modules/catalog/product/store.types.ts'
import { reportStoredPatterns } from './modules/catalog/store/stored-patterns.service.ts'
import { startDelivering } from './modules/events/deliveries/delivering.jobs.ts'
import { watchDeliveries } from './modules/events/deliveries/delivery-metrics.service.ts'
import { signingKeyOf } from './modules/events/endpoints/secrets.service.ts'
import { standardHeaders } from './modules/events/endpoints/signing.rules.ts'
import { startRetention } from './modules/events/log/retention.jobs.ts'
import { startFanningOut } from './modules/events/outbox/fanout.jobs.ts'
import { startSequencing } from './modules/events/outbox/sequencer.jobs.ts'
import { startClosing } from './modules/finance/closings/closings.jobs.ts'
import { startWatchingMargins } from './modules/margins/jobs.ts'
import { startWatchingOrders } from './modules/orders/fulfil/stuck.jobs.ts'
import { startRollups } from './modules/payments/reports/rollups.jobs.ts'
import { openRequestJournal } from './modules/portal/developers/request-log.service.ts'
import { startWatchingFloats } from './modules/providers/float.jobs.ts'
import { startWatchingStock } from './modules/providers/stock/jobs.ts'
import { startAnsweringResets } from './modules/sessions/passwords/resets.jobs.ts'
import type { DemoAccounts } from './modules/sessions/people/demo.service.ts'
import { startChaining } from './modules/wallet/ledger/chain.jobs.ts'
import { namesOfMail } from './outbound/purposes.ts'
import type { Runtime } from './runtime.ts'

/** Parts that one node runs, opened in order and closed in reverse order. */
export type App = {
  /** Begins to accept requests; returns the address that clients use. */
  listen(): Promise<string>
  /** Reads the accounts once more, which may just have been seeded; after it /readyz says ready. */
  markReady(): Promise<void>
  readonly metrics: EdgeMetrics
  readonly catalog: Catalog
  /** Finishes the requests under way, then closes everything. */
  close(manner?: Closing): Promise<void>
  /** Resolves when a close has sent the last answer. */
  readonly sent: Promise<void>
}

type Phase = 'starting' | 'serving' | 'stopping'

const SWEEP_MS = 30_000
const READY_ANSWER_MS = 2_000
/** Time for which a commit counts as proof: a node that is busy with payments needs no other one. */
const READY_FRESH_MS = 1_000
const STALLED_MS = 5_000
/** Number of unanswered payments (waiting for a commit or in one) from which less urgent work is put off. */
const BUSY_FROM_UNANSWERED = 16

/** `demoAccounts` reads the demo's file; left out: there is no demo. */
export async function openApp(runtime: Runtime, logger: Logger, demoAccounts?: DemoAccounts): Promise<App> {
  const { config, database } = runtime
  const metrics = createMetrics()
  const addresses = { base: config.publicUrl ?? `http://${config.host}:${config.port}` }
  const services = await openServices(
    runtime,
    logger,
    metrics,
    addressesAt(() => addresses.base),
  )
  watchServices(metrics, services)
  let phase: Phase = 'starting'
  const probe = createCommitProbe(database, { answerMs: READY_ANSWER_MS, freshMs: READY_FRESH_MS })
  const operations = listOperations({
    config,
    services,
    authenticate: createAuthenticator({ ...services, explainSignatures: config.environment === 'staging' }),
    recognize: createRecognizer(services),
    now: () => new Date(services.clock.nowMs()),
    problems: () => findProblems(probe, services, phase),
    baseUrl: () => addresses.base,
  })
  const backOffice = backOfficeOperations({
    config,
    services,
    demoAccounts,
    baseUrl: () => addresses.base,
  })
  const checkout = [
    ...checkoutApiOperations({
      config,
      services,
      addressOf: addressesAt(() => addresses.base),
      now: () => new Date(services.clock.nowMs()),
      baseUrl: () => addresses.base,
    }),
    ...checkoutPageOperations({
      environment: config.environment,
      framesOf: framesOf(database, services.orders),
      baseUrl: () => addresses.base,
    }),
  ]
  const site = siteOperations({
    environment: config.environment,
    baseUrl: () => addresses.base,
    senderAddresses: config.senderAddresses.map(networkToString),
  })
  const mailbox = hasMailbox(config)
    ? mailboxOperations(database, services.sessions.vault, mailboxToken(runtime.masterKeys))
    : []
  const journal = openRequestJournal({
    database,
    vault: runtime.vault,
    nowMs: () => services.clock.nowMs(),
    onProblem: (error) => logger.error({ err: error }, 'the request log could not be written'),
  })
  const edge = createEdge({
    operations: [
      ...operations,
      ...backOffice,
      ...checkout,
      ...dashboardOperations(config),
      ...site,
      ...mailbox,
    ],
    limiter: services.limiter,
    trustProxy: config.trustProxy,
    requestTimeoutMs: config.requestTimeoutMs,
    requestsMax: config.requestsMax,
    connectionsMax: config.connectionsMax,
    connectionsPerAddressMax: config.connectionsPerAddressMax,
    writeStallMs: config.writeStallMs,
    drainAnswersMs: config.drainAnswersMs,
    exempt: config.rateExempt,
    logger,
    requestLog: createRequestLog(logger),
    onAnswered: services.observing.alsoTracing(journal.take),
    onStrangeForward: (forward) => warnOfProxy(services, forward),
    metrics,
  })
  const sweep = repeat(
    SWEEP_MS,
    () => sweepServices(services),
    (error) => logger.error({ err: error }, 'sweep failed'),
  )

  const jobs = startJobs(runtime, services, metrics, logger)
  const sent = new Promise<void>((resolve) => void edge.server.once('close', resolve))

  return {
    metrics,
    sent,
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
      await services.providers.refresh()
      await services.network.refresh()
      await reportStoredPatterns(services.catalog.base(), services.alerts)
      phase = 'serving'
    },
    async close(manner = 'at once') {
      // A process that is replaced on its own port is ready until then: /readyz speaks for the machine.
      if (manner !== 'retire') phase = 'stopping'
      // The checkpoint comes first: the steps after it may take long, or be cut short.
      await services.outcomes.checkpoint()
      await askToLeave(edge, manner, config.drainMs)
      phase = 'stopping'
      await closeStreams(services.live)
      await edge.finish()
      // Money closes first: a supplier gives its answer once, and every job below can be done again.
      await closeMoney(services)
      await sweep.stop()
      await Promise.all(jobs.map((job) => job.stop()))
      // Long answers to slow readers went on meanwhile; they need the services that are closed below.
      await edge.close()
      await journal.close()
      await closeServices(services)
    },
  }
}

/**
 * Starts the jobs beside the requests, on every node; each job makes sure that one node at a time does a piece of work.
 */
function startJobs(
  { config, database, vault }: Runtime,
  services: Services,
  metrics: EdgeMetrics,
  logger: Logger,
) {
  const { alerts, catalog, payments, providers } = services
  const longStatements = withLongStatements(database)
  const onProblem = (text: string) => (error: unknown) => logger.error({ err: error }, text)
  const busy = smoothCondition(() => payments.unanswered >= BUSY_FROM_UNANSWERED)
  const isBusy = busy.isTrue
  const fanningOut = startFanningOut({
    database,
    isBusy,
    onProblem: onProblem('catalogue changes could not become deliveries'),
  })
  const deliverer = startDelivering({
    database,
    vault,
    outbound: services.webhooks,
    reader: services.eventReader,
    timeoutMs: config.deliveryTimeoutMs,
    leaseClock: services.leaseClock,
    nowMs: () => services.clock.nowMs(),
    onAttempted: services.observing.onAttempted,
    isBusy,
    onFacts: () => services.facts.fire(),
    onProblem: onProblem('deliveries are left for the next turn'),
  })
  watchDeliveries(metrics.registry, deliverer.figures)
  const sequencer = startSequencing({
    database,
    failpoint: failpointOf(config),
    isBusy,
    onSequenced: ({ deliveries, fanouts }) => {
      if (deliveries > 0) deliverer.wake()
      if (fanouts > 0) fanningOut.wake()
    },
    onProblem: onProblem('events could not be numbered; tried again soon'),
  })
  services.facts.listen(sequencer.wake)
  return [
    busy,
    sequencer,
    deliverer,
    fanningOut,
    startRetention({
      database,
      ...config.retention,
      isBusy,
      onProblem: onProblem('old events and deliveries could not be removed; tried again at the next pass'),
    }),
    startExpanding({
      database,
      catalog,
      onProblem: onProblem('catalogue changes could not be expanded; tried again soon'),
    }),
    startChaining({
      database,
      vault,
      isBusy,
      onProblem: onProblem('the ledger could not be chained; tried again soon'),
    }),
    startClosing({ database: longStatements, isBusy, onProblem: onProblem('days could not be closed') }),
    startRollups({
      database: longStatements,
      onProblem: onProblem('days could not be summed up; tried again soon'),
    }),
    startReadingFigures(
      metrics,
      longStatements,
      onProblem('figures for the metrics could not be read; tried again soon'),
    ),
    startWatchingBackups({
      config: config.backup,
      database: longStatements,
      alerts,
      metrics,
      onProblem: onProblem('backups could not be looked at; tried again soon'),
    }),
    startCountingAlerts(alerts, onProblem('alerts could not be counted; tried again soon')),
    startWatchingApprovals({
      database: longStatements,
      alerts,
      onProblem: onProblem('waiting approvals could not be checked; tried again soon'),
    }),
    startWatchingOrders({
      database: longStatements,
      alerts,
      onProblem: onProblem('stuck orders could not be listed; tried again soon'),
    }),
    ...startAlertWebhook(config, database, services, onProblem('alerts could not be sent to the webhook')),
    startMailing({
      database,
      vault,
      environment: config.environment,
      addressOf: services.addressOf,
      transport: chooseTransport({
        ...config.mail,
        environment: config.environment,
        ca: config.outbound.authority?.pem,
        names: namesOfMail(config.outbound.nameServers),
      }),
      alerts,
      leaseMs: config.leaseMs,
      leaseClock: services.leaseClock,
      failpoint: failpointOf(config),
      onProblem: onProblem('mails could not be sent; tried again soon'),
    }),
    startWatchingFloats({
      database,
      providers,
      alerts,
      onProblem: onProblem('the floats at providers could not be read; tried again soon'),
    }),
    startWatchingMargins({
      database,
      catalog,
      alerts,
      hasFallback: config.environment === 'staging',
      onProblem: onProblem('prices could not be compared with supplier costs'),
    }),
    startAnsweringResets(services.sessions, onProblem('password resets could not be mailed')),
    startWatchingStock({
      database: longStatements,
      alerts,
      onProblem: onProblem('the stock could not be counted; tried again soon'),
    }),
  ]
}

function startAlertWebhook(
  { alertWebhook, environment, leaseMs }: Config,
  database: Database,
  { webhooks, alerts, leaseClock, addressOf }: Services,
  onProblem: (error: unknown) => void,
): Schedule[] {
  if (alertWebhook === undefined) return []
  const keys = [signingKeyOf(alertWebhook.secret)] as const
  const job = startPostingAlerts({
    database,
    environment,
    addressOf,
    outbound: webhooks,
    url: alertWebhook.url,
    sign: (eventId, timestampSeconds, payload) =>
      standardHeaders({ eventId, timestampSeconds, payload, keys }),
    alerts,
    leaseMs,
    leaseClock,
    onProblem,
  })
  return [job]
}

/** Warns of a proxy that is not named: one client over the rate limit would get all clients behind it blocked. */
function warnOfProxy({ alerts, onProblem }: Services, { peer, header }: StrangeForward): void {
  const text =
    `A request from ${peer} carries ${header}, but WARUNG_TRUST_PROXY does not name ${peer}. ` +
    `If that is your proxy, set WARUNG_TRUST_PROXY=${peer} on every node: until then all its clients count as one ` +
    'address for rate limits, blocks and allowlists. If it is a client, nothing is to be done.'
  const kind = isPrivateAddress(peer) ? 'untrusted_proxy' : 'untrusted_forwarding'
  alerts
    .raise({ kind, subject: 'WARUNG_TRUST_PROXY', text })
    .catch((error: unknown) => onProblem('the alert about a proxy could not be raised', error))
}

/**
 * Lists why the node is not ready. Ready means that commands are committed, and not only that the database can be
 * reached.
 */
async function findProblems(
  probe: CommitProbe,
  { directory, nonces, payments }: Services,
  phase: Phase,
): Promise<string[]> {
  const problems: string[] = []
  if (phase !== 'serving') problems.push(`the service is ${phase}`)
  if (directory.ageMs() > DIRECTORY_STALE_MS) problems.push('the accounts directory is out of date')
  const { stalledMs, committedAgoMs } = joinProgress([nonces.progress, payments.progress])
  if (stalledMs > STALLED_MS) {
    problems.push(`no request was committed for ${Math.round(stalledMs / 1_000)} seconds`)
  } else if (committedAgoMs > READY_FRESH_MS && !(await probe.succeeds())) {
    problems.push('the database does not commit')
  }
  return problems
}
