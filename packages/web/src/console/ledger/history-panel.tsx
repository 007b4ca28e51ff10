import type { LedgerProof } from '../../api/operator.generated.ts'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { grouped } from '../../text/numbers.ts'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { LEDGER } from './messages.ts'
import { RESULT_TONES, resultOf, tookText } from './proof-panel.tsx'

/** Proofs before the latest. */
export function HistoryPanel({ proofs }: { proofs: readonly LedgerProof[] }) {
  const text = useText(LEDGER)
  const columns: readonly Column<LedgerProof>[] = [
    {
      key: 'result',
      head: text.result,
      folded: 'shape',
      cell: (proof) => {
        const result = resultOf(proof)
        return <State tone={RESULT_TONES[result]}>{text[result]}</State>
      },
    },
    {
      key: 'started',
      head: text.started(ZONE_NAME),
      folded: 'name',
      className: 'nowrap',
      cell: ({ started_at: at }) => whenText(at),
    },
    { key: 'took', head: text.took, folded: 'amount', className: 'nowrap', cell: tookText },
    {
      key: 'entries',
      head: text.entries,
      isRight: true,
      folded: 'time',
      cell: ({ report }) => (report === null ? '–' : grouped(report.entries)),
    },
    { key: 'by', head: text.by, folded: 'detail', className: 'cut', cell: ({ requested_by: by }) => by },
  ]
  return (
    <Panel isFlush title={text.history}>
      <Table caption={text.historyCaption} columns={columns} rows={proofs} rowKey={({ id }) => id} />
    </Panel>
  )
}
