import type { Batch } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { minuteText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { downloadText } from '../../ui/download.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { fileOf, keptResult, readKept } from './kept.ts'
import { BULK } from './messages.ts'
import { SCHEDULES } from './schedule-messages.ts'
import { paymentsOf } from './use-bulk.ts'

type HistoryProps = {
  /** Takes the lines of a file for another one; left out: the person pays no files. */
  readonly onUse?: ((contents: string) => void) | undefined
}

/** Files that were paid: by whom, when, and what became of their lines. */
export function HistoryPanel({ onUse }: HistoryProps) {
  const text = useText(BULK)
  const reading = usePortal('portalListBatches', {})
  const result = useAction<Batch>({
    act: async ({ id }) => {
      const lines = await readKept(id)
      downloadText(
        keptResult(lines, await paymentsOf(lines.map(({ refid }) => refid))),
        `batch-${id}-result.csv`,
      )
    },
  })
  const use = useAction<Batch, string>({
    act: async ({ id }) => fileOf(await readKept(id)),
    onDone: (contents) => onUse?.(contents),
  })
  const columns = useColumns((batch) => (
    <span className="row wrap push">
      <Button
        size="sm"
        icon="down"
        aria-label={text.resultOf(nameOf(batch))}
        isBusy={result.isBusy}
        onClick={() => result.run(batch)}
      >
        {text.resultShort}
      </Button>
      {onUse === undefined ? null : (
        <Button
          size="sm"
          aria-label={text.againOf(nameOf(batch))}
          isBusy={use.isBusy}
          onClick={() => use.run(batch)}
        >
          {text.again}
        </Button>
      )}
    </span>
  ))
  return (
    <Panel isFlush title={text.history} about={text.historyAbout}>
      <ActionProblem error={result.error ?? use.error} />
      <Loaded
        reading={reading}
        empty={<Empty icon="inbox" title={text.noHistory} about={text.noHistoryAbout} />}
      >
        {({ data }) => (
          <div className="scroll-x">
            <Table caption={text.history} columns={columns} rows={data} rowKey={({ id }) => id} />
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

function nameOf({ name, created_at: at }: Batch): string {
  return name === '' ? minuteText(at) : name
}

function useColumns(actions: (batch: Batch) => React.ReactNode): readonly Column<Batch>[] {
  const text = useText(BULK)
  const runs = useText(SCHEDULES)
  const members = usePortal('portalListMembers', {})
  const usernames = new Map(members.data?.data.map(({ id, username }) => [id, username]))
  const number = (key: 'lines' | 'successful' | 'failed' | 'unpaid', head: string) =>
    ({ key, head, isRight: true, cell: (batch: Batch) => countText(batch[key]) }) as const
  return [
    {
      key: 'name',
      head: text.batch,
      folded: 'name',
      className: 'cut',
      cell: (batch) => (
        <>
          {nameOf(batch)}{' '}
          {batch.run === null ? null : <span className="sub">{runs.run(countText(batch.run))}</span>}
        </>
      ),
    },
    {
      key: 'time',
      head: text.made,
      folded: 'time',
      className: 'nowrap',
      cell: ({ created_at: at }) => <span className="sub">{minuteText(at)}</span>,
    },
    {
      key: 'who',
      head: text.who,
      rank: 2,
      cell: ({ member_id: id }) => usernames.get(id) ?? <span className="sub mono">{id}</span>,
    },
    { ...number('lines', text.lines), folded: 'detail' },
    number('successful', text.states.successful),
    number('failed', text.states.failed),
    number('unpaid', text.unpaid),
    { key: 'cost', head: runs.paid, isRight: true, rank: 3, cell: ({ cost }) => <Money amount={cost} /> },
    { key: 'actions', head: text.result, isRight: true, folded: 'amount', cell: actions },
  ]
}
