import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type {
  ChangeThatWaitsForApproval,
  FindingAboutAPrice,
  PricesBesideSupplierCosts,
} from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { UI } from '../../ui/messages.ts'
import { Money } from '../../ui/money.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { REVIEW } from './messages.ts'

/** True for the answer 202: the change is kept for a second person. */
export function isWaiting(answer: { data: object }): answer is ChangeThatWaitsForApproval {
  return 'approval' in answer.data
}

type ComparisonProps = { readonly comparison: PricesBesideSupplierCosts }

/** Prices of a change beside the costs of the suppliers, and whether a second person decides. */
export function ComparisonPanel({ comparison }: ComparisonProps) {
  const text = useText(REVIEW)
  const { needs_second_person: needsSecond, loss_last_month: loss, findings_total: total } = comparison
  if (total === 0) return <Note tone="ok">{text.noFinding}</Note>
  const left = total - comparison.findings.length
  return (
    <div className="stack tight">
      <Note tone={needsSecond ? 'critical' : 'warning'}>
        <b>{text.lossLastMonth(moneyText(loss, 'MYR'))}</b>{' '}
        {needsSecond ? (
          <>
            {text.secondPerson} {text.secondPersonAbout}
          </>
        ) : null}
      </Note>
      <FindingsTable findings={comparison.findings} />
      {left > 0 ? <p className="sub small">{text.more(left)}</p> : null}
    </div>
  )
}

function FindingsTable({ findings }: { findings: readonly FindingAboutAPrice[] }) {
  const text = useText(REVIEW)
  const columns = useFindingColumns()
  return (
    <div className="framed">
      <Table
        caption={text.findings}
        columns={columns}
        rows={findings}
        rowKey={({ kind, product, level, provider, sample }) =>
          [kind, product, level, provider, sample].join(' ')
        }
        rowClass={({ kind }) => (kind === 'below_cost' ? 'loses' : undefined)}
      />
    </div>
  )
}

function useFindingColumns(): readonly Column<FindingAboutAPrice>[] {
  const text = useText(REVIEW)
  const amount = (value: string | null) => (value === null ? '–' : <Money amount={value} />)
  return [
    {
      key: 'kind',
      head: text.finding,
      folded: 'shape',
      cell: ({ kind }) => (
        <State tone={kind === 'below_cost' ? 'critical' : 'wait'}>{text.kinds[kind]}</State>
      ),
    },
    {
      key: 'product',
      head: text.product,
      folded: 'name',
      cell: ({ product, level, provider }) => (
        <div className="who2">
          <span className="mono">{product}</span>
          <small>{[level ?? text.anyLevel, provider].filter((each) => each !== null).join(', ')}</small>
        </div>
      ),
    },
    {
      key: 'sample',
      head: text.sample,
      rank: 2,
      cell: ({ sample }) => <span className="mono">{sample}</span>,
    },
    { key: 'before', head: text.before, isRight: true, cell: ({ before }) => amount(before) },
    { key: 'after', head: text.after, isRight: true, folded: 'amount', cell: ({ after }) => amount(after) },
    { key: 'cost', head: text.cost, isRight: true, cell: ({ cost }) => amount(cost) },
    {
      key: 'loss',
      head: text.loss,
      isRight: true,
      folded: 'time',
      cell: ({ loss_last_month: loss }) => (
        <span className="bad strong">
          <Money amount={loss} />
        </span>
      ),
    },
  ]
}

type ConsentProps = ComparisonProps & {
  readonly isGiven: boolean
  readonly onGiven: (isGiven: boolean) => void
}

/** Tick that is needed before a change that costs money. */
export function Consent({ comparison, isGiven, onGiven }: ConsentProps) {
  const text = useText(REVIEW)
  if (comparison.findings_total === 0) return null
  return (
    <Checkbox
      label={text.consent(moneyText(comparison.loss_last_month, 'MYR'))}
      isOn={isGiven}
      onToggle={onGiven}
    />
  )
}

type WaitingProps = { readonly waiting: ChangeThatWaitsForApproval }

/** Dialog in the place of the one that asked. */
export function WaitingDialog(
  props: WaitingProps & { readonly title: string; readonly onClose: () => void },
) {
  const ui = useText(UI)
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      footer={<Button onClick={props.onClose}>{ui.close}</Button>}
    >
      <WaitingNote waiting={props.waiting} />
    </Dialog>
  )
}

/** Answer 202 in the place of the form: who decides, and where. */
export function WaitingNote({ waiting }: WaitingProps) {
  const text = useText(REVIEW)
  return (
    <div className="stack tight">
      <Note tone="wait">
        <b>{text.secondPerson}</b> {text.waits}
      </Note>
      <p>
        <PageLink
          className={buttonClass({ size: 'sm' })}
          to={`/operator/approvals/${waiting.data.approval.id}`}
        >
          {text.openApproval}
        </PageLink>
      </p>
    </div>
  )
}

type Compared = { readonly comparison: PricesBesideSupplierCosts }
type Answer<Data> = { data: Data } | ChangeThatWaitsForApproval

type MeasuredDialogProps<Data extends Compared> = {
  readonly title: string
  /** Fields of the change, with its reason. */
  readonly form: ReactNode
  /** False while a field is not filled. */
  readonly isFilled: boolean
  /** Sends the change; dry: the service measures it and changes nothing. */
  readonly call: (isDry: boolean, acceptsLoss: boolean) => Promise<Answer<Data>>
  /** Shows the measured change, above its prices and costs. */
  readonly measured: (data: Data) => ReactNode
  readonly saved: string
  readonly refresh: readonly QueryKey[]
  readonly onClose: () => void
}

/** Change in two steps: the service measures it, then the operator makes it, with a tick where it costs money. */
export function MeasuredDialog<Data extends Compared>(props: MeasuredDialogProps<Data>) {
  const { title, form, isFilled, call, measured: showMeasured, saved, refresh, onClose } = props
  const [hasConsent, setConsent] = useState(false)
  const [measured, setMeasured] = useState<Data | undefined>(undefined)
  const [waiting, setWaiting] = useState<ChangeThatWaitsForApproval | undefined>(undefined)
  const preview = useAction({
    act: () => call(true, false),
    onDone: (answer) => {
      if (!isWaiting(answer)) setMeasured(answer.data)
    },
  })
  const save = useAction({
    act: () => call(false, hasConsent),
    done: (answer) => (isWaiting(answer) ? undefined : saved),
    refresh,
    onDone: (answer) => (isWaiting(answer) ? setWaiting(answer) : onClose()),
  })
  const isReady = measured !== undefined && (measured.comparison.findings_total === 0 || hasConsent)
  const submit = () => {
    if (waiting !== undefined) onClose()
    else if (measured === undefined) {
      if (isFilled && !preview.isBusy) preview.run()
    } else if (isReady && !save.isBusy) save.run()
  }
  const step = waiting !== undefined ? 'waiting' : measured === undefined ? 'form' : 'measured'
  return (
    <Dialog
      title={title}
      isWide
      onClose={onClose}
      onSubmit={submit}
      footer={
        <Footer
          step={step}
          isReady={step === 'form' ? isFilled : isReady}
          isBusy={preview.isBusy || save.isBusy}
          isDangerous={measured !== undefined && measured.comparison.findings_total > 0}
          onBack={() => setMeasured(undefined)}
          onClose={onClose}
        />
      }
    >
      {waiting !== undefined ? (
        <WaitingNote waiting={waiting} />
      ) : measured !== undefined ? (
        <>
          {showMeasured(measured)}
          <ComparisonPanel comparison={measured.comparison} />
          <Consent comparison={measured.comparison} isGiven={hasConsent} onGiven={setConsent} />
          <ActionProblem error={save.error} />
        </>
      ) : (
        <>
          {form}
          <ActionProblem error={preview.error} />
        </>
      )}
    </Dialog>
  )
}

type FooterProps = {
  step: 'form' | 'measured' | 'waiting'
  isReady: boolean
  isBusy: boolean
  isDangerous: boolean
  onBack: () => void
  onClose: () => void
}

function Footer({ step, isReady, isBusy, isDangerous, onBack, onClose }: FooterProps) {
  const text = useText(REVIEW)
  const ui = useText(UI)
  if (step === 'waiting') return <Button onClick={onClose}>{ui.close}</Button>
  return (
    <>
      <Button onClick={onClose}>{ui.cancel}</Button>
      {step === 'measured' ? <Button onClick={onBack}>{text.back}</Button> : null}
      <Button type="submit" look={isDangerous ? 'danger' : 'primary'} disabled={!isReady} isBusy={isBusy}>
        {step === 'form' ? text.preview : text.save}
      </Button>
    </>
  )
}
