import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { followBuilds } from './app/built-files.ts'
import { CHECKOUT_FILES } from './app/checkout.ts'
import type { Closing } from './app/closing.ts'
import { askToLeave } from './app/closing.ts'
import { DASHBOARD_FILES } from './app/dashboard.ts'
import { openSource } from './app/groups/carried.jobs.ts'
import type { GroupClosing, Phase } from './app/groups/group.ts'
import { openGroup } from './app/groups/group.ts'
import type { Groups } from './app/groups/groups.ts'
import { startGroups } from './app/groups/groups.ts'
import type { Services } from './app/services.ts'
import { SITE_FILES } from './app/site/documentation-site.ts'
import { createEdge } from './http/edge.ts'
import { joinFigures } from './http/figures/exposition.ts'
import type { StrangeForward } from './http/intake/forwarding.ts'
import type { EdgeMetrics, MetricsSource } from './http/metrics.ts'
import { createMetrics, sourceOf } from './http/metrics.ts'
import { createRequestLog } from './http/request-log.ts'
import { isPrivateAddress } from './lib/addresses.ts'
import type { Catalog } from './modules/catalog/model/store.types.ts'
import type { DemoAccounts } from './modules/sessions/people/demo.service.ts'
import type { Runtime } from './runtime.ts'

/** Parts that one node runs, opened in order and closed in reverse order. */
export type App = {
  /** Begins to accept requests; returns the address that clients use. */
  listen(): Promise<string>
  /** Reads the accounts once more, which may just have been seeded; after it /readyz says ready. */
  markReady(): Promise<void>
  readonly metrics: EdgeMetrics
  /** Figures of the process and of all groups that it serves. */
  readonly figures: MetricsSource
  readonly catalog: Catalog
  /** Finishes the requests under way, then closes everything. */
  close(manner?: Closing): Promise<void>
  /** Resolves when a close has sent the last answer. */
  readonly sent: Promise<void>
}

/** `demoAccounts` reads the demo's file; left out: there is no demo. */
export async function openApp(runtime: Runtime, logger: Logger, demoAccounts?: DemoAccounts): Promise<App> {
  const { config } = runtime
  const metrics = createMetrics()
  const addresses = { base: config.publicUrl ?? `http://${config.host}:${config.port}` }
  const hasGroups = config.groupsFile !== undefined
  let phase: Phase = 'starting'
  let groups: Groups | undefined
  const first = await openGroup(runtime, logger, {
    metrics,
    baseUrl: () => addresses.base,
    phase: () => phase,
    shared: { groups: () => (groups?.count() ?? config.groups.length) + 1 },
    demoAccounts,
    others: hasGroups ? async () => (await groups?.readiness()) ?? [] : undefined,
  })
  const { services } = first
  const edge = createEdge({
    operations: first.operations,
    limiter: services.limiter,
    findPlace: hasGroups ? (message) => groups?.find(message) : undefined,
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
    onAnswered: first.onAnswered,
    onStrangeForward: (forward) => warnOfProxy(services, forward),
    metrics,
  })
  const servePages = () => {
    edge.serveBeside(first.listPages())
    groups?.serveAnew()
  }
  const builds = followBuilds([CHECKOUT_FILES, DASHBOARD_FILES, SITE_FILES], servePages, (error) =>
    logger.error({ err: error }, 'pages that were built anew could not be read'),
  )
  servePages()
  if (hasGroups) {
    const { database, vault, connection: home } = runtime
    const source = openSource({ database, vault, catalog: services.catalog.state }, () => addresses.base)
    groups = startGroups({
      config,
      logger,
      phase: () => phase,
      prepare: edge.prepare,
      source,
      home,
      operators: services.sessions,
    })
  }
  const close = async (step: keyof GroupClosing) => {
    await Promise.all([first.closing[step](), groups?.close(step)])
  }
  const sent = new Promise<void>((resolve) => void edge.server.once('close', resolve))
  const own = sourceOf(metrics.registry)

  return {
    metrics,
    figures: {
      read: async () =>
        groups === undefined ? own.read() : joinFigures([await own.read(), await groups.figures.read()]),
    },
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
      await first.markReady()
      await groups?.tried
      phase = 'serving'
    },
    async close(manner = 'at once') {
      // A process that is replaced on its own port is ready until then: /readyz speaks for the machine.
      if (manner !== 'retire') phase = 'stopping'
      // The checkpoint comes first: the steps after it may take long, or be cut short.
      await close('checkpoint')
      await askToLeave(edge, manner, config.drainMs)
      phase = 'stopping'
      await close('closeStreams')
      await edge.finish()
      // Money closes first: a supplier gives its answer once, and every job below can be done again.
      await close('closeMoney')
      await builds.stop()
      await close('stopJobs')
      // Long answers to slow readers went on meanwhile; they need the services that are closed below.
      await edge.close()
      await close('closeServices')
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
