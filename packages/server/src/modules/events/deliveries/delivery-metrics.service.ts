import type { Registry } from 'prom-client'
import { Counter, Gauge } from 'prom-client'
import type { Backlog } from './lanes.sql.ts'
import type { Counted } from './recorder.service.ts'

/** A node's figures about deliveries, read when metrics are collected. */
export type DeliveryFigures = {
  lanesHeld(): number
  underway(): number
  /** Unfinished deliveries of all nodes, as counted some seconds ago. */
  backlog(): readonly Backlog[]
  /** Results since the start. */
  counts(): Iterable<Counted>
}

export function watchDeliveries(registry: Registry, figures: DeliveryFigures): void {
  const held = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  held('warung_delivery_lanes', 'Receivers that this node sends to at present', figures.lanesHeld)
  held('warung_deliveries_underway', 'Deliveries sent and not answered yet', figures.underway)
  const backlog = (name: string, help: string, read: (backlog: Backlog) => number) =>
    new Gauge({
      name,
      help,
      // Every process counts the same rows.
      aggregator: 'max',
      labelNames: ['stream'],
      registers: [registry],
      collect() {
        this.reset()
        for (const each of figures.backlog()) this.set({ stream: each.stream }, read(each))
      },
    })
  backlog('warung_deliveries_pending', 'Deliveries that are not finished', ({ pending }) => pending)
  backlog(
    'warung_deliveries_overdue_seconds',
    'For how long the oldest one has been due',
    ({ overdueSeconds }) => overdueSeconds,
  )
  new Counter({
    name: 'warung_delivery_results_total',
    help: 'Deliveries by what came of their turn',
    labelNames: ['stream', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { stream, outcome, count } of figures.counts()) this.inc({ stream, outcome }, count)
    },
  })
}
