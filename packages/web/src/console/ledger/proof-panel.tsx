import type { LedgerProof } from '../../api/operator.generated.ts'
import { dateTimeText, durationText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, grouped } from '../../text/numbers.ts'
import { Spinner } from '../../ui/button.tsx'
import { Figure, Money } from '../../ui/money.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Note, Pill } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { LEDGER } from './messages.ts'

type Report = NonNullable<LedgerProof['report']>

export type ProofResult = 'running' | 'whole' | 'broken' | 'noReport'

export const RESULT_TONES: Readonly<Record<ProofResult, Tone>> = {
  running: 'wait',
  whole: 'ok',
  broken: 'critical',
  noReport: 'warning',
}

export function resultOf({ finished_at: at, report }: LedgerProof): ProofResult {
  if (report !== null) return report.is_whole ? 'whole' : 'broken'
  return at === null ? 'running' : 'noReport'
}

export function tookText({ started_at: from, finished_at: to }: LedgerProof): string {
  return durationText((to === null ? Date.now() : Date.parse(to)) - Date.parse(from))
}

/** Latest proof: the sum of all accounts, and what it is made of. */
export function ProofPanel({ proof }: { proof: LedgerProof }) {
  const text = useText(LEDGER)
  const result = resultOf(proof)
  return (
    <Panel
      isFlush
      title={text.last}
      actions={
        <Pill tone={RESULT_TONES[result]} small>
          {text[result]}
        </Pill>
      }
    >
      <div className="in proof" aria-live="polite">
        {result === 'running' ? (
          <p className="row mid">
            <Spinner /> {text.runningSince(tookText(proof))}
          </p>
        ) : null}
        {proof.trouble === null ? null : <Note tone="warning">{proof.trouble}</Note>}
        {proof.report === null ? null : <Sums report={proof.report} />}
      </div>
      <div className="foot-row">
        {text.footer(`${dateTimeText(proof.started_at)} ${ZONE_NAME}`, tookText(proof), proof.requested_by)}
      </div>
    </Panel>
  )
}

function Sums({ report }: { report: Report }) {
  const text = useText(LEDGER)
  const { sums } = report
  return (
    <>
      {sums === null ? (
        <Note tone="warning">{text.noSums}</Note>
      ) : (
        <Figure amount={sums.total} currency="MYR" size="xl" />
      )}
      <p className="mid">
        {report.is_whole ? text.must(countText(report.wallets), grouped(report.entries)) : text.mustNot}
      </p>
      {report.unchained === '0' ? null : (
        <p className="sub small">{text.unchained(grouped(report.unchained))}</p>
      )}
      {sums === null ? null : (
        <Facts
          facts={[
            { term: text.wallets, value: <Money amount={sums.wallets} currency="MYR" /> },
            ...sums.houses.map((house) => ({
              term: <span className="mono">{house.house_account}</span>,
              value: <Money amount={house.balance} currency="MYR" />,
            })),
            {
              term: <b className="strong">{text.sum}</b>,
              value: (
                <b className="strong">
                  <Money amount={sums.total} currency="MYR" />
                </b>
              ),
              isApart: true,
            },
          ]}
        />
      )}
    </>
  )
}

/** Places where the latest proof found something else than it should be. */
export function BreaksPanel({ proof }: { proof: LedgerProof }) {
  const text = useText(LEDGER)
  const columns = useBreakColumns()
  const breaks = proof.report?.breaks ?? []
  if (breaks.length === 0) return null
  return (
    <Panel isFlush title={text.breaks} count={breaks.length} about={text.breaksAbout}>
      <Table
        caption={text.breaks}
        columns={columns}
        rows={breaks}
        rowKey={({ kind, account, sequence }) => `${kind} ${account} ${sequence}`}
      />
    </Panel>
  )
}

function useBreakColumns(): readonly Column<Report['breaks'][number]>[] {
  const text = useText(LEDGER)
  return [
    {
      key: 'kind',
      head: text.kind,
      folded: 'name',
      cell: ({ kind }) => <span className="mono">{kind}</span>,
    },
    { key: 'account', head: text.account, folded: 'detail', cell: ({ account }) => account ?? '–' },
    { key: 'sequence', head: text.sequence, folded: 'time', cell: ({ sequence }) => sequence ?? '–' },
    {
      key: 'expected',
      head: text.expected,
      className: 'wide-text',
      cell: ({ expected }) => <span className="mono">{expected}</span>,
    },
    {
      key: 'found',
      head: text.found,
      folded: 'amount',
      className: 'wide-text',
      cell: ({ found }) => <span className="mono">{found}</span>,
    },
  ]
}
