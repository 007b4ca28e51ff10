import type { BreakerState, Health } from '../connections/routing.types.ts'
import type { HealthReport } from './health.types.ts'

/**
 * Combines the measurements of all nodes. A provider that answers one node works, so the best-informed node decides
 * the state: another node's open breaker holds back only that node.
 */
export function combineHealth(own: Health, others: readonly HealthReport[]): Health {
  return others.length === 0 ? own : combineReports([toReport('', own), ...others])
}

/** Combines the reports of all nodes about one provider. */
export function combineReports(reports: readonly HealthReport[]): Health {
  const total = (read: (report: HealthReport) => number) =>
    reports.reduce((sum, report) => sum + read(report), 0)
  const orders = total((report) => report.orders)
  return {
    state: combineStates(reports),
    orders,
    successRate: orders === 0 ? null : total((report) => report.answered) / orders,
    timeouts: total((report) => report.timeouts),
    notActed: total((report) => report.not_acted),
    p50Ms: largest(reports.map((report) => report.p50_ms)),
    p95Ms: largest(reports.map((report) => report.p95_ms)),
  }
}

function combineStates(reports: readonly HealthReport[]): BreakerState {
  if (reports.some(({ state, answered }) => state === 'closed' && answered > 0)) return 'closed'
  if (reports.some(({ state }) => state === 'half_open')) return 'half_open'
  return reports.some(({ state }) => state === 'open') ? 'open' : 'closed'
}

/** Returns the worst node's value, because sums of percentiles mean nothing. */
function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

export function toReport(provider: string, health: Health): HealthReport {
  return {
    provider,
    state: health.state,
    orders: health.orders,
    answered: health.orders - health.timeouts - health.notActed,
    timeouts: health.timeouts,
    not_acted: health.notActed,
    p50_ms: health.p50Ms,
    p95_ms: health.p95Ms,
  }
}
