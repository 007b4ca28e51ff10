import type { OperatorOverview } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { clockText, longDayText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { CONSOLE } from '../messages.ts'
import { AlertsPanel } from './alerts-panel.tsx'
import { ApprovalsPanel } from './approvals-panel.tsx'
import { CasesPanel } from './cases-panel.tsx'
import { Cells } from './cells.tsx'
import { ChartsPanel } from './charts-panel.tsx'
import { FloatPanel } from './float-panel.tsx'
import { LedgerPanel } from './ledger-panel.tsx'
import { OVERVIEW } from './messages.ts'
import { ProvidersPanel } from './providers-panel.tsx'
import { ReceiversPanel } from './receivers-panel.tsx'
import { StuckPanel } from './stuck-panel.tsx'
import { TodayPanel } from './today-panel.tsx'
import './overview.css'

/** Work that only a person can end. */
export function Page() {
  const text = useText(OVERVIEW)
  const pages = useText(CONSOLE)
  const reading = useOperator('getOperatorOverview', {})
  const asOf = reading.data?.data.as_of ?? Date.now()
  return (
    <>
      <PageHead
        title={pages.overview}
        about={text.about(longDayText(asOf), clockText(asOf))}
        actions={<span className="live wide-only">{text.live}</span>}
      />
      <Loaded reading={reading} bones={14}>
        {({ data }) => <Panels overview={data} />}
      </Loaded>
    </>
  )
}

/** Parts that the role may not read, or that were late, are null and take no place. */
function Panels({ overview }: { overview: OperatorOverview }) {
  const text = useText(OVERVIEW)
  const { alerts, stuck, approvals, cases, providers, receivers, ledger, payments, late } = overview
  return (
    <div className="grid">
      {late.length === 0 ? null : (
        <Note tone="wait">{text.late(late.map((part) => text.lateParts[part]).join(', '))}</Note>
      )}
      <Cells overview={overview} />
      <div className="opg">
        <div className="grid">
          {stuck === null ? null : <StuckPanel stuck={stuck} />}
          {approvals === null ? null : <ApprovalsPanel approvals={approvals} />}
          {cases === null ? null : <CasesPanel cases={cases} />}
          {receivers === null ? null : <ReceiversPanel receivers={receivers} />}
        </div>
        <div className="grid">
          {alerts === null || alerts.first.length === 0 ? null : <AlertsPanel alerts={alerts} />}
          {providers === null || providers.length === 0 ? null : <ProvidersPanel providers={providers} />}
          {providers === null || providers.length === 0 ? null : <FloatPanel providers={providers} />}
          {ledger === null ? null : <LedgerPanel ledger={ledger} />}
        </div>
      </div>
      {payments === null ? null : (
        <>
          <TodayPanel payments={payments} />
          <ChartsPanel payments={payments} />
        </>
      )}
    </div>
  )
}
