import type { Logger } from 'pino'
import { hasMailbox } from '../../config/mail.ts'
import { joinProgress } from '../../db/commits/progress.ts'
import type { CommitProbe } from '../../db/readiness.ts'
import { createCommitProbe } from '../../db/readiness.ts'
import type { EdgeMetrics } from '../../http/metrics.ts'
import type { Operation } from '../../http/operation.ts'
import { networkToString } from '../../lib/addresses.ts'
import { addressesAt } from '../../lib/own-addresses.ts'
import { repeat } from '../../lib/repeat.ts'
import { DIRECTORY_STALE_MS } from '../../modules/accounts/directory.ts'
import { mailboxOperations } from '../../modules/alerts/mailbox/mailbox.routes.ts'
import { mailboxToken } from '../../modules/alerts/mailbox/mailbox.service.ts'
import { createAuthenticator, createRecognizer } from '../../modules/auth/service.ts'
import { reportStoredPatterns } from '../../modules/catalog/store/stored-patterns.service.ts'
import { openRequestJournal } from '../../modules/portal/developers/request-log.service.ts'
import type { DemoAccounts } from '../../modules/sessions/people/demo.service.ts'
import type { Runtime } from '../../runtime.ts'
import { backOfficeOperations } from '../back-office.ts'
import { checkoutPageOperations, framesOf } from '../checkout.ts'
import { checkoutApiOperations } from '../checkout-api.ts'
import { dashboardOperations } from '../dashboard.ts'
import { startJobs } from '../jobs.ts'
import { closeStreams } from '../live.ts'
import { watchServices } from '../observing/metrics.ts'
import type { TakeLine } from '../observing/observing.ts'
import type { OperationDependencies } from '../operations.ts'
import { listOperations } from '../operations.ts'
import type { Services } from '../services.ts'
import { closeMoney, closeServices, openServices, sweepServices } from '../services.ts'
import { siteOperations } from '../site/documentation-site.ts'
import { wellKnownOperations } from '../site/well-known.ts'
import type { Shared } from './shared.ts'

/**
 * Services, operations and jobs of one group of resellers in one process, on the group's schema and with connections of
 * their own. Nothing in it knows of other groups.
 */
export type Group = {
  readonly services: Services
  readonly operations: readonly Operation[]
  /** Lists the pages, which may have been built anew. */
  listPages(): Operation[]
  readonly onAnswered: TakeLine
  /** Lists why the group cannot serve now; an empty list means that its commands are committed. */
  problems(): Promise<string[]>
  /** Reads once more what is held in memory; after it the group is ready. */
  markReady(): Promise<void>
  readonly closing: GroupClosing
}

/** Steps of a close, in their order. */
export type GroupClosing = {
  /** Writes down what would be lost if the steps after it were cut short. */
  checkpoint(): Promise<void>
  closeStreams(): Promise<void>
  closeMoney(): Promise<void>
  stopJobs(): Promise<void>
  /** Closes the rest, when the last long answer has been sent. */
  closeServices(): Promise<void>
}

export type Phase = 'starting' | 'serving' | 'stopping'

export type GroupSettings = {
  readonly metrics: EdgeMetrics
  readonly baseUrl: () => string
  readonly phase: () => Phase
  readonly shared: Shared
  /** Reads the demo's file; left out: there is no demo. */
  readonly demoAccounts?: DemoAccounts | undefined
  /** States of the groups that the service serves beside this one. */
  readonly others?: OperationDependencies['others']
}

const SWEEP_MS = 30_000
const READY_ANSWER_MS = 2_000
/** Time for which a commit counts as proof: a node that is busy with payments needs no other one. */
const READY_FRESH_MS = 1_000
const STALLED_MS = 5_000

export async function openGroup(runtime: Runtime, logger: Logger, settings: GroupSettings): Promise<Group> {
  const { config, database } = runtime
  const { metrics, baseUrl, phase, demoAccounts } = settings
  const addressOf = addressesAt(baseUrl)
  const services = await openServices(runtime, logger, metrics, addressOf, settings.shared)
  watchServices(metrics, services)
  const probe = createCommitProbe(database, { answerMs: READY_ANSWER_MS, freshMs: READY_FRESH_MS })
  const now = () => new Date(services.clock.nowMs())
  const problems = () => findProblems(probe, services, phase())
  const operations = [
    ...listOperations({
      config,
      services,
      authenticate: createAuthenticator({ ...services, explainSignatures: config.environment === 'staging' }),
      recognize: createRecognizer(services),
      now,
      problems,
      others: settings.others,
      baseUrl,
    }),
    ...backOfficeOperations({ config, services, demoAccounts, baseUrl }),
    ...checkoutApiOperations({ config, services, addressOf, now, baseUrl }),
    ...(hasMailbox(config)
      ? mailboxOperations(database, services.sessions.vault, mailboxToken(runtime.masterKeys))
      : []),
  ]
  const journal = openRequestJournal({
    database,
    vault: runtime.vault,
    nowMs: () => services.clock.nowMs(),
    onProblem: (error) => logger.error({ err: error }, 'the request log could not be written'),
  })
  const sweep = repeat(
    SWEEP_MS,
    () => sweepServices(services),
    (error) => logger.error({ err: error }, 'sweep failed'),
  )
  const jobs = startJobs(runtime, services, metrics, logger)

  return {
    services,
    operations,
    problems,
    listPages: () => [
      ...checkoutPageOperations({
        environment: config.environment,
        framesOf: framesOf(database, services.orders),
        baseUrl,
      }),
      ...dashboardOperations(config),
      ...siteOperations({
        environment: config.environment,
        baseUrl,
        senderAddresses: config.senderAddresses.map(networkToString),
      }),
      ...wellKnownOperations({
        environment: config.environment,
        baseUrl,
        securityContact: config.securityContact,
        nowMs: () => services.clock.nowMs(),
      }),
    ],
    onAnswered: services.observing.alsoTracing(journal.take),
    async markReady() {
      await services.directory.refresh()
      await services.catalog.refresh()
      await services.providers.refresh()
      await services.network.refresh()
      await reportStoredPatterns(services.catalog.base(), services.alerts)
    },
    closing: {
      checkpoint: () => services.outcomes.checkpoint(),
      closeStreams: () => closeStreams(services.live),
      closeMoney: () => closeMoney(services),
      async stopJobs() {
        await sweep.stop()
        await Promise.all(jobs.map((job) => job.stop()))
      },
      async closeServices() {
        await journal.close()
        await closeServices(services)
      },
    },
  }
}

/**
 * Lists why the group is not ready. Ready means that commands are committed, and not only that the database can be
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
