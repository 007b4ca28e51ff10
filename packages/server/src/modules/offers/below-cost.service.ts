import type { Database } from '../../db/database.ts'
import { formatMoney } from '../../lib/money.ts'
import type { Alerts } from '../alerts/core/service.ts'
import type { AlertReport } from '../alerts/core/types.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import { raiseOnly } from '../margins/alerts.service.ts'
import { listProposals } from './reads.ts'

export type BelowCostWatch = {
  readonly database: Database
  readonly alerts: Alerts
  readonly catalog: Pick<Catalog, 'state'>
}

const PAGE_ROWS = 1_000
/** Limit of proposals that are looked at; a longer list waits for people anyway. */
const PAGES_MAX = 50
const NAMED_MAX = 5

/** Raises an alert for each supplier whose list has a cost above our price, before something is sold at it. */
export async function watchBelowCost({ database, alerts, catalog }: BelowCostWatch): Promise<void> {
  const found = new Map<string, string[]>()
  let afterId = 0n
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const filter = { provider: null, kinds: ['cost_changed' as const], state: 'open' as const, afterId }
    const proposals = await listProposals(database, { ...filter, limit: PAGE_ROWS }, catalog.state())
    for (const { provider, code, margin } of proposals) {
      if (typeof margin === 'string' || margin.margin >= 0n) continue
      const { level, price, cost, product } = margin
      const line = `${code} costs ${formatMoney(cost)}, and ${level} pays ${formatMoney(price)} for ${product}`
      found.set(provider, [...(found.get(provider) ?? []), line])
    }
    afterId = proposals.at(-1)?.id ?? afterId
    if (proposals.length < PAGE_ROWS) break
  }
  await raiseOnly({ database, alerts }, ['offer_below_cost'], [...found].map(reportOf))
}

function reportOf([provider, lines]: readonly [string, readonly string[]]): AlertReport {
  const rest = lines.length - NAMED_MAX
  const named = [...lines.slice(0, NAMED_MAX), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
  return { kind: 'offer_below_cost', subject: provider, text: `${provider}: ${named}` }
}
