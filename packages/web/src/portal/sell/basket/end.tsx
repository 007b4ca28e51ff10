import { useQueries } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { PortalPaymentDetails } from '../../../api/portal.generated.ts'
import { portalQuery } from '../../../api/portal.ts'
import { PageLink } from '../../../shell/navigation.tsx'
import { useText } from '../../../text/language.ts'
import { moneyText, sumText } from '../../../text/numbers.ts'
import { useRemarks } from '../../../text/remarks.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { Figure, Money } from '../../../ui/money.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { ActionProblem } from '../../../ui/problem.tsx'
import { Note, Pill } from '../../../ui/state.tsx'
import { ReceiptPanel, useReceipt } from '../../payments/receipt-panel.tsx'
import { SecretPanel } from '../../payments/secret-panel.tsx'
import { PaymentPill } from '../../payments/status.tsx'
import { useFirstFocus } from '../focus.ts'
import { POLL_MS } from '../sale-view.tsx'
import type { Basket } from './basket.ts'
import { changeOf, isOpen, problemOf } from './basket.ts'
import { BASKET } from './messages.ts'
import type { KnownLine } from './slip.tsx'
import { BasketSlip } from './slip.tsx'
import { leaveBasket } from './store.ts'
import '../../payments/payment.css'
import './basket.css'

type EndProps = { readonly basket: Basket; readonly onNext: () => void }

/** Basket that was paid: what became of each line, the change, and one receipt. */
export function BasketEnd({ basket, onNext }: EndProps) {
  const text = useText(BASKET)
  const lines = useLines(basket)
  const frame = useRef<HTMLDivElement>(null)
  const isSent = !basket.lines.some(isOpen)
  useFirstFocus(frame, '.primary', isSent)
  const total = chargedFor(lines)
  const change = changeOf(basket.cash, total)
  return (
    <div className="grid c84 sold" ref={frame}>
      <div className="grid">
        <Panel title={text.paid}>
          <div className="stack">
            <Outcome lines={lines} />
            <ul className="basket-lines">
              {lines.map((line) => (
                <EndedLine key={line.sale.refid} line={line} />
              ))}
            </ul>
            <div className="basket-total">
              <span className="mid">{text.total}</span>
              <Figure amount={total} currency="MYR" size="s" />
              {change.kind === 'change' ? (
                <span>
                  {text.cash} <Money amount={basket.cash} currency="MYR" />, {text.change}{' '}
                  <b>
                    <Money amount={change.amount} currency="MYR" />
                  </b>
                </span>
              ) : null}
            </div>
            <div>
              <Button
                look="primary"
                icon="sell"
                disabled={!isSent}
                onClick={() => {
                  leaveBasket(basket)
                  onNext()
                }}
              >
                {text.next}
              </Button>
            </div>
          </div>
        </Panel>
        {lines.map(({ payment }) =>
          payment === undefined ? null : <SecretPanel key={payment.id} payment={payment} />,
        )}
      </div>
      <BasketReceipt basket={basket} lines={lines} total={total} />
    </div>
  )
}

/** Prices of what is sold, or may be: a line that failed is not charged. */
function chargedFor(lines: readonly KnownLine[]): string {
  const charged = lines.filter(
    ({ refused, payment }) =>
      refused === null && payment?.status !== 'failed' && payment?.status !== 'refunded',
  )
  return sumText(charged.map(({ sale }) => sale.price ?? '0'))
}

function useLines({ lines }: Basket): readonly KnownLine[] {
  const paid = lines.flatMap(({ sale }) => sale.paymentId ?? [])
  const readings = useQueries({
    queries: paid.map((id) => ({
      ...portalQuery('portalGetPayment', { params: { id } }),
      refetchInterval: ({ state }: { state: { data?: { data: PortalPaymentDetails } | undefined } }) =>
        state.data === undefined || state.data.data.status === 'pending' ? POLL_MS : (false as const),
    })),
  })
  const known = new Map(
    readings.flatMap(({ data }) => (data === undefined ? [] : [[data.data.id, data.data]])),
  )
  return lines.map((line) => ({ ...line, payment: known.get(line.sale.paymentId ?? '') }))
}

function isFailed({ refused, payment }: KnownLine): boolean {
  return refused !== null || payment?.status === 'failed' || payment?.status === 'refunded'
}

function Outcome({ lines }: { lines: readonly KnownLine[] }) {
  const text = useText(BASKET)
  const failed = lines.filter(isFailed).length
  const isSending = lines.some(isOpen)
  const isGoingOn = lines.some(({ refused, payment }) => refused === null && payment?.status !== 'successful')
  return (
    <div aria-live="polite" className="stack tight">
      {isSending ? (
        <Note tone="wait">
          <b>{text.sending}</b> {text.sendingAbout}
        </Note>
      ) : failed === 0 && !isGoingOn ? (
        <Note tone="ok">
          <b>{text.allSold}</b>
        </Note>
      ) : null}
      {failed === 0 ? null : (
        <Note tone="bad">
          <b>{text.someFailed(failed)}</b>
        </Note>
      )}
      {!isSending && lines.some(({ payment }) => payment?.status === 'pending') ? (
        <Note tone="wait">{text.someGoOn}</Note>
      ) : null}
    </div>
  )
}

function EndedLine({ line }: { line: KnownLine }) {
  const text = useText(BASKET)
  const say = useRemarks()
  const { name, account, sale, refused, payment } = line
  return (
    <li>
      <span className="t">
        {payment === undefined ? (
          <b>{name}</b>
        ) : (
          <PageLink className="link" to={`/portal/payments/${payment.id}`}>
            <b>{name}</b>
          </PageLink>
        )}
        <small className="mono">{account}</small>
        {refused === null ? null : (
          <div className="small">
            {refused.problem === null ? text.notMade : <ActionProblem error={problemOf(refused)} />}{' '}
            <b>{text.notCharged}</b>
          </div>
        )}
        {payment?.status === 'failed' ? (
          <div className="small bad">
            {say(payment.remarks)} {text.back} <b>{text.notCharged}</b>
          </div>
        ) : null}
      </span>
      <span>{sale.price === null ? null : moneyText(sale.price, 'MYR')}</span>
      {payment === undefined ? (
        refused === null ? null : (
          <Pill tone="bad">{text.notCharged}</Pill>
        )
      ) : (
        <PaymentPill status={payment.status} />
      )}
    </li>
  )
}

type ReceiptProps = { readonly basket: Basket; readonly lines: readonly KnownLine[]; readonly total: string }

function BasketReceipt({ basket, lines, total }: ReceiptProps) {
  const text = useText(BASKET)
  const [printsPins, setPrintsPins] = useState(false)
  const sold = lines.flatMap(({ payment }) => payment ?? [])
  const isEnded = lines.every((line) => isFailed(line) || line.payment?.status === 'successful')
  const receipt = useReceipt(sold, { isOriginal: true, isEnded })
  if (sold.length === 0) return null
  return (
    <ReceiptPanel
      receipt={receipt}
      slip={(shown) => (
        <BasketSlip basket={basket} lines={lines} total={total} printsPins={printsPins} {...shown} />
      )}
    >
      {sold.some(({ pin }) => pin !== '') ? (
        <Checkbox label={text.printPins} isOn={printsPins} onToggle={setPrintsPins} />
      ) : null}
    </ReceiptPanel>
  )
}
