import { formatDay } from '../../../lib/dates.ts'
import type { ClosingsState } from '../../finance/closings/closings-behind.service.ts'

export function closingsView({ lastDay, wallets, behindTotal, behind, closedAt }: ClosingsState) {
  return {
    last_day: formatDay(lastDay),
    is_current: behindTotal === 0,
    wallets,
    behind_total: behindTotal,
    behind: behind.map(({ account, name, day }) => ({ account, name, day: formatDay(day) })),
    last_closed_at: closedAt?.toISOString() ?? null,
  }
}
