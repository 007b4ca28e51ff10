import { formatMoney } from '../../lib/money.ts'
import type { Comparison, ComparisonView, Finding } from './types.ts'
import { DRIFT_DAYS } from './types.ts'

const SHOWN_MAX = 100

/** Returns plain data for answers, approvals and the log. */
export function comparisonView({ findings, loss }: Comparison): ComparisonView {
  return {
    needs_second_person: findings.length > 0,
    loss_last_month: formatMoney(loss),
    findings_total: findings.length,
    findings: findings.slice(0, SHOWN_MAX).map(findingView),
  }
}

function findingView({ cost, loss, ...finding }: Finding) {
  return { ...finding, cost: cost === null ? null : formatMoney(cost), loss_last_month: formatMoney(loss) }
}

const LINES_MAX = 20

/** Describes the findings for people; empty when there are none. */
export function comparisonText(comparison: Comparison): string {
  return comparisonViewText(comparisonView(comparison))
}

export function comparisonViewText({ findings, findings_total, loss_last_month }: ComparisonView): string {
  if (findings_total === 0) return ''
  const rest = findings_total - LINES_MAX
  return [
    ...findings.slice(0, LINES_MAX).map(findingText),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    `On the sales of the last 30 days this would have cost ${loss_last_month}.`,
  ].join('\n')
}

const NO_LOSS = formatMoney(0n)

function findingText(finding: ComparisonView['findings'][number]): string {
  const { kind, product, level, provider, sample, before, after, cost, loss_last_month: loss } = finding
  const effect = loss === NO_LOSS ? '' : ` (${loss} on last month's sales)`
  switch (kind) {
    case 'below_cost':
      return `${product} at ${level}: ${sample} is sold for ${after}, and ${provider} charges ${cost ?? NO_LOSS}${effect}`
    case 'price_moved':
      return `${product} at ${level}: the price of ${sample} moves from ${before} to ${after}${effect}`
    case 'price_drifted':
      return `${product} at ${level}: in small steps of the last ${DRIFT_DAYS} days the price of ${sample} moves from ${before} to ${after}${effect}`
    case 'cost_moved':
      return `${product} through ${provider}: the cost moves from ${before} to ${after ?? 'unknown'}`
    default:
      return kind satisfies never
  }
}
