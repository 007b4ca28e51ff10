import { useState } from 'react'
import type { DepositReport } from '../../api/portal.generated.ts'
import { portal } from '../../api/portal.ts'
import { portalReportDeposit, portalWithdrawDeposit } from '../../api/portal-acts.generated.ts'
import { dateTimeText, dayText, isoDayFromToday, momentOfDay, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FileField, StoredFile } from '../../ui/file-field.tsx'
import { UI } from '../../ui/messages.ts'
import { Money } from '../../ui/money.tsx'
import { Facts } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { PortalAct } from '../act.tsx'
import { isAmount } from '../amounts.ts'
import { AMOUNTS } from '../messages.ts'
import { useMay } from '../session.ts'
import { StateOf } from '../states.ts'
import { DEPOSITS } from './messages.ts'

/** One reported transfer: how it stands, and its slip. */
export function DetailsDialog({ report, onClose }: { report: DepositReport; onClose: () => void }) {
  const text = useText(DEPOSITS)
  const ui = useText(UI)
  const mayReport = useMay('deposits.write')
  const [isAsking, setAsking] = useState(false)
  if (isAsking) {
    return (
      <PortalAct
        act={portalWithdrawDeposit}
        input={{ params: { id: report.id } }}
        title={text.withdrawTitle}
        action={text.withdraw}
        keep={text.keep}
        done={text.withdrawn}
        refresh={['portalListDepositRequests', 'portalGetDepositRequest']}
        onDone={onClose}
        onClose={() => setAsking(false)}
      >
        <p className="mid">{text.withdrawAbout}</p>
      </PortalAct>
    )
  }
  return (
    <Dialog
      isWide
      title={text.details(report.bank_reference)}
      onClose={onClose}
      onSubmit={onClose}
      footer={
        <>
          <Button type="submit">{ui.close}</Button>
          {mayReport && report.state === 'reported' ? (
            <Button look="danger-quiet" onClick={() => setAsking(true)}>
              {text.withdraw}
            </Button>
          ) : null}
        </>
      }
    >
      {report.warnings.map((warning) => (
        <Note key={warning.code} tone="warning">
          <b>{text.warning}.</b> {warning.message}
        </Note>
      ))}
      <DetailFacts report={report} />
      {mayReport ? (
        <StoredFile
          url={portal.urlOf('portalGetDepositSlip', { params: { id: report.id } })}
          type={SLIP_TYPES[report.slip.kind]}
          name={`slip-${report.id}.${report.slip.kind}`}
          label={text.slipOf(report.bank_reference)}
        />
      ) : (
        <p className="sub small">{text.slipAdmins}</p>
      )}
    </Dialog>
  )
}

function DetailFacts({ report }: { report: DepositReport }) {
  const text = useText(DEPOSITS)
  const optional = (term: string, value: string | null) =>
    value === null || value === '' ? undefined : { term, value }
  return (
    <Facts
      facts={[
        { term: text.state, value: <StateOf kind="deposit" state={report.state} /> },
        { term: text.amount, value: <Money amount={report.amount} currency="MYR" /> },
        { term: text.day, value: dayText(momentOfDay(report.transferred_on)) },
        { term: text.id, value: report.id },
        { term: text.by, value: report.reported_by },
        { term: text.reportedAt(ZONE_NAME), value: dateTimeText(report.reported_at) },
        report.changed_at === report.reported_at
          ? undefined
          : { term: text.changed, value: dateTimeText(report.changed_at) },
        optional(text.note, report.note),
        optional(text.refusal, report.refusal),
        optional(text.entry, report.entry_number),
      ]}
    />
  )
}

type ReportDialogProps = { readonly onClose: () => void; readonly onReported: (id: string) => void }

/** Reports a bank transfer with its slip. The service answers the same report with the first one. */
export function ReportDialog({ onClose, onReported }: ReportDialogProps) {
  const text = useText(DEPOSITS)
  const amounts = useText(AMOUNTS)
  const [slip, setSlip] = useState<SlipFile | undefined>(undefined)
  return (
    <PortalAct
      act={portalReportDeposit}
      title={text.reportTitle}
      isDangerous={false}
      action={text.send}
      done={({ data }) => text.reported(moneyText(data.amount, 'MYR'))}
      refresh={['portalListDepositRequests', 'portalGetDepositRequest']}
      onDone={({ data }) => onReported(data.id)}
      onClose={onClose}
      from={{ transferred_on: isoDayFromToday(0) }}
      fields={{
        amount: {
          label: text.amount,
          hint: text.amountHint,
          before: 'MYR',
          inputMode: 'decimal',
          check: (amount) => (isAmount(amount) ? undefined : amounts.unreadable),
          isHalf: true,
        },
        transferred_on: { label: text.day, type: 'date', max: isoDayFromToday(1) },
        bank_reference: { label: text.reference, hint: text.referenceHint },
        slip: {
          label: text.slip,
          draw: ({ onValue, error }) => (
            <FileField
              label={text.slip}
              hint={text.slipHint}
              error={slip !== undefined && 'problem' in slip ? text.slipProblems[slip.problem] : error}
              accept={SLIP_ACCEPT}
              invitation={text.slipChoose}
              chosen={slip?.name}
              onFile={async (file) => {
                const read = await readSlipFile(file)
                setSlip(read)
                onValue('base64' in read ? read.base64 : '')
              }}
            />
          ),
        },
        note: { label: text.note, hint: text.noteHint, rows: 2 },
      }}
    />
  )
}

/** Largest slip that the service takes. */
const SLIP_BYTES_MAX = 2 * 1024 * 1024

/** Kinds that the service takes, with the bytes that their files begin with. */
const HEADS = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff],
  pdf: [0x25, 0x50, 0x44, 0x46, 0x2d],
} as const

const SLIP_ACCEPT = '.png,.jpg,.jpeg,.webp,.pdf,image/png,image/jpeg,image/webp,application/pdf'

export const SLIP_TYPES = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
} as const

type SlipProblem = 'empty' | 'large' | 'kind'

/** Slip ready to be sent, or why it cannot be. */
type SlipFile =
  | { readonly name: string; readonly base64: string }
  | { readonly name: string; readonly problem: SlipProblem }

/** Checks a file by its size and its first bytes, never by its name, before anything is sent. */
async function readSlipFile(file: File): Promise<SlipFile> {
  const { name } = file
  if (file.size === 0) return { name, problem: 'empty' }
  if (file.size > SLIP_BYTES_MAX) return { name, problem: 'large' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!isSlip(bytes)) return { name, problem: 'kind' }
  return { name, base64: base64Of(bytes) }
}

function isSlip(bytes: Uint8Array): boolean {
  const beginsWith = (head: readonly number[]) => head.every((each, index) => bytes[index] === each)
  return Object.values(HEADS).some(beginsWith) || isWebp(bytes)
}

function isWebp(bytes: Uint8Array): boolean {
  const word = (from: number) => String.fromCharCode(...bytes.subarray(from, from + 4))
  return word(0) === 'RIFF' && word(8) === 'WEBP'
}

/** Bytes that `String.fromCharCode` takes at once. */
const SLICE_BYTES = 0x8000

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + SLICE_BYTES))
  }
  return btoa(text)
}
