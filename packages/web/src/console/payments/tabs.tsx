import { useOperator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { PAYMENTS } from './messages.ts'

/** Tabs of the two lists of payments. */
export function PaymentTabs({ current }: { current: 'search' | 'stuck' }) {
  const text = useText(PAYMENTS)
  // The side column reads the same, so that this asks nothing of its own.
  const count = useOperator('getOperatorOverview', {}).data?.data.stuck?.payments ?? 0
  const mark = (tab: string) => ({ 'aria-current': tab === current ? ('page' as const) : undefined })
  return (
    <nav className="tabs" aria-label={text.tabs}>
      <PageLink to="/operator/payments" {...mark('search')}>
        {text.search}
      </PageLink>
      <PageLink to="/operator/stuck" {...mark('stuck')}>
        {text.stuck} {count === 0 ? null : <span className="count">{count}</span>}
      </PageLink>
    </nav>
  )
}
