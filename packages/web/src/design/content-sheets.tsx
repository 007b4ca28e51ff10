import { clockText } from '../text/dates.ts'
import { BarChart, LineChart, TwinTable, useTwin } from '../ui/chart.tsx'
import { Figure, Money } from '../ui/money.tsx'
import { Facts, Panel, Timeline } from '../ui/panel.tsx'
import type { Tone } from '../ui/state.tsx'
import { State } from '../ui/state.tsx'
import type { Column } from '../ui/table.tsx'
import { Pager, Table } from '../ui/table.tsx'
import { Sheet, TONE_WORDS } from './sheet.tsx'

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
  return (
    <Sheet title="Money" about="Always with its currency; digits beyond the sen are paler">
      <Panel title="Balance">
        <Figure size="xl" amount="18462.3500" currency="MYR" />
        <Facts
          facts={[
            { term: 'Price', value: <Money amount="84.40" currency="MYR" /> },
            { term: 'Cost', value: <Money amount="83.1275" currency="MYR" /> },
            { term: 'Loss', value: <Money amount="-0.5" currency="MYR" />, isApart: true },
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
  const columns: Column<Row>[] = [
    {
      key: 'state',
      head: 'State',
      folded: 'shape',
      cell: ({ tone }) => <State tone={tone}>{TONE_WORDS[tone]}</State>,
    },
    { key: 'product', head: 'Product', folded: 'name', cell: () => 'Nova Prepaid' },
    { key: 'account', head: 'Account', folded: 'detail', cell: ({ refid }) => refid },
    {
      key: 'amount',
      head: 'Amount',
      folded: 'amount',
      isRight: true,
      cell: () => <Money amount="30.00" currency="MYR" />,
    },
    { key: 'time', head: 'Time', folded: 'time', isRight: true, cell: () => clockText(SAMPLE_AT) },
  ]
  return (
    <Sheet
      title="A row that is new, under the cursor, chosen"
      about="The tint fades after two seconds; the edge marks the cursor"
    >
      <Panel isFlush>
        <Table
          caption="A row that is new, under the cursor, chosen"
          columns={columns}
          rows={ROWS}
          rowKey={({ refid }) => refid}
          rowClass={({ look }) => look}
          cursor={ROWS[1]?.refid}
          linkTo={() => ({ to: '/design' })}
        />
        <Pager onNewer={undefined} onOlder={() => {}}>
          3 rows
        </Pager>
      </Panel>
    </Sheet>
  )
}

function TimelineSheet() {
  return (
    <Sheet title="Timeline" about="One line of time, with the gaps between the steps">
      <Panel title="Timeline">
        <Timeline
          label="Timeline"
          moments={[
            { key: 'a', at: SAMPLE_AT, title: 'Request accepted', icon: 'send' },
            { key: 'b', at: '2026-11-16T08:42:06Z', title: 'Wallet debited', icon: 'wallet', gap: '1 s' },
            {
              key: 'c',
              at: '2026-11-16T08:42:09Z',
              title: 'Successful',
              tone: 'ok',
              gap: '3 s',
              children: <p>The supplier answered with a serial number.</p>,
            },
          ]}
        />
      </Panel>
    </Sheet>
  )
}

const HEIGHTS = [42, 38, 51, 47, 0, 62, 58, 44, 49, 53, 60, 41, 39, 22]

function ChartSheet() {
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
    <Sheet title="Charts" about="Today is hatched, because it is not over; every chart has a table">
      <Panel title="Payments" actions={button}>
        {isTable ? (
          <TwinTable
            caption="Payments of each day from 3 to 16 November; between 0 and 62"
            heads={['Day', 'Payments']}
            rows={points.map((each) => [each.label, each.text])}
          />
        ) : (
          <div className="stack">
            <BarChart
              label="Payments of each day from 3 to 16 November; between 0 and 62"
              points={points}
              ticks={ticks}
            />
            <LineChart
              label="Payments of each day from 3 to 16 November; between 0 and 62"
              points={withGaps}
              ticks={ticks}
            />
          </div>
        )}
      </Panel>
    </Sheet>
  )
}
