import type { Registry } from 'prom-client'
import { Counter, Gauge } from 'prom-client'
import type { Measurement } from './health/health.service.ts'

const STATES = { closed: 0, half_open: 1, open: 2 } as const

/** Registers metrics about each provider; they are read when somebody asks for them. */
export function watchProviders(registry: Registry, measurements: () => readonly Measurement[]): void {
  const gauge = (name: string, help: string, read: (measurement: Measurement) => number | null) => {
    new Gauge({
      name,
      help,
      // Several processes share one port: the one with the worst figures of the provider counts.
      aggregator: name.endsWith('_rate') ? 'min' : 'max',
      labelNames: ['provider'],
      registers: [registry],
      collect() {
        this.reset()
        for (const measurement of measurements()) {
          const value = read(measurement)
          if (value !== null) this.set({ provider: measurement.code }, value)
        }
      },
    })
  }
  gauge(
    'warung_provider_state',
    'Circuit breaker: 0 closed, 1 half open, 2 open',
    ({ health }) => STATES[health.state],
  )
  gauge(
    'warung_provider_success_rate',
    'Part of the orders of the last half a minute that were answered',
    ({ health }) => health.successRate,
  )
  gauge('warung_provider_p95_seconds', 'How long 95 of 100 orders took at most', ({ health }) =>
    health.p95Ms === null ? null : health.p95Ms / 1_000,
  )
  new Counter({
    name: 'warung_provider_orders_total',
    help: 'Orders sent to a provider, by how they ended',
    labelNames: ['provider', 'answer'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { code, answers } of measurements()) {
        for (const [answer, count] of answers) this.inc({ provider: code, answer }, count)
      }
    },
  })
}
