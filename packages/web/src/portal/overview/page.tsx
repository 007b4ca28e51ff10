import type { Overview } from '../../api/portal.generated.ts'
import { usePortal, usePortalAhead } from '../../api/portal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { clockText, longDayText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { buttonClass, Key } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/panel.tsx'
import { PORTAL } from '../messages.ts'
import { useIsAdmin } from '../session.ts'
import { AttentionPanel } from './attention-panel.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { ChartsPanel } from './charts-panel.tsx'
import { InterruptionsPanel } from './interruptions-panel.tsx'
import { LatestPanel, SHOWN } from './latest-panel.tsx'
import { OVERVIEW } from './messages.ts'
import { StartPanel } from './start-panel.tsx'
import { TodayPanel } from './today-panel.tsx'
import './overview.css'

/** Is money running out, is anything broken, is today normal. */
export function Page() {
  const text = useText(OVERVIEW)
  const pages = useText(PORTAL)
  const reading = usePortal('portalGetOverview', {})
  usePortalAhead('portalListPayments', { query: { limit: SHOWN } })
  usePortalAhead('portalGetChecklist', {})
  const isAdmin = useIsAdmin()
  const now = reading.dataUpdatedAt || Date.now()
  return (
    <>
      <PageHead
        title={pages.overview}
        about={text.about(longDayText(now), clockText(now))}
        actions={
          isAdmin ? (
            <PageLink className={buttonClass({ look: 'primary' })} to="/portal/sell">
              <Icon name="sell" />
              {text.sell} <Key>N</Key>
            </PageLink>
          ) : undefined
        }
      />
      <Loaded reading={reading} bones={12}>
        {({ data }) => <OverviewPanels overview={data} />}
      </Loaded>
    </>
  )
}

function OverviewPanels({ overview }: { overview: Overview }) {
  return (
    <div className="grid">
      <div className="grid c57 stretch">
        <BalancePanel overview={overview} />
        <TodayPanel overview={overview} />
      </div>
      <div className="grid c75">
        <AttentionPanel attention={overview.attention} />
        <InterruptionsPanel interruptions={overview.interruptions} />
      </div>
      <ChartsPanel overview={overview} />
      <div className="grid c75">
        <LatestPanel />
        <StartPanel />
      </div>
    </div>
  )
}
