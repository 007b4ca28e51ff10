import { useLive } from '../../api/live.ts'
import type { Overview } from '../../api/portal.generated.ts'
import { portalKey, usePortal, usePortalAhead } from '../../api/portal.ts'
import { useRenewal } from '../../api/renewal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { clockText, longDayText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { buttonClass, Key } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel, Progress } from '../../ui/panel.tsx'
import { Shape } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { CHECKLIST, STEP_PAGES } from '../developers/checklist.ts'
import { PORTAL } from '../messages.ts'
import { usePaymentColumns } from '../payments/columns.tsx'
import { useMay } from '../session.ts'
import { AttentionPanel, BalancePanel } from './balance-panel.tsx'
import { ChartsPanel, TodayPanel } from './charts-panel.tsx'
import { OVERVIEW } from './messages.ts'
import './overview.css'

/** Is money running out, is anything broken, is today normal. */
export function Page() {
  const text = useText(OVERVIEW)
  const pages = useText(PORTAL)
  const reading = usePortal('portalGetOverview', {})
  usePortalAhead('portalListPayments', { query: { limit: SHOWN } })
  usePortalAhead('portalGetChecklist', {}, useMay('developers.read'))
  const maySell = useMay('sell')
  const now = reading.dataUpdatedAt || Date.now()
  return (
    <>
      <PageHead
        title={pages.overview}
        about={text.about(longDayText(now), clockText(now))}
        actions={
          maySell ? (
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
  const isIntegrating = useMay('developers.read')
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
        {isIntegrating ? <StartPanel /> : null}
      </div>
    </div>
  )
}

const SHOWN = 5

/** The newest payments, live. */
function LatestPanel() {
  const text = useText(OVERVIEW)
  const reading = usePortal('portalListPayments', { query: { limit: SHOWN } })
  const renew = useRenewal()
  useLive(['payment', 'payments'], () => renew(portalKey('portalListPayments')))
  const columns = usePaymentColumns()
  const shown = ['status', 'product', 'account', 'amount', 'time']
  return (
    <Panel
      isFlush
      title={text.latest}
      actions={
        <>
          <span className="live small">{text.live}</span>
          <PageLink className="link small" to="/portal/payments">
            {text.all}
          </PageLink>
        </>
      }
    >
      <Loaded
        reading={reading}
        empty={<Empty icon="payments" title={text.noPayments} about={text.noPaymentsAbout} />}
      >
        {({ data }) => (
          <Table
            caption={text.latest}
            columns={shown.flatMap((key) => columns.filter((each) => each.key === key))}
            rows={data.slice(0, SHOWN)}
            rowKey={({ id }) => id}
            linkTo={({ id }) => ({ to: `/portal/payments/${id}` })}
          />
        )}
      </Loaded>
    </Panel>
  )
}

/** Checklist that ticks itself from real traffic. */
function StartPanel() {
  const text = useText(CHECKLIST)
  const reading = usePortal('portalGetChecklist', {})
  const steps = reading.data?.data.steps ?? []
  const done = steps.filter(({ done_at: at }) => at !== null).length
  return (
    <Panel
      isFlush
      title={text.title}
      actions={
        <span className="meterline">
          {text.count(done, steps.length)}
          <Progress label={text.title} share={steps.length === 0 ? 0 : done / steps.length} />
        </span>
      }
    >
      <Loaded reading={reading}>
        {({ data }) => (
          <ul className="list steps">
            {data.steps.map(({ code, done_at: at }) => (
              <li key={code} className={at === null ? undefined : 'done'}>
                <Shape tone={at === null ? 'off' : 'ok'} isColoured />
                <div className="t">
                  <b>{text.steps[code]}</b>
                  <small>{at === null ? text.why[code] : whenText(at)}</small>
                </div>
                {at === null ? (
                  <PageLink className={buttonClass({ size: 'sm' })} to={STEP_PAGES[code]}>
                    {text.open}
                  </PageLink>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}

/** Products that cannot be sold now. */
function InterruptionsPanel({ interruptions }: { interruptions: Overview['interruptions'] }) {
  const text = useText(OVERVIEW)
  return (
    <Panel isFlush title={text.interruptions} count={interruptions.length || undefined}>
      <ul className="list">
        {interruptions.map(({ product, name, since }) => (
          <li key={product}>
            <Shape tone="warning" isColoured />
            <div className="t">
              <b className="strong">{name}</b> <span className="sub mono">{product}</span>
              <small>{text.since(whenText(since))}</small>
            </div>
          </li>
        ))}
        <li>
          <Shape tone="ok" isColoured />
          <div className="t mid">{text.restIsHealthy}</div>
        </li>
      </ul>
    </Panel>
  )
}
