import { useFilters } from '../../shell/navigation.tsx'
import { EntriesView } from './entries-view.tsx'
import { monthOf } from './filters.ts'
import { MonthView } from './month-view.tsx'
import { MonthsView } from './months-view.tsx'
import '../payments/payments.css'
import './statement.css'

/** Movements of the wallet. The address says which view: entries, months, or one month. */
export function Page() {
  const [search] = useFilters()
  const month = monthOf(search)
  if (month !== undefined) return <MonthView month={month} />
  return search.view === 'months' ? <MonthsView /> : <EntriesView />
}
