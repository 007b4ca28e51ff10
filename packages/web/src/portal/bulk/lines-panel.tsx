import { useState } from 'react'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { useRemarks } from '../../text/remarks.ts'
import { Button } from '../../ui/button.tsx'
import { Segment } from '../../ui/field.tsx'
import { Empty } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { BULK } from './messages.ts'
import type { LineState, Row } from './outcomes.ts'
import { isProblem, repeatOf } from './outcomes.ts'

const PAGE_ROWS = 50

const TONES: Readonly<Record<LineState, Tone>> = {
  ready: 'info',
  problem: 'bad',
  unchecked: 'off',
  sent: 'wait',
  unknown: 'warning',
  rejected: 'bad',
  pending: 'wait',
  successful: 'ok',
  failed: 'bad',
  refunded: 'back',
}

/** Lines of the file with their prices, problems and payments. */
export function LinesPanel({ rows }: { rows: readonly Row[] }) {
  const text = useText(BULK)
  const [filter, setFilter] = useState<'all' | 'problems'>('all')
  const [page, setPage] = useState(0)
  const columns = useColumns()
  const shown = filter === 'all' ? rows : rows.filter(isProblem)
  const last = Math.max(0, Math.ceil(shown.length / PAGE_ROWS) - 1)
  const at = Math.min(page, last)
  const visible = shown.slice(at * PAGE_ROWS, (at + 1) * PAGE_ROWS)
  return (
    <Panel
      isFlush
      title={text.lines}
      count={countText(rows.length)}
      actions={
        <Segment
          label={text.filter}
          value={filter}
          onValue={(value) => {
            setFilter(value)
            setPage(0)
          }}
          options={[
            { value: 'all', label: text.all },
            { value: 'problems', label: text.problemsOnly },
          ]}
        />
      }
    >
      {visible.length === 0 ? (
        <Empty icon="check" title={text.none} />
      ) : (
        <>
          <Table
            caption={text.caption}
            columns={columns}
            rows={visible}
            rowKey={({ line }) => String(line.line)}
          />
          <div className="foot-row">
            <span>
              {text.shown(
                countText(at * PAGE_ROWS + 1),
                countText(at * PAGE_ROWS + visible.length),
                countText(shown.length),
              )}
            </span>
            <span className="row push">
              <Button size="sm" icon="chevronLeft" disabled={at === 0} onClick={() => setPage(at - 1)}>
                {text.former}
              </Button>
              <Button size="sm" icon="chevronRight" disabled={at === last} onClick={() => setPage(at + 1)}>
                {text.next}
              </Button>
            </span>
          </div>
        </>
      )}
    </Panel>
  )
}

function useColumns(): readonly Column<Row>[] {
  const text = useText(BULK)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 150,
      cell: ({ state, wasThere }) => (
        <>
          <State tone={TONES[state]}>{text.states[state]}</State>
          {wasThere ? <small className="under w">{text.before}</small> : null}
        </>
      ),
    },
    { key: 'line', head: text.line, width: 64, isRight: true, cell: ({ line }) => countText(line.line) },
    {
      key: 'product',
      head: text.product,
      folded: 'name',
      className: 'cut',
      cell: ({ preview, line }) => (
        <>
          {preview.product_name ?? line.product} <span className="sub mono">{line.product}</span>
        </>
      ),
    },
    { key: 'account', head: text.account, rank: 3, className: 'cut', cell: ({ line }) => line.account },
    {
      key: 'amount',
      head: text.amount,
      isRight: true,
      folded: 'amount',
      cell: ({ line, preview }) =>
        preview.amount === null ? (
          line.amount
        ) : (
          <Money amount={preview.amount} currency={preview.amount_currency ?? ''} />
        ),
    },
    {
      key: 'cost',
      head: text.cost,
      isRight: true,
      rank: 2,
      cell: ({ preview }) => (preview.cost === null ? '–' : <Money amount={preview.cost} alignTo={4} />),
    },
    {
      key: 'about',
      head: text.detail,
      folded: 'detail',
      className: 'about',
      cell: (row) => <About row={row} />,
    },
  ]
}

function About({ row }: { row: Row }) {
  const { message, paymentId, preview, line } = row
  const say = useRemarks()
  return (
    <>
      {message === '' ? null : <span>{say(message)} </span>}
      <Repeat row={row} />
      {paymentId === undefined ? (
        <span className="phone-only">{line.account}</span>
      ) : (
        <PageLink className="link mono small" to={`/portal/payments/${paymentId}`}>
          {preview.refid.slice(0, REFID_SHOWN)}…
        </PageLink>
      )}
    </>
  )
}

/** Earlier payment or line that the line repeats. */
function Repeat({ row }: { row: Row }) {
  const text = useText(BULK)
  const repeat = repeatOf(row)
  if (repeat === undefined) return null
  const { payment, line } = repeat
  if (payment === null) return <span>{text.repeatsLine(countText(line ?? 0))} </span>
  return (
    <span>
      {text.repeatsPayment(countText(payment.seconds))}{' '}
      <PageLink className="link mono small" to={`/portal/payments/${payment.id}`}>
        {payment.refid.slice(0, REFID_SHOWN)}
      </PageLink>{' '}
    </span>
  )
}

const REFID_SHOWN = 16
