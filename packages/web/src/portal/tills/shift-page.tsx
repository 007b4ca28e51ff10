import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { ShiftReport } from '../../api/portal.generated.ts'
import { portalQuery, usePortal } from '../../api/portal.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { minuteText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, moneyText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Segment } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { SlipFoot, SlipHead, SlipLine } from '../payments/receipt.tsx'
import { RECEIPT } from '../payments/receipt-messages.ts'
import type { ReceiptWidth } from '../payments/till.ts'
import { notePrinted, RECEIPT_WIDTHS, storedWidth, storeWidth, wasPrinted } from '../payments/till.ts'
import { useMay, useMember } from '../session.ts'
import { TILLS } from './messages.ts'
import { CloseDialog } from './own-shift.tsx'
import '../payments/payment.css'

/** One shift: its Z report, as it is printed. */
export function Page() {
  const text = useText(TILLS)
  const pages = useText(PORTAL)
  const id = useParam('id')
  const reading = usePortal('portalGetShift', { params: { id } })
  return (
    <Loaded reading={reading} bones={8}>
      {({ data }) => {
        const { till, end } = data.shift
        const here = end === null ? text.isOpen : text.numbered(end.number)
        return (
          <>
            <PageHead
              crumbs={<Crumbs to="/portal/shifts" label={pages.shifts} here={here} />}
              title={here}
              about={text.hereIs(till.name, till.branch.name)}
            />
            {end === null ? <OpenShift report={data} /> : <ReportPanel report={data} />}
          </>
        )
      }}
    </Loaded>
  )
}

/** Shift that is not closed yet. Whoever manages the tills closes one that was forgotten. */
function OpenShift({ report: { shift, people } }: { report: ShiftReport }) {
  const text = useText(TILLS)
  const { username } = useMember()
  const manages = useMay('tills.write')
  const [isClosing, setClosing] = useState(false)
  return (
    <div className="stack">
      <Note tone="wait">
        {text.stillOpen} {text.openedBy} {shift.opened_by}, {minuteText(shift.opened_at)}.
      </Note>
      {manages || people.includes(username) ? (
        <span>
          <Button onClick={() => setClosing(true)}>{text.close}</Button>
        </span>
      ) : null}
      {isClosing ? <CloseDialog shift={shift} onClose={() => setClosing(false)} /> : null}
    </div>
  )
}

/** Report as it is printed. A second print is a copy, and so is one by somebody who did not close the shift. */
function ReportPanel({ report }: { report: ShiftReport }) {
  const text = useText(TILLS)
  const words = useText(RECEIPT)
  const { username } = useMember()
  const queries = useQueryClient()
  const { id, end } = report.shift
  const printedAs = `shift-${id}`
  const [isCopy, setCopy] = useState(() => end?.closed_by !== username || wasPrinted(printedAs))
  const [width, setWidth] = useState<ReceiptWidth>(storedWidth)
  const printReport = async () => {
    await queries.ensureQueryData(portalQuery('portalGetReceiptHeader', {}))
    print()
    notePrinted(printedAs)
    flushSync(() => setCopy(true))
  }
  return (
    <div className="grid">
      <Panel
        isFlush
        className="receipt"
        title={text.report}
        actions={
          <Button size="sm" icon="print" onClick={() => void printReport()}>
            {text.print}
          </Button>
        }
      >
        <div className="slipbox">
          <ReportSlip report={report} isCopy={isCopy} width={width} />
          <div className="stack tight no-print">
            <Segment
              label={words.width}
              value={width}
              onValue={(next) => {
                setWidth(next)
                storeWidth(next)
              }}
              options={RECEIPT_WIDTHS.map((value) => ({ value, label: words.widths[value] }))}
            />
          </div>
        </div>
      </Panel>
      <TakenBack report={report} />
    </div>
  )
}

type SlipProps = { readonly report: ShiftReport; readonly isCopy: boolean; readonly width: ReceiptWidth }

function ReportSlip({ report, isCopy, width }: SlipProps) {
  const text = useText(TILLS)
  const { shift, movements, total, categories, sellers, taken_back: takenBack } = report
  const { till, end } = shift
  if (end === null || total === null) return null
  const money = (amount: string) => moneyText(amount, 'RM')
  const sums = ({ payments, sales }: { payments: number; sales: string }) =>
    `${countText(payments)} × ${money(sales)}`
  return (
    <div className={`slip w-${width}`}>
      <SlipHead at={end.closed_at} isCopy={isCopy} />
      <p>
        <b>{text.numbered(end.number)}</b>
      </p>
      <dl>
        <SlipLine term={text.branch} value={till.branch.name} />
        <SlipLine term={text.till} value={till.name} />
        <SlipLine term={text.openedBy} value={shift.opened_by} />
        <SlipLine term={text.openedAt} value={minuteText(shift.opened_at)} />
        <SlipLine term={text.closedBy} value={end.closed_by} />
      </dl>
      <dl>
        {categories.map(({ code, name, payments, sales }) => (
          <SlipLine key={code} term={name ?? (code || text.notKnown)} value={sums({ payments, sales })} />
        ))}
        <dt className="tot">{text.sales}</dt>
        <dd className="tot">{sums(total)}</dd>
      </dl>
      {sellers.length > 1 ? (
        <dl>
          {sellers.map((each) => (
            <SlipLine key={each.member} term={each.member} value={sums(each)} />
          ))}
        </dl>
      ) : null}
      <dl>
        <SlipLine term={text.float} value={money(shift.float)} />
        {movements.map(({ id, kind, amount, reason }) => (
          <SlipLine
            key={id}
            term={`${text.kinds[kind]}: ${reason}`}
            value={money(kind === 'pay_in' ? amount : `-${amount}`)}
          />
        ))}
        <SlipLine term={text.expected} value={money(end.expected)} />
        <SlipLine term={text.counted} value={money(end.counted)} />
        <dt className="tot">{text.difference}</dt>
        <dd className="tot">{money(end.difference)}</dd>
      </dl>
      {takenBack.length === 0 ? null : (
        <>
          <p>{text.takenBack}</p>
          <dl>
            {takenBack.map((each) => (
              <SlipLine
                key={each.id}
                term={`${each.product_name} (${each.is_void ? text.voided : text.failed})`}
                value={money(each.face_value)}
              />
            ))}
          </dl>
        </>
      )}
      <SlipFoot />
    </div>
  )
}

/** Payments of the report that failed or were voided since, each a link. */
function TakenBack({ report: { taken_back: takenBack } }: { report: ShiftReport }) {
  const text = useText(TILLS)
  if (takenBack.length === 0) return null
  return (
    <Panel title={text.takenBack}>
      <ul className="list">
        {takenBack.map((each) => (
          <li key={each.id} className="middle">
            <span className="t">
              <PageLink className="link" to={`/portal/payments/${each.id}`}>
                {each.product_name}
              </PageLink>
              <small>
                {each.member}, {each.is_void ? text.voided : text.failed} {minuteText(each.at)}
              </small>
            </span>
            <span>{moneyText(each.face_value, 'MYR')}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
