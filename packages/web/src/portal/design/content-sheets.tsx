import { clockText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { BarChart, LineChart, TwinTable, useTwin } from '../../ui/chart.tsx'
import { Figure, Money } from '../../ui/money.tsx'
import { Facts, Panel, Timeline } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { DESIGN } from './messages.ts'
import { Sheet } from './sheet.tsx'

export function ContentSheets() {
  return (
    <>
      <MoneySheet />
      <RowSheet />
      <TimelineSheet />
      <ChartSheet />
    </>
  )
}

function MoneySheet() {
  const text = useText(DESIGN)
  return (
    <Sheet title={text.money} about={text.moneyAbout}>
      <Panel title={text.balance}>
        <Figure size="xl" amount="18462.3500" currency="MYR" />
        <Facts
          facts={[
            { term: text.price, value: <Money amount="84.40" currency="MYR" /> },
            { term: text.cost, value: <Money amount="83.1275" currency="MYR" /> },
            { term: text.loss, value: <Money amount="-0.5" currency="MYR" />, isApart: true },
          ]}
        />
      </Panel>
    </Sheet>
  )
}

type Row = { readonly refid: string; readonly tone: Tone; readonly look: string | undefined }

const ROWS: readonly Row[] = [
  { refid: '60171180341', tone: 'wait', look: 'is-new' },
  { refid: '60162217753', tone: 'ok', look: undefined },
  { refid: '60112245106', tone: 'bad', look: 'is-on' },
]
const SAMPLE_AT = '2026-11-16T08:42:05Z'

function RowSheet() {
  const text = useText(DESIGN)
  const columns: Column<Row>[] = [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      cell: ({ tone }) => <State tone={tone}>{text.tones[tone]}</State>,
    },
    { key: 'product', head: text.product, folded: 'name', cell: () => text.someProduct },
    { key: 'account', head: text.account, folded: 'detail', cell: ({ refid }) => refid },
    {
      key: 'amount',
      head: text.amount,
      folded: 'amount',
      isRight: true,
      cell: () => <Money amount="30.00" currency="MYR" />,
    },
    { key: 'time', head: text.time, folded: 'time', isRight: true, cell: () => clockText(SAMPLE_AT) },
  ]
  return (
    <Sheet title={text.rows} about={text.rowsAbout}>
      <Panel isFlush>
        <Table
          caption={text.rows}
          columns={columns}
          rows={ROWS}
          rowKey={({ refid }) => refid}
          rowClass={({ look }) => look}
          cursor={ROWS[1]?.refid}
          linkTo={() => ({ to: '/portal/design' })}
        />
        <Pager onNewer={undefined} onOlder={() => {}}>
          {text.threeRows}
        </Pager>
      </Panel>
    </Sheet>
  )
}

function TimelineSheet() {
  const text = useText(DESIGN)
  return (
    <Sheet title={text.timeline} about={text.timelineAbout}>
      <Panel title={text.timeline}>
        <Timeline
          label={text.timeline}
          moments={[
            { key: 'a', at: SAMPLE_AT, title: text.stepOne, icon: 'send' },
            { key: 'b', at: '2026-11-16T08:42:06Z', title: text.stepTwo, icon: 'wallet', gap: '1 s' },
            {
              key: 'c',
              at: '2026-11-16T08:42:09Z',
              title: text.stepThree,
              tone: 'ok',
              gap: '3 s',
              children: <p>{text.stepThreeAbout}</p>,
            },
          ]}
        />
      </Panel>
    </Sheet>
  )
}

const HEIGHTS = [42, 38, 51, 47, 0, 62, 58, 44, 49, 53, 60, 41, 39, 22]

function ChartSheet() {
  const text = useText(DESIGN)
  const { isTable, button } = useTwin()
  const points = HEIGHTS.map((value, index) => ({
    label: `${index + 3} Nov`,
    value,
    text: String(value),
    isOpen: index === HEIGHTS.length - 1,
  }))
  // A day between two days without a rate has no line.
  const withGaps = points.map((each, index) => (index === 3 || index === 5 ? { ...each, value: null } : each))
  const ticks = [
    { at: 0, text: '3 Nov' },
    { at: HEIGHTS.length - 1, text: '16 Nov' },
  ]
  return (
    <Sheet title={text.charts} about={text.chartsAbout}>
      <Panel title={text.payments} actions={button}>
        {isTable ? (
          <TwinTable
            caption={text.chartLabel}
            heads={[text.day, text.payments]}
            rows={points.map((each) => [each.label, each.text])}
          />
        ) : (
          <div className="stack">
            <BarChart label={text.chartLabel} points={points} ticks={ticks} />
            <LineChart label={text.chartLabel} points={withGaps} ticks={ticks} />
          </div>
        )}
      </Panel>
    </Sheet>
  )
}
