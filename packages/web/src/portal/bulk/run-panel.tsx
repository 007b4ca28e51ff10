import { useEffect, useState } from 'react'
import { portalKey } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { downloadText } from '../../ui/download.ts'
import { Checkbox } from '../../ui/field.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel, Progress } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { BULK } from './messages.ts'
import { isPayable, repeatOf, resultFile } from './outcomes.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { SCHEDULES } from './schedule-messages.ts'
import type { Bulk, Preview } from './use-bulk.ts'
import { paymentsOf } from './use-bulk.ts'

/** Totals of the preview, and the run that pays the ready lines. */
export function RunPanel({ bulk, preview }: { bulk: Bulk; preview: Preview }) {
  const text = useText(BULK)
  const { totals, blocked } = preview
  return (
    <Panel isFlush title={text.totals} actions={<ResultActions bulk={bulk} />}>
      <Totals totals={totals} />
      <div className="in stack bulk-run">
        {blocked === null ? null : <Note tone="warning">{text.blocked[blocked]}</Note>}
        {totals.is_balance_enough ? null : <Note tone="warning">{text.tooLow}</Note>}
        <Run bulk={bulk} isBlocked={blocked !== null} />
      </div>
    </Panel>
  )
}

function Totals({ totals }: Pick<Preview, 'totals'>) {
  const text = useText(BULK)
  const { lines, by_status: counts, balance, balance_after: after } = totals
  return (
    <section className="sum bulk-sum" aria-label={text.totals}>
      <Sum term={text.lines} value={countText(lines)} />
      <Sum term={text.ready} value={countText(counts.ready.count)} />
      <Sum term={text.problem} value={countText(counts.problem.count)} />
      <Sum term={text.exists} value={countText(counts.exists.count)} />
      {counts.unchecked.count === 0 ? null : (
        <Sum term={text.unchecked} value={countText(counts.unchecked.count)} />
      )}
      <Sum term={text.customersPay} value={<Money amount={counts.ready.price} currency="MYR" />} />
      <Sum term={text.fromWallet} value={<Money amount={counts.ready.cost} currency="MYR" />} />
      <Sum term={text.walletNow} value={<Money amount={balance} currency="MYR" />} />
      <Sum term={text.walletAfter} value={<Money amount={after} currency="MYR" />} />
    </section>
  )
}

function Sum({ term, value }: { term: string; value: React.ReactNode }) {
  return (
    <div>
      <small>{term}</small>
      <b>{value}</b>
    </div>
  )
}

function Run({ bulk, isBlocked }: { bulk: Bulk; isBlocked: boolean }) {
  const text = useText(BULK)
  const { schedule } = useText(SCHEDULES)
  const [asking, setAsking] = useState<'pay' | 'schedule' | null>(null)
  const { run, rows } = bulk
  const payable = rows.filter(isPayable).length
  const isOpen = run.state === 'running' || run.state === 'paused' || run.inFlight > 0
  useStayUntil(!isOpen)
  if (!isOpen) {
    return (
      <>
        {run.state === 'ended' ? (
          <Note tone={payable === 0 ? 'ok' : 'info'}>{payable === 0 ? text.ended : text.stopped}</Note>
        ) : null}
        {payable === 0 ? null : (
          <div className="row wrap">
            <Button look="primary" disabled={isBlocked} onClick={() => setAsking('pay')}>
              {text.payAll(countText(payable))}
            </Button>
            <Button disabled={isBlocked} onClick={() => setAsking('schedule')}>
              {schedule}
            </Button>
          </div>
        )}
        {asking === 'pay' ? <PayDialog bulk={bulk} onClose={() => setAsking(null)} /> : null}
        {asking === 'schedule' ? <ScheduleDialog bulk={bulk} onClose={() => setAsking(null)} /> : null}
      </>
    )
  }
  const isHalted = rows.some(({ state }) => state === 'unknown')
  return (
    <>
      <Progress
        label={text.progress(countText(run.answered), countText(run.total))}
        share={run.answered / run.total}
      />
      <p className="small mid" role="status">
        {text.progress(countText(run.answered), countText(run.total))}. {text.stay}
      </p>
      {run.state === 'paused' ? <Note tone="wait">{isHalted ? text.halted : text.paused}</Note> : null}
      <div className="row wrap">
        {run.state === 'running' ? (
          <Button icon="pause" onClick={bulk.pause}>
            {text.pause}
          </Button>
        ) : (
          <Button look="primary" onClick={bulk.resume}>
            {text.resume}
          </Button>
        )}
        <Button look="danger-quiet" onClick={bulk.stop}>
          {text.stop}
        </Button>
      </div>
    </>
  )
}

/** Asks before the lines are paid. Those that repeat something are left out unless a person wants them. */
function PayDialog({ bulk, onClose }: { bulk: Bulk; onClose: () => void }) {
  const text = useText(BULK)
  const [withRepeats, setWithRepeats] = useState(false)
  const payable = bulk.rows.filter(isPayable)
  const repeats = payable.filter((row) => repeatOf(row) !== undefined).length
  const wanted = withRepeats ? payable.length : payable.length - repeats
  const keeping = useAction({
    act: () => bulk.keep(withRepeats),
    refresh: [portalKey('portalListBatches')],
    onDone: () => {
      onClose()
      bulk.pay(withRepeats)
    },
  })
  return (
    <ConfirmDialog
      title={text.payTitle(countText(wanted))}
      action={text.payAll(countText(wanted))}
      keep={text.notNow}
      isDangerous={false}
      isBusy={keeping.isBusy}
      isReady={wanted > 0}
      error={keeping.error}
      onClose={onClose}
      onConfirm={() => keeping.run()}
    >
      <p className="mid">{text.payAbout}</p>
      {repeats === 0 ? null : (
        <>
          <Note tone="warning">{text.repeats(countText(repeats))}</Note>
          <Checkbox label={text.withRepeats} isOn={withRepeats} onToggle={setWithRepeats} />
        </>
      )}
    </ConfirmDialog>
  )
}

/** Lets the browser ask before the tab is closed while lines are being paid. */
function useStayUntil(isDone: boolean): void {
  useEffect(() => {
    if (isDone) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDone])
}

/** Result as a file, and the way to the next one. */
function ResultActions({ bulk }: { bulk: Bulk }) {
  const text = useText(BULK)
  const [withSecrets, setWithSecrets] = useState(false)
  const { rows, run } = bulk
  const action = useAction({
    act: async () => {
      const payments = await paymentsOf(rows.map(({ preview }) => preview.refid))
      downloadText(resultFile(rows, payments, withSecrets), 'payments-result.csv')
    },
  })
  return (
    <span className="row wrap">
      <ActionProblem error={action.error} />
      <Checkbox label={text.secrets} isOn={withSecrets} onToggle={setWithSecrets} />
      <Button size="sm" icon="down" isBusy={action.isBusy} onClick={() => action.run()}>
        {text.result}
      </Button>
      <Button size="sm" disabled={run.state === 'running' || run.inFlight > 0} onClick={bulk.forget}>
        {text.another}
      </Button>
    </span>
  )
}
