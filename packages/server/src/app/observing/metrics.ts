import type { Registry } from 'prom-client'
import { Counter, Gauge } from 'prom-client'
import type { Database } from '../../db/database.ts'
import type { EdgeMetrics } from '../../http/metrics.ts'
import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'
import { SEVERITIES } from '../../modules/alerts/core/types.ts'
import { readMailBacklog } from '../../modules/alerts/mail/mail.sql.ts'
import { readOldestFactSeconds } from '../../modules/events/outbox/sequencer.sql.ts'
import { readStuckOrders } from '../../modules/orders/fulfil/stuck.sql.ts'
import { readStuck } from '../../modules/payments/fulfil/work.sql.ts'
import { watchProviders } from '../../modules/providers/metrics.service.ts'
import type { Services } from '../services.ts'

// docs/metrics.md lists every figure with its help text; an acceptance test compares the two.

/** Registers figures that are read when the metrics are requested. */
export function watchServices(metrics: EdgeMetrics, services: Services): void {
  watchProviders(metrics.registry, services.providers.measurements)
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
    'warung_outcomes_kept',
    'Answers of suppliers that wait in memory for the database',
    () => services.outcomes.kept,
  )
  metrics.gauge(
    'warung_directory_age_seconds',
    'Age of the accounts directory; above 5 requests are refused',
    () => services.directory.ageMs() / 1_000,
    'max',
  )
  watchReads(metrics, services)
  watchPayments(metrics.registry, services)
  watchAlerts(metrics.registry, services)
  const { counts } = services.payments.callbacks
  for (const name of ['taken', 'refused', 'repeated', 'disbelieved'] as const) {
    metrics.gauge(`warung_callbacks_${name}`, `Callbacks ${name} since the start`, () => counts[name])
  }
}

function watchReads({ registry, gauge }: EdgeMetrics, { reader }: Services): void {
  new Counter({
    name: 'warung_reads_total',
    help: 'Lists, statements and pages of files that were read, by the server that answered',
    labelNames: ['server'],
    registers: [registry],
    collect() {
      this.reset()
      for (const server of ['primary', 'standby'] as const) this.inc({ server }, reader.counts[server])
    },
  })
  gauge(
    'warung_standby_lag_seconds',
    'How far the standby for reads is behind; 0 without one, -1 while it cannot be asked',
    () => (reader.standby === undefined ? 0 : (reader.standby.lagSeconds ?? -1)),
    'max',
  )
}

function watchPayments(registry: Registry, { payments }: Services): void {
  new Counter({
    name: 'warung_payments_total',
    help: 'Payments that this node brought to their end, by outcome, kind of product and supplier',
    labelNames: ['outcome', 'kind', 'supplier'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { count, ...labels } of payments.counts()) this.inc(labels, count)
    },
  })
}

function watchAlerts(registry: Registry, { alerts }: Services): void {
  new Gauge({
    name: 'warung_operator_alerts_open',
    help: 'Alerts that an operator should look at, by severity',
    labelNames: ['severity'],
    // Every process counts the same alerts.
    aggregator: 'max',
    registers: [registry],
    collect() {
      for (const severity of SEVERITIES) this.set({ severity }, alerts.openCount(severity))
    },
  })
}

const READ_EVERY_MS = 15_000

/** Reads figures from the database on a timer, and never when the metrics are requested. */
export function startReadingFigures(
  { gauge }: EdgeMetrics,
  database: Database,
  onProblem: (error: unknown) => void,
): Schedule {
  let mail = { waiting: 0, oldestSeconds: 0 }
  let stuck = { count: 0, oldestSeconds: 0 }
  let orders = { count: 0, oldestSeconds: 0 }
  let factSeconds = 0
  const add = (name: string, help: string, read: () => number) => gauge(name, help, read, 'max')
  add('warung_mails_waiting', 'Mails that wait to be sent', () => mail.waiting)
  add('warung_mails_oldest_seconds', 'Age of the oldest mail that waits', () => mail.oldestSeconds)
  add('warung_payments_stuck', 'Payments past their due time that are not final', () => stuck.count)
  add(
    'warung_payments_stuck_oldest_seconds',
    'For how long the oldest stuck payment has been past its due time',
    () => stuck.oldestSeconds,
  )
  add('warung_orders_stuck', 'Orders of the hosted checkout that do not move on', () => orders.count)
  add(
    'warung_orders_stuck_oldest_seconds',
    'For how long the oldest stuck order has not moved',
    () => orders.oldestSeconds,
  )
  add(
    'warung_facts_oldest_seconds',
    'Age of the oldest fact that is not yet an event of the feed',
    () => factSeconds,
  )
  return repeat(
    READ_EVERY_MS,
    async () => {
      mail = await readMailBacklog(database)
      stuck = await readStuck(database)
      orders = await readStuckOrders(database)
      factSeconds = await readOldestFactSeconds(database)
    },
    onProblem,
  )
}
