import type { ProviderHealth, ProviderMeasurement } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { clockText, dayText, durationText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, percentText } from '../../text/numbers.ts'
import type { ChartPoint } from '../../ui/chart.tsx'
import { BarChart, LineChart, TwinTable, useTwin } from '../../ui/chart.tsx'
import { Segment } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { StateOf } from '../states.ts'
import { PROVIDERS } from './messages.ts'

type Interval = ProviderHealth['intervals'][number]

const DAY_HOURS = 24
const WEEK_HOURS = 168
const TICKS = 4

/** Range of the health that the address asks for. */
export function useHistoryInput(code: string) {
  const [search] = useFilters()
  const hours = search.hours === String(WEEK_HOURS) ? WEEK_HOURS : DAY_HOURS
  return { params: { code }, query: { hours } }
}

/** Orders, how they went and how long they took, over a day or a week, as charts or as a table. */
export function HistoryPanel({ code }: { code: string }) {
  const text = useText(PROVIDERS)
  const twin = useTwin()
  const [, change] = useFilters()
  const input = useHistoryInput(code)
  const { hours } = input.query
  const reading = useOperator('getProviderHealth', input, { keepsFormer: true })
  return (
    <Panel
      isFlush
      title={text.history}
      actions={
        <>
          <Segment
            label={text.range}
            value={String(hours)}
            onValue={(value) => change({ hours: value === String(DAY_HOURS) ? undefined : value })}
            options={[
              { value: String(DAY_HOURS), label: text.hours24 },
              { value: String(WEEK_HOURS), label: text.days7 },
            ]}
          />
          {twin.button}
        </>
      }
    >
      <Loaded reading={reading} bones={3}>
        {({ data }) =>
          data.total.attempts === 0 ? (
            <p className="sub small pad">{text.noOrdersRange}</p>
          ) : twin.isTable ? (
            <HistoryTable health={data} />
          ) : (
            <HistoryCharts health={data} />
          )
        }
      </Loaded>
    </Panel>
  )
}

function labelOf({ at }: Interval): string {
  return `${dayText(at)}, ${clockText(at)}`
}

function rateOf({ succeeded, attempts }: { succeeded: number; attempts: number }): number | null {
  return attempts === 0 ? null : succeeded / attempts
}

function rateText(rate: number | null): string {
  return rate === null ? '–' : `${percentText(rate)}%`
}

function msText(ms: number | null): string {
  return ms === null ? '–' : durationText(ms)
}

function HistoryCharts({ health: { intervals, total } }: { health: ProviderHealth }) {
  const text = useText(PROVIDERS)
  const isWeek = intervals.length > 0 && spanMs(intervals) > DAY_HOURS * 3_600_000 * 2
  const step = Math.max(1, Math.floor(intervals.length / TICKS))
  const ticks = intervals.flatMap((interval, at) =>
    at % step === 0 && at < intervals.length - step / 2
      ? [{ at, text: isWeek ? dayText(interval.at) : clockText(interval.at) }]
      : [],
  )
  const points = (
    readValue: (each: Interval) => number | null,
    readText: (each: Interval) => string,
  ): ChartPoint[] =>
    intervals.map((interval, index) => ({
      label: labelOf(interval),
      value: readValue(interval),
      text: readText(interval),
      isOpen: index === intervals.length - 1,
    }))
  const rate = rateText(rateOf(total))
  return (
    <div className="duo top-line">
      <figure>
        <figcaption>
          <span className="lab">{text.attempts}</span>
          <div className="fig s">{countText(total.attempts)}</div>
        </figcaption>
        <BarChart
          label={text.attemptsLabel(countText(total.attempts))}
          points={points(
            (each) => each.attempts,
            (each) => countText(each.attempts),
          )}
          ticks={ticks}
        />
      </figure>
      <figure>
        <figcaption>
          <span className="lab">{text.successRate}</span>
          <div className="fig s">{rate}</div>
        </figcaption>
        <LineChart
          label={text.rateLabel(rate)}
          points={points(rateOf, (each) => rateText(rateOf(each)))}
          from={0}
          to={1}
          ticks={ticks}
          axisText={(value) => `${Math.round(value * 100)}%`}
        />
      </figure>
      <figure>
        <figcaption>
          <span className="lab">{text.latency}</span>
          <div className="fig s">{msText(total.p50_ms)}</div>
        </figcaption>
        <LineChart
          label={text.latencyLabel(msText(total.p50_ms))}
          colour="chart-2"
          points={points(
            (each) => each.p50_ms,
            (each) => msText(each.p50_ms),
          )}
          ticks={ticks}
          axisText={msText}
        />
      </figure>
      <figure>
        <figcaption>
          <span className="lab">{text.latency95}</span>
          <div className="fig s">{msText(total.p95_ms)}</div>
        </figcaption>
        <LineChart
          label={text.latency95Label(msText(total.p95_ms))}
          colour="chart-1"
          points={points(
            (each) => each.p95_ms,
            (each) => msText(each.p95_ms),
          )}
          ticks={ticks}
          axisText={msText}
        />
      </figure>
    </div>
  )
}

function spanMs(intervals: readonly Interval[]): number {
  return Date.parse(intervals.at(-1)?.at ?? '') - Date.parse(intervals[0]?.at ?? '')
}

/** Newest first; intervals without an order say nothing and are left out. */
function HistoryTable({ health: { intervals } }: { health: ProviderHealth }) {
  const text = useText(PROVIDERS)
  const rows = [...intervals].reverse().filter(({ attempts }) => attempts > 0)
  return (
    <TwinTable
      caption={text.history}
      heads={[
        text.time,
        text.attempts,
        text.succeeded,
        text.failed,
        text.pending,
        text.notActed,
        text.unknown,
        text.p50,
        text.p95,
      ]}
      rows={rows.map((each) => [
        labelOf(each),
        countText(each.attempts),
        countText(each.succeeded),
        countText(each.failed),
        countText(each.pending),
        countText(each.not_acted),
        countText(each.unknown),
        msText(each.p50_ms),
        msText(each.p95_ms),
      ])}
    />
  )
}

/** Measurements of each node, and what its breaker made of them. */
export function NodesPanel({ health }: { health: readonly ProviderMeasurement[] }) {
  const text = useText(PROVIDERS)
  const columns = useColumns()
  return (
    <Panel
      isFlush
      title={text.healthNow}
      about={text.healthNowAbout}
      actions={<span className="live">{text.live}</span>}
    >
      {health.length === 0 ? (
        <p className="sub small pad">{text.noOrders}</p>
      ) : (
        <Table caption={text.healthNow} columns={columns} rows={health} rowKey={({ node }) => node} />
      )}
    </Panel>
  )
}

function useColumns(): readonly Column<ProviderMeasurement>[] {
  const text = useText(PROVIDERS)
  const ms = (value: number | null) => (value === null ? '–' : durationText(value))
  return [
    {
      key: 'breaker',
      head: text.breaker,
      folded: 'shape',
      cell: ({ state }) => <StateOf kind="breaker" state={state} />,
    },
    {
      key: 'node',
      head: text.node,
      folded: 'name',
      cell: ({ node }) => <span className="mono">{node}</span>,
    },
    { key: 'orders', head: text.orders, isRight: true, folded: 'amount', cell: ({ orders }) => orders },
    { key: 'how', head: text.howTheyWent, rank: 2, cell: (measurement) => <Composition {...measurement} /> },
    { key: 'answered', head: text.answered, isRight: true, cell: ({ answered }) => answered },
    {
      key: 'silent',
      head: text.silent,
      isRight: true,
      cell: ({ timeouts }) => <span className={timeouts > 0 ? 'bad strong' : undefined}>{timeouts}</span>,
    },
    { key: 'idle', head: text.notActed, isRight: true, cell: ({ not_acted: idle }) => idle },
    { key: 'p50', head: text.p50, isRight: true, cell: ({ p50_ms: value }) => ms(value) },
    { key: 'p95', head: text.p95, isRight: true, folded: 'time', cell: ({ p95_ms: value }) => ms(value) },
    { key: 'age', head: text.age, isRight: true, rank: 2, cell: ({ age_ms: value }) => durationText(value) },
  ]
}

function Composition({ answered, timeouts, not_acted: idle }: ProviderMeasurement) {
  const text = useText(PROVIDERS)
  return (
    <div className="comp" role="img" aria-label={text.howLabel(answered, timeouts, idle)}>
      {answered > 0 ? <span className="answered" style={{ flex: answered }} /> : null}
      {timeouts > 0 ? <span className="silent" style={{ flex: timeouts }} /> : null}
      {idle > 0 ? <span className="idle" style={{ flex: idle }} /> : null}
    </div>
  )
}
