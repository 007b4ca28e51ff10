import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { PORTAL } from '../messages.ts'
import { STATEMENT } from './messages.ts'

type View = 'entries' | 'months' | 'reconciliation'

/** Ways through the books of the wallet. */
export function StatementTabs({ current }: { current: View }) {
  const text = useText(STATEMENT)
  const pages = useText(PORTAL)
  const mark = (view: View) => ({ 'aria-current': view === current ? ('page' as const) : undefined })
  return (
    <nav className="tabs" aria-label={pages.statement}>
      <PageLink to="/portal/statement" search={{}} {...mark('entries')}>
        {text.entries}
      </PageLink>
      <PageLink to="/portal/statement" search={{ view: 'months' }} {...mark('months')}>
        {text.months}
      </PageLink>
      <PageLink to="/portal/reconciliation" {...mark('reconciliation')}>
        {pages.reconciliation}
      </PageLink>
    </nav>
  )
}
