import { useState } from 'react'
import type {
  Comparison,
  Difference,
  Reseller,
  WalletDay,
  WalletMonth,
} from '../../api/operator.generated.ts'
import { operator, useOperator } from '../../api/operator.ts'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { dayText, isoDay, isoDayFromToday, momentOfDay } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { Note, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { FilterLine } from '../parts/pages.tsx'
import { useMay } from '../roles.ts'
import { WALLET } from './wallet-messages.ts'

const KINDS = ['deposit', 'adjustment', 'payment', 'refund', 'commission'] as const
const MONTH = /^\d{4}-\d{2}$/

/** Month statements of a reseller, and the comparison with its own books. */
export function StatementsPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(WALLET)
  const may = useMay()
  const [search, change] = useFilters()
  const current = isoDayFromToday(0).slice(0, 7)
  const month = MONTH.test(search.month ?? '') ? (search.month ?? current) : current
  const input = { params: { account: reseller.account }, query: { month } }
  const reading = useOperator('listResellerDays', input, { keepsFormer: true })
  return (
    <div className="grid">
      <Panel
        isFlush
        title={text.statement}
        actions={
          <>
            <LinkButton size="sm" icon="down" href={operator.urlOf('exportResellerMonth', input)} download>
              {text.csv}
            </LinkButton>
            <LinkButton size="sm" icon="down" href={operator.urlOf('printResellerMonth', input)} download>
              {text.pdf}
            </LinkButton>
          </>
        }
      >
        <FilterLine>
          <label className="chip">
            <span className="sub">{text.month}</span>
            <input
              type="month"
              max={current}
              value={month}
              onChange={(event) => change({ month: event.target.value })}
            />
          </label>
        </FilterLine>
        <Loaded reading={reading} bones={6}>
          {({ data }) => <Month month={data} />}
        </Loaded>
      </Panel>
      {may('money.compare') ? <ReconcilePanel account={reseller.account} month={month} /> : null}
    </div>
  )
}

function Month({ month }: { month: WalletMonth }) {
  const text = useText(WALLET)
  const columns = useDayColumns()
  return (
    <>
      <div className="month-sums">
        <div>
          <small>{text.opening}</small>
          <b>
            <Money amount={month.opening} currency="MYR" />
          </b>
        </div>
        {KINDS.map((kind) => (
          <div key={kind}>
            <small>
              {text.kinds[kind]}, {text.times(month.totals[kind].count)}
            </small>
            <b>
              <Money amount={month.totals[kind].amount} currency="MYR" />
            </b>
          </div>
        ))}
        <div>
          <small>{text.closing}</small>
          <b>
            <Money amount={month.closing} currency="MYR" />
          </b>
          <div>
            <ClosedState isClosed={month.is_closed} />
          </div>
        </div>
      </div>
      {month.days.length === 0 ? (
        <Empty icon="statement" title={text.noDays} />
      ) : (
        <Table caption={text.daysCaption} columns={columns} rows={month.days} rowKey={({ day }) => day} />
      )}
    </>
  )
}

function ClosedState({ isClosed }: { isClosed: boolean }) {
  const text = useText(WALLET)
  return <State tone={isClosed ? 'ok' : 'wait'}>{isClosed ? text.closed : text.open}</State>
}

function useDayColumns(): readonly Column<WalletDay>[] {
  const text = useText(WALLET)
  return [
    {
      key: 'day',
      head: text.day,
      folded: 'name',
      className: 'nowrap',
      cell: ({ day }) => dayText(momentOfDay(day)),
    },
    {
      key: 'opening',
      head: `${text.opening}, MYR`,
      isRight: true,
      rank: 2,
      cell: ({ opening }) => <Money amount={opening} alignTo={4} />,
    },
    ...KINDS.map((kind) => ({
      key: kind,
      head: text.kinds[kind],
      isRight: true,
      cell: ({ movements }: WalletDay) =>
        movements[kind].count === 0 ? (
          <span className="sub">–</span>
        ) : (
          <>
            <span className="pw">{text.kinds[kind]}</span>
            <Money amount={movements[kind].amount} alignTo={4} />
          </>
        ),
      ...(kind === 'payment' ? { folded: 'detail' as const } : {}),
      ...(kind === 'adjustment' || kind === 'commission' ? { rank: 2 as const } : {}),
    })),
    {
      key: 'closing',
      head: `${text.closing}, MYR`,
      isRight: true,
      folded: 'amount',
      cell: ({ closing }) => <Money amount={closing} alignTo={4} />,
    },
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      cell: ({ closed_at: at }) => <ClosedState isClosed={at !== null} />,
    },
  ]
}

const FILE_BYTES_MAX = 10 * 1024 * 1024

/** Compares a CSV of the reseller with our payments. */
function ReconcilePanel({ account, month }: { account: string; month: string }) {
  const text = useText(WALLET)
  const [from, setFrom] = useState(`${month}-01`)
  const [to, setTo] = useState(endOfMonth(month))
  const [file, setFile] = useState<File | undefined>(undefined)
  const isLarge = file !== undefined && file.size > FILE_BYTES_MAX
  const action = useAction({
    act: async () =>
      operator.call('compareResellerBooks', {
        params: { account },
        query: { from, to },
        body: (await file?.text()) ?? '',
      }),
  })
  const { error } = action
  return (
    <Panel title={text.reconcile} about={text.reconcileAbout}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          action.run()
        }}
      >
        <div className="two-fields">
          <TextField
            label={text.from}
            type="date"
            error={fieldError(error, 'from')}
            value={from}
            onValue={setFrom}
          />
          <TextField label={text.to} type="date" error={fieldError(error, 'to')} value={to} onValue={setTo} />
        </div>
        <FileField
          label={text.file}
          hint={text.fileHint}
          error={isLarge ? text.fileLarge : undefined}
          accept=".csv,text/csv"
          invitation={text.fileChoose}
          chosen={file?.name}
          onFile={setFile}
        />
        <ActionProblem error={error} />
        <div>
          <Button
            type="submit"
            disabled={file === undefined || isLarge || from === '' || to === ''}
            isBusy={action.isBusy}
          >
            {text.compare}
          </Button>
        </div>
      </form>
      {action.answer === undefined || error !== null ? null : <Outcome comparison={action.answer.data} />}
    </Panel>
  )
}

/** Last day of a month, or today while the month is not over. */
function endOfMonth(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = isoDay(momentOfDay(`${month}-${String(new Date(year, number, 0).getDate()).padStart(2, '0')}`))
  const today = isoDayFromToday(0)
  return last < today ? last : today
}

function Outcome({ comparison }: { comparison: Comparison }) {
  const text = useText(WALLET)
  const columns = useDifferenceColumns()
  const { differences, differences_total: total } = comparison
  return (
    <div className="stack outcome">
      <div className="sum">
        {(['lines', 'payments', 'agreed', 'outside'] as const).map((name) => (
          <div key={name}>
            <small>{text[name]}</small>
            <b>{countText(comparison[name])}</b>
          </div>
        ))}
        <div>
          <small>{text.differences}</small>
          <b>{countText(total)}</b>
        </div>
      </div>
      {total === 0 ? (
        <Note tone="ok">
          <b>{text.allAgree}</b>
        </Note>
      ) : (
        <>
          <Table
            caption={text.differences}
            columns={columns}
            rows={differences}
            rowKey={({ kind, line, refid }) => `${kind} ${line} ${refid}`}
          />
          <p className="sub small">{text.differencesShown(differences.length, total)}</p>
        </>
      )}
    </div>
  )
}

function useDifferenceColumns(): readonly Column<Difference>[] {
  const text = useText(WALLET)
  return [
    {
      key: 'kind',
      head: text.difference,
      folded: 'time',
      cell: ({ kind }) => <State tone="warning">{text.kindsOfDifference[kind]}</State>,
    },
    { key: 'line', head: text.line, isRight: true, rank: 2, cell: ({ line }) => line ?? '–' },
    {
      key: 'refid',
      head: text.refid,
      folded: 'name',
      className: 'cut',
      cell: ({ refid, payment_id: id }) =>
        id === null ? (
          <span className="mono">{refid}</span>
        ) : (
          <PageLink className="link mono" to={`/operator/payments/${id}`}>
            {refid}
          </PageLink>
        ),
    },
    { key: 'theirs', head: text.theirs, cell: ({ theirs }) => theirs },
    { key: 'ours', head: text.ours, folded: 'amount', cell: ({ ours }) => ours },
    {
      key: 'detail',
      head: text.detail,
      folded: 'detail',
      className: 'wide-text',
      cell: ({ detail }) => detail,
    },
  ]
}
