import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { ApiProblem } from '../../api/errors.ts'
import type { PortalPayment, SupportResponse } from '../../api/portal.generated.ts'
import { portal, portalKey } from '../../api/portal.ts'
import { csvText } from '../../text/csv.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { downloadText } from '../../ui/download.ts'
import { Segment } from '../../ui/field.tsx'
import { UI } from '../../ui/messages.ts'
import { problemText } from '../../ui/problem-text.ts'
import type { Column } from '../../ui/table.tsx'
import { say } from '../../ui/toast.tsx'
import { useMay } from '../session.ts'
import { PAYMENTS } from './messages.ts'
import { PAYMENT } from './payment-messages.ts'

/** Payments that are chosen, also of other pages, by their ids. */
export type Selection = ReadonlyMap<string, PortalPayment>

export const NOTHING_CHOSEN: Selection = new Map()

/** Column by which rows are chosen. */
export function useChoiceColumn(
  rows: readonly PortalPayment[],
  chosen: Selection,
  onChoose: (next: Selection) => void,
): Column<PortalPayment> {
  const text = useText(PAYMENTS)
  const areAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id))
  const toggle = (some: readonly PortalPayment[], isOn: boolean) => {
    const next = new Map(chosen)
    for (const each of some) {
      if (isOn) next.set(each.id, each)
      else next.delete(each.id)
    }
    onChoose(next)
  }
  const box = (label: string, isOn: boolean, some: readonly PortalPayment[]): ReactNode => (
    <input
      type="checkbox"
      aria-label={label}
      checked={isOn}
      onChange={(event) => toggle(some, event.target.checked)}
    />
  )
  return {
    key: 'choice',
    head: box(text.chooseAll, areAll, rows),
    width: 40,
    className: 'choice-cell',
    cell: (row) => box(text.choose(row.refid), chosen.has(row.id), [row]),
  }
}

type BarProps = { readonly chosen: Selection; readonly onDone: () => void }

/** Steps for all payments that are chosen. */
export function SelectionBar({ chosen, onDone }: BarProps) {
  const text = useText(PAYMENTS)
  const words = useText(PAYMENT)
  const mayAsk = useMay('cases.write')
  const [asking, setAsking] = useState<'dispute' | 'void' | undefined>(undefined)
  if (chosen.size === 0) return null
  const payments = [...chosen.values()]
  return (
    <div className="chosen-bar row wrap" role="status">
      <b>{text.chosen(chosen.size)}</b>
      <Button size="sm" icon="down" onClick={() => downloadText(fileOf(payments), 'payments.csv')}>
        {text.exportCsv}
      </Button>
      {mayAsk ? (
        <>
          <Button size="sm" icon="flag" onClick={() => setAsking('dispute')}>
            {words.report}
          </Button>
          <Button size="sm" icon="undo" onClick={() => setAsking('void')}>
            {words.askVoid}
          </Button>
        </>
      ) : null}
      <Button size="sm" look="quiet" onClick={onDone}>
        {text.chooseNone}
      </Button>
      {asking === undefined ? null : (
        <CasesDialog kind={asking} payments={payments} onClose={() => setAsking(undefined)} onDone={onDone} />
      )}
    </div>
  )
}

const COLUMNS = [
  'id',
  'refid',
  'created_at',
  'status',
  'product',
  'product_name',
  'account',
  'amount',
  'face_value',
  'cost',
  'serial_number',
  'remarks',
] as const

/** File of the chosen rows, without PINs and links: the export of all has them, for those who may see them. */
function fileOf(payments: readonly PortalPayment[]): string {
  return csvText([COLUMNS, ...payments.map((each) => COLUMNS.map((name) => each[name]))])
}

type CasesProps = {
  readonly kind: 'dispute' | 'void'
  readonly payments: readonly PortalPayment[]
  readonly onClose: () => void
  readonly onDone: () => void
}

type Refused = { readonly refid: string; readonly message: string }

/** Opens a case for each payment, one after the other. Those that are refused are named, and the others stand. */
function CasesDialog({ kind, payments, onClose, onDone }: CasesProps) {
  const text = useText(PAYMENTS)
  const words = useText(PAYMENT)
  const ui = useText(UI)
  const queries = useQueryClient()
  const [reason, setReason] = useState('1')
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<readonly Refused[] | undefined>(undefined)
  const open = async (): Promise<void> => {
    if (refused !== undefined) return onClose()
    setBusy(true)
    const failed: Refused[] = []
    for (const { id: trxid, refid } of payments) {
      try {
        judge(
          kind === 'dispute'
            ? await portal.call('portalOpenDispute', { body: { trxid } })
            : await portal.call('portalOpenVoid', { body: { trxid, refund_type: Number(reason) } }),
        )
      } catch (error) {
        failed.push({ refid, message: problemText(error, ui) })
      }
    }
    setBusy(false)
    void queries.invalidateQueries({ queryKey: portalKey('portalListCases') })
    say(text.casesOpened(payments.length - failed.length))
    if (failed.length > 0) return setRefused(failed)
    onDone()
    onClose()
  }
  const count = payments.length
  return (
    <ConfirmDialog
      title={kind === 'dispute' ? text.reportMany(count) : text.voidMany(count)}
      action={refused === undefined ? (kind === 'dispute' ? words.report : words.askVoid) : text.understood}
      keep={words.notNow}
      isDangerous={kind === 'void' && refused === undefined}
      isBusy={isBusy}
      error={null}
      onClose={onClose}
      onConfirm={() => void open()}
    >
      {refused === undefined ? (
        <>
          <p className="mid">{kind === 'dispute' ? words.disputeAbout : text.voidManyAbout}</p>
          {kind === 'void' ? (
            <Segment
              label={words.why}
              value={reason}
              onValue={setReason}
              options={[
                { value: '1', label: words.reasons.amount },
                { value: '2', label: words.reasons.twice },
              ]}
            />
          ) : null}
        </>
      ) : (
        <>
          <p>{text.casesRefused(refused.length)}</p>
          <ul className="stack tight small">
            {refused.map(({ refid, message }) => (
              <li key={refid}>
                <span className="mono">{refid}</span> {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}

/** The API answers 200 also when no case was opened. */
function judge({ data }: SupportResponse): void {
  if (data.status === 'Failed') throw new ApiProblem(data.message, { status: 409, code: 'no_case_opened' })
}
