import { useState } from 'react'
import type { Comparison, Difference } from '../../api/operator.generated.ts'
import { operator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { isoDay, isoDayFromToday, momentOfDay } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { Note, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { WALLET } from './wallet-messages.ts'

const FILE_BYTES_MAX = 10 * 1024 * 1024

/** Compares a CSV of the reseller with our payments. */
export function ReconcilePanel({ account, month }: { account: string; month: string }) {
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
