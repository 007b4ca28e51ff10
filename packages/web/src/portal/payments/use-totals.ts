import type { PaymentTotals } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { filterQuery } from './filters.ts'

/**
 * Totals of all pages together, with the days that they count. None for a refid: it names one payment, of whatever
 * day.
 */
export function useTotals(): PaymentTotals | undefined {
  const [search] = useFilters()
  const { refid, ...query } = filterQuery(search)
  const isCounted = refid === undefined
  const { data } = usePortal('portalSumPayments', { query }, { keepsFormer: true, isEnabled: isCounted })
  return isCounted ? data?.data : undefined
}
