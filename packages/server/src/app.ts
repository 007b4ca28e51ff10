import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { backOfficeOperations } from './app/back-office.ts'
import { followBuilds } from './app/built-files.ts'
import { CHECKOUT_FILES, checkoutPageOperations, framesOf } from './app/checkout.ts'
import { checkoutApiOperations } from './app/checkout-api.ts'
import type { Closing } from './app/closing.ts'
import { askToLeave } from './app/closing.ts'
import { DASHBOARD_FILES, dashboardOperations } from './app/dashboard.ts'
import { startJobs } from './app/jobs.ts'
import { closeStreams } from './app/live.ts'
import { watchServices } from './app/observing/metrics.ts'
import { listOperations } from './app/operations.ts'
import type { Services } from './app/services.ts'
import { closeMoney, closeServices, openServices, sweepServices } from './app/services.ts'
import { SITE_FILES, siteOperations } from './app/site/documentation-site.ts'
import { wellKnownOperations } from './app/site/well-known.ts'
import { hasMailbox } from './config/mail.ts'
import { joinProgress } from './db/commits/progress.ts'
import type { CommitProbe } from './db/readiness.ts'
import { createCommitProbe } from './db/readiness.ts'
import { createEdge } from './http/edge.ts'
import type { StrangeForward } from './http/intake/forwarding.ts'
import type { EdgeMetrics } from './http/metrics.ts'
import { createMetrics } from './http/metrics.ts'
import { createRequestLog } from './http/request-log.ts'
import { isPrivateAddress, networkToString } from './lib/addresses.ts'
import { addressesAt } from './lib/own-addresses.ts'
import { repeat } from './lib/repeat.ts'
import { DIRECTORY_STALE_MS } from './modules/accounts/directory.ts'
import { mailboxOperations } from './modules/alerts/mailbox/mailbox.routes.ts'
import { mailboxToken } from './modules/alerts/mailbox/mailbox.service.ts'
import { createAuthenticator, createRecognizer } from './modules/auth/service.ts'
import type { Catalog } from './modules/catalog/model/store.types.ts'
import { reportStoredPatterns } from './modules/catalog/store/stored-patterns.service.ts'
import { openRequestJournal } from './modules/portal/developers/request-log.service.ts'
import type { DemoAccounts } from './modules/sessions/people/demo.service.ts'
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
  const checkout = checkoutApiOperations({
    config,
    services,
    addressOf: addressesAt(() => addresses.base),
    now: () => new Date(services.clock.nowMs()),
    baseUrl: () => addresses.base,
  })
  const listPages = () => [
    ...checkoutPageOperations({
      environment: config.environment,
      framesOf: framesOf(database, services.orders),
      baseUrl: () => addresses.base,
    }),
    ...dashboardOperations(config),
    ...siteOperations({
      environment: config.environment,
      baseUrl: () => addresses.base,
      senderAddresses: config.senderAddresses.map(networkToString),
    }),
    ...wellKnownOperations({
      environment: config.environment,
      baseUrl: () => addresses.base,
      securityContact: config.securityContact,
      nowMs: () => services.clock.nowMs(),
    }),
  ]
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
    operations: [...operations, ...backOffice, ...checkout, ...mailbox],
    limiter: services.limiter,
    trustProxy: config.trustProxy,
    requestTimeoutMs: config.requestTimeoutMs,
    requestsMax: config.requestsMax,
    connectionsMax: config.connectionsMax,
    connectionsPerAddressMax: config.connectionsPerAddressMax,
    writeStallMs: config.writeStallMs,
    wire: config.wire,
    drainAnswersMs: config.drainAnswersMs,
    exempt: config.rateExempt,
    logger,
    requestLog: createRequestLog(logger),
    onAnswered: services.observing.alsoTracing(journal.take),
    onStrangeForward: (forward) => warnOfProxy(services, forward),
    metrics,
  })
  const builds = followBuilds(
    [CHECKOUT_FILES, DASHBOARD_FILES, SITE_FILES],
    () => edge.serveBeside(listPages()),
    (error) => logger.error({ err: error }, 'pages that were built anew could not be read'),
  )
  edge.serveBeside(listPages())
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
      await builds.stop()
      await Promise.all(jobs.map((job) => job.stop()))
      // Long answers to slow readers went on meanwhile; they need the services that are closed below.
      await edge.close()
      await journal.close()
      await closeServices(services)
    },
  }
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
  const { stalledMs, committedAgoMs, isOutOfRoom } = joinProgress([nonces.progress, payments.progress])
  if (stalledMs > STALLED_MS) {
    problems.push(`no request was committed for ${Math.round(stalledMs / 1_000)} seconds`)
  } else if (isOutOfRoom && !(await probe.hasRoom())) {
    problems.push('the database has no room on its disk')
  } else if (committedAgoMs > READY_FRESH_MS && !(await probe.succeeds())) {
    problems.push('the database does not commit')
  }
  return problems
}
