import { useState } from 'react'
import type { Closings, LedgerProof } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { beginLedgerProof } from '../../api/operator-acts.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { dateTimeText, dayText, durationText, momentOfDay, whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, grouped } from '../../text/numbers.ts'
import { Button, Spinner } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Figure, Money } from '../../ui/money.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Note, Pill, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { PARTS } from '../parts/messages.ts'
import { useMay } from '../roles.ts'
import { LEDGER } from './messages.ts'
import './ledger.css'

/** Is every ringgit accounted for. */
export function Page() {
  const text = useText(LEDGER)
  const pages = useText(CONSOLE)
  const may = useMay()
  const reading = useOperator('listLedgerProofs', {})
  const proofs = reading.data?.data ?? []
  const isRunning = proofs.some(({ finished_at: at }) => at === null)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <PageHead
        title={pages.ledger}
        about={text.about}
        actions={
          may('ledger.verify') ? (
            <Button look="primary" icon="check" disabled={isRunning} onClick={() => setAsking(true)}>
              {proofs.length === 0 ? text.proveFirst : text.prove}
            </Button>
          ) : undefined
        }
      />
      <div className="grid c75">
        <Loaded reading={reading} bones={10}>
          {({ data }) => <Proofs proofs={data} />}
        </Loaded>
        <ClosingsPanel />
      </div>
      {isAsking ? (
        <ConsoleAct
          act={beginLedgerProof}
          title={text.proveTitle}
          action={text.proveFirst}
          done={text.begun}
          refresh={['listLedgerProofs', 'getOperatorOverview']}
          onClose={() => setAsking(false)}
        >
          <p className="mid">{text.proveAbout}</p>
        </ConsoleAct>
      ) : null}
    </>
  )
}

function Proofs({ proofs }: { proofs: readonly LedgerProof[] }) {
  const text = useText(LEDGER)
  const [latest, ...earlier] = proofs
  if (latest === undefined) {
    return (
      <Panel>
        <Empty icon="book" title={text.never} about={text.neverAbout} />
      </Panel>
    )
  }
  return (
    <div className="grid">
      <ProofPanel proof={latest} />
      <BreaksPanel proof={latest} />
      {earlier.length === 0 ? null : <HistoryPanel proofs={earlier} />}
    </div>
  )
}

/** Are the books of every day closed. */
function ClosingsPanel() {
  const text = useText(LEDGER)
  const reading = useOperator('getClosings', {})
  return (
    <Panel isFlush title={text.closings} about={text.closingsAbout}>
      <Loaded reading={reading} bones={4}>
        {({ data }) => <Content closings={data} />}
      </Loaded>
    </Panel>
  )
}

function Content({ closings }: { closings: Closings }) {
  const text = useText(LEDGER)
  const parts = useText(PARTS)
  const day = dayText(momentOfDay(closings.last_day))
  return (
    <>
      <div className="in proof">
        <State tone={closings.is_current ? 'ok' : 'warning'}>
          {closings.is_current ? text.closedUpTo(day) : text.behind(closings.behind_total, closings.wallets)}
        </State>
        <Facts
          facts={[
            { term: text.walletsCount, value: countText(closings.wallets) },
            { term: text.lastDay, value: day },
            {
              term: text.lastClosed(ZONE_NAME),
              value: closings.last_closed_at === null ? parts.never : dateTimeText(closings.last_closed_at),
            },
          ]}
        />
      </div>
      {closings.behind.length === 0 ? null : (
        <Table
          caption={text.behindCaption}
          rows={closings.behind}
          rowKey={({ account }) => account}
          columns={[
            {
              key: 'reseller',
              head: text.reseller,
              folded: 'name',
              cell: ({ account, name }) => (
                <PageLink className="link" to={`/operator/resellers/${account}`}>
                  {name}
                </PageLink>
              ),
            },
            {
              key: 'day',
              head: text.firstOpen,
              isRight: true,
              folded: 'amount',
              cell: ({ day: first }) => dayText(momentOfDay(first)),
            },
          ]}
        />
      )}
    </>
  )
}

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

type Report = NonNullable<LedgerProof['report']>

type ProofResult = 'running' | 'whole' | 'broken' | 'noReport'

const RESULT_TONES: Readonly<Record<ProofResult, Tone>> = {
  running: 'wait',
  whole: 'ok',
  broken: 'critical',
  noReport: 'warning',
}

export function resultOf({ finished_at: at, report }: LedgerProof): ProofResult {
  if (report !== null) return report.is_whole ? 'whole' : 'broken'
  return at === null ? 'running' : 'noReport'
}

function tookText({ started_at: from, finished_at: to }: LedgerProof): string {
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
function BreaksPanel({ proof }: { proof: LedgerProof }) {
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
