import type { ReactNode } from 'react'
import type { OperatorOverview } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { clockText, durationText, longDayText, whenText } from '../../text/dates.ts'
import type { Translated } from '../../text/language.ts'
import { useText } from '../../text/language.ts'
import { countText, moneyText } from '../../text/numbers.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Note, Shape } from '../../ui/state.tsx'
import { CONSOLE } from '../messages.ts'
import { isWell, takesOrders } from '../providers/rules.ts'
import { ChartsPanel, TodayPanel } from './charts-panel.tsx'
import { OVERVIEW } from './messages.ts'
import { FloatPanel, LedgerPanel, ProvidersPanel, ReceiversPanel } from './supply-panels.tsx'
import { AlertsPanel, ApprovalsPanel, CasesPanel, StuckPanel } from './work-panels.tsx'
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

type Text = Translated<(typeof OVERVIEW)['en']>

type Cell = {
  readonly to: string
  readonly label: string
  readonly tone: Tone
  readonly value: ReactNode
  readonly about: string
}

/** Six figures, each a link to its page. */
function Cells({ overview }: { overview: OperatorOverview }) {
  const text = useText(OVERVIEW)
  const cells = [
    stuckCell(overview.stuck, text),
    approvalsCell(overview.approvals, text),
    alertsCell(overview.alerts, text),
    providersCell(overview.providers, text),
    receiversCell(overview.receivers, text),
    ledgerCell(overview.ledger, text),
  ].filter((cell) => cell !== undefined)
  return (
    <nav className="cells" aria-label={text.cells}>
      {cells.map(({ to, label, tone, value, about }) => (
        <PageLink className="cell" key={to} to={to}>
          <span className="lab">{label}</span>
          <span className="row">
            <Shape tone={tone} isColoured />
            <b>{value}</b>
          </span>
          <small>{about}</small>
        </PageLink>
      ))}
    </nav>
  )
}

function stuckCell(stuck: OperatorOverview['stuck'], text: Text): Cell | undefined {
  if (stuck === null) return undefined
  const { payments, oldest_age_seconds: age } = stuck
  return {
    to: '/operator/stuck',
    label: text.stuck,
    tone: payments === 0 ? 'ok' : 'critical',
    value: payments === 0 ? text.none : countText(payments),
    about: age === null ? text.stuckNoneAbout : text.pastDue(durationText(age * 1000)),
  }
}

function approvalsCell(approvals: OperatorOverview['approvals'], text: Text): Cell | undefined {
  if (approvals === null) return undefined
  const { pending, may_decide: mine } = approvals
  return {
    to: '/operator/approvals',
    label: text.approvals,
    tone: pending === 0 ? 'ok' : 'wait',
    value: pending === 0 ? text.none : countText(pending),
    about: mine === 0 ? text.noneForYou : text.forYou(mine),
  }
}

function alertsCell(alerts: OperatorOverview['alerts'], text: Text): Cell | undefined {
  if (alerts === null) return undefined
  const { critical, warning } = alerts
  const value = critical > 0 ? text.critical(critical) : warning > 0 ? text.warnings(warning) : text.none
  return {
    to: '/operator/alerts',
    label: text.alerts,
    tone: critical > 0 ? 'critical' : warning > 0 ? 'warning' : 'ok',
    value,
    about: critical > 0 && warning > 0 ? text.andWarnings(warning) : warning > 0 ? '' : text.nothingWrong,
  }
}

function providersCell(providers: OperatorOverview['providers'], text: Text): Cell | undefined {
  if (providers === null) return undefined
  const used = providers.filter(({ enabled }) => enabled)
  const well = used.filter(isWell)
  return {
    to: '/operator/providers',
    label: text.providers,
    tone: well.length < used.length ? 'warning' : 'ok',
    value: used.length === 0 ? text.none : text.well(well.length, used.length),
    about: used.length === 0 ? text.noProviders : providersAbout(used, text),
  }
}

function providersAbout(used: NonNullable<OperatorOverview['providers']>, text: Text): string {
  const without = used.find(({ health }) => health?.state === 'open')
  if (without !== undefined) return text.takesNone(without.code)
  const silent = used.find((each) => takesOrders(each) && !isWell(each))
  return silent === undefined ? text.allTake : text.answersFew(silent.code)
}

function receiversCell(receivers: OperatorOverview['receivers'], text: Text): Cell | undefined {
  if (receivers === null) return undefined
  const { pending, lagging } = receivers
  return {
    to: '/operator/deliveries',
    label: text.deliveries,
    tone: lagging === 0 ? 'ok' : 'wait',
    value: pending === 0 ? text.none : countText(pending),
    about: lagging === 0 ? text.noneLags : text.lagging(lagging),
  }
}

function ledgerCell(ledger: OperatorOverview['ledger'], text: Text): Cell | undefined {
  if (ledger === null) return undefined
  const { last, running_since: running } = ledger
  const place = { to: '/operator/ledger', label: text.ledger }
  if (last?.is_whole === false) {
    return { ...place, tone: 'critical', value: text.broken, about: text.provedAt(at(last), sumOf(last)) }
  }
  if (running !== null) {
    return { ...place, tone: 'wait', value: text.proving, about: text.runningSince(whenText(running)) }
  }
  if (last === null) return { ...place, tone: 'off', value: text.notProved, about: '' }
  if (last.trouble !== null) return { ...place, tone: 'warning', value: text.trouble, about: last.trouble }
  return { ...place, tone: 'ok', value: text.whole, about: text.provedAt(at(last), sumOf(last)) }
}

type Proof = NonNullable<NonNullable<OperatorOverview['ledger']>['last']>

function at({ finished_at: finishedAt }: Proof): string {
  return finishedAt === null ? '–' : whenText(finishedAt)
}

function sumOf({ total }: Proof): string {
  return total === null ? '–' : moneyText(total, 'MYR')
}
