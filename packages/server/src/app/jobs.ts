import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { withLongStatements } from '../db/long-statements.ts'
import type { EdgeMetrics } from '../http/metrics.ts'
import { failpointOf } from '../lib/failpoints.ts'
import type { Schedule } from '../lib/repeat.ts'
import { smoothCondition } from '../lib/smooth-condition.ts'
import { startCountingAlerts } from '../modules/alerts/core/jobs.ts'
import { startMailing } from '../modules/alerts/mail/mail.jobs.ts'
import { chooseTransport } from '../modules/alerts/mail/smtp.service.ts'
import { startPostingAlerts } from '../modules/alerts/webhook/webhook.jobs.ts'
import { startWatchingApprovals } from '../modules/approvals/jobs.ts'
import { startExpanding } from '../modules/catalog/changes/jobs.ts'
import { startDelivering } from '../modules/events/deliveries/delivering.jobs.ts'
import { watchDeliveries } from '../modules/events/deliveries/delivery-metrics.service.ts'
import { signingKeyOf } from '../modules/events/endpoints/secrets.service.ts'
import { standardHeaders } from '../modules/events/endpoints/signing.rules.ts'
import { startRetention } from '../modules/events/log/retention.jobs.ts'
import { startFanningOut } from '../modules/events/outbox/fanout.jobs.ts'
import { startSequencing } from '../modules/events/outbox/sequencer.jobs.ts'
import { startClosing } from '../modules/finance/closings/closings.jobs.ts'
import { startWatchingMargins } from '../modules/margins/jobs.ts'
import { startWatchingCosts } from '../modules/margins/realised/jobs.ts'
import { startReadingOffers } from '../modules/offers/jobs.ts'
import { startWatchingOrders } from '../modules/orders/fulfil/stuck.jobs.ts'
import { startCounting } from '../modules/payments/limits/jobs.ts'
import { startReadingOldNumbers } from '../modules/payments/reports/old-numbers.jobs.ts'
import { startRollups } from '../modules/payments/reports/rollups.jobs.ts'
import { BUSY_FROM_UNANSWERED } from '../modules/payments/start.service.ts'
import { startWatchingPayments } from '../modules/payments/watch/jobs.ts'
import { startWatchingFloats } from '../modules/providers/float.jobs.ts'
import { startWatchingStock } from '../modules/providers/stock/jobs.ts'
import { startAnsweringResets } from '../modules/sessions/passwords/resets.jobs.ts'
import { startChaining } from '../modules/wallet/ledger/chain.jobs.ts'
import { namesOfMail } from '../outbound/purposes.ts'
import type { Runtime } from '../runtime.ts'
import { startWatchingBackups } from './observing/backups.ts'
import { startReadingFigures } from './observing/metrics.ts'
import type { Services } from './services.ts'

/**
 * Starts the jobs beside the requests, on every node; each job makes sure that one node at a time does a piece of work.
 */
export function startJobs(
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
      if (deliveries > 0) deliverer.noteQueued()
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
    startCounting({
      database,
      onProblem: onProblem('payments could not be counted for their limits; tried again soon'),
    }),
    startReadingOldNumbers({
      database,
      catalog,
      numbers: services.numbers,
      isBusy,
      onProblem: onProblem('numbers of old payments could not be read; tried again soon'),
    }),
    startReadingFigures(
      metrics,
      longStatements,
      onProblem('figures for the metrics could not be read; tried again soon'),
    ),
    startWatchingBackups({
      config: config.backup,
      source: config.database.kind,
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
    startWatchingPayments({
      database: longStatements,
      alerts,
      onProblem: onProblem('stuck payments and success rates could not be read; tried again soon'),
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
    startWatchingCosts({
      database: longStatements,
      alerts,
      maxPercent: config.costDriftPercent,
      rateAgeDays: config.rateAgeDays,
      nowMs: () => services.clock.nowMs(),
      onProblem: onProblem('costs of suppliers could not be compared; tried again soon'),
    }),
    startReadingOffers({
      database: longStatements,
      leaseClock: services.leaseClock,
      alerts,
      catalog,
      providerOf: providers.byCode,
      onProblem: onProblem('the lists of suppliers could not be read; tried again soon'),
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
