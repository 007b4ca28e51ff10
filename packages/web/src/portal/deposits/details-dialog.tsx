import { useState } from 'react'
import type { DepositReport } from '../../api/portal.generated.ts'
import { portal } from '../../api/portal.ts'
import { portalWithdrawDeposit } from '../../api/portal-acts.generated.ts'
import { dateTimeText, dayText, momentOfDay, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { UI } from '../../ui/messages.ts'
import { Money } from '../../ui/money.tsx'
import { Facts } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { StoredFile } from '../../ui/stored-file.tsx'
import { PortalAct } from '../act.tsx'
import { useIsAdmin } from '../session.ts'
import { StateOf } from '../states.ts'
import { DEPOSITS } from './messages.ts'
import { SLIP_TYPES } from './slip-file.ts'

/** One reported transfer: how it stands, and its slip. */
export function DetailsDialog({ report, onClose }: { report: DepositReport; onClose: () => void }) {
  const text = useText(DEPOSITS)
  const ui = useText(UI)
  const isAdmin = useIsAdmin()
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
          {isAdmin && report.state === 'reported' ? (
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
      {isAdmin ? (
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
