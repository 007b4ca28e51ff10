import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PortalPaymentDetails } from '../../api/portal.generated.ts'
import { portalQuery } from '../../api/portal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { useRemarks } from '../../text/remarks.ts'
import { Button, buttonClass, Spinner } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { PAYMENT } from '../payments/payment-messages.ts'
import { Receipt } from '../payments/receipt.tsx'
import { RECEIPT } from '../payments/receipt-messages.ts'
import { ReceiptPanel, useReceipt } from '../payments/receipt-panel.tsx'
import { SecretPanel } from '../payments/secret-panel.tsx'
import { PaymentPill } from '../payments/status.tsx'
import { useFirstFocus } from './focus.ts'
import { KeepNumber } from './keep-number.tsx'
import { SELL } from './messages.ts'
import type { Sale } from './sale.ts'
import { forgetSale, tabStorage } from './sale.ts'
import '../payments/payment.css'

/** Sale that was sent and is not answered: it may or may not be a payment. */
export function SentSale({ sale, error }: { sale: Sale; error: unknown }) {
  const text = useText(SELL)
  const isUnknown = error !== null
  return (
    <Panel title={text.result}>
      <div className="stack" aria-live="polite">
        <Note tone="wait">
          <b>{isUnknown ? text.unknown : text.sending}</b> {isUnknown ? text.unknownAbout : text.sendingAbout}
        </Note>
        <p className="row">
          <Spinner />
          <span className="mid">{text.refid}</span>
          <span className="mono cut">{sale.refid}</span>
        </p>
        {isUnknown ? (
          <p>
            <PageLink className="link" to="/portal/payments" search={{ refid: sale.refid }}>
              {text.look}
            </PageLink>
          </p>
        ) : null}
      </div>
    </Panel>
  )
}

/** The contract advises 5 to 10 seconds; live events come sooner. */
export const POLL_MS = 7_000

export type KnownSaleProps = {
  readonly sale: Sale
  readonly paymentId: string
  readonly onAnother: () => void
  /** Begins the next sale with another number; left out: the same product is offered again. */
  readonly onNext?: () => void
}

/** Payment of the sale, from Processing to its end. */
export function KnownSale({ sale, paymentId, ...steps }: KnownSaleProps) {
  const reading = useQuery({
    ...portalQuery('portalGetPayment', { params: { id: paymentId } }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.data.status === 'pending' ? POLL_MS : false,
  })
  const isFinal = reading.data !== undefined && reading.data.data.status !== 'pending'
  useEffect(() => {
    if (isFinal) forgetSale(tabStorage(), sale)
  }, [isFinal, sale])
  return (
    <Loaded reading={reading} bones={6}>
      {({ data }) => <Result payment={data} price={sale.price} {...steps} />}
    </Loaded>
  )
}

type ResultProps = {
  readonly payment: PortalPaymentDetails
  readonly price: string | null
} & Pick<KnownSaleProps, 'onAnother' | 'onNext'>

function Result({ payment, price, ...steps }: ResultProps) {
  const text = useText(SELL)
  const words = useText(PAYMENT)
  const slip = useText(RECEIPT)
  const [printsPin, setPrintsPin] = useState(false)
  const { pin } = payment
  const receipt = useReceipt([payment], { isOriginal: true, isEnded: payment.status !== 'pending' })
  return (
    <div className="grid c84 sold">
      <div className="grid">
        <Panel title={payment.product_name} actions={<PaymentPill status={payment.status} />}>
          <div className="stack" aria-live="polite">
            <Outcome payment={payment} />
            <Facts
              facts={[
                {
                  term: words.amount,
                  value: <Money amount={payment.amount} currency={payment.amount_currency ?? ''} />,
                },
                { term: words.account, value: payment.account },
                { term: text.cost, value: <Money amount={payment.cost} currency="MYR" /> },
                payment.serial_number === ''
                  ? undefined
                  : { term: text.serial, value: <span className="mono">{payment.serial_number}</span> },
                { term: text.refid, value: <span className="mono">{payment.refid}</span> },
                payment.note === '' ? undefined : { term: words.note, value: text.standard(payment.note) },
                payment.status !== 'successful' || payment.redemption === null
                  ? undefined
                  : { term: slip.redemption, value: payment.redemption },
              ]}
            />
            <NextSteps payment={payment} {...steps} />
          </div>
        </Panel>
        <SecretPanel payment={payment} />
      </div>
      <ReceiptPanel
        receipt={receipt}
        slip={({ proofs, ...shown }) => (
          <Receipt
            payment={payment}
            price={price}
            pin={printsPin ? pin : ''}
            proof={proofs.get(payment.id)}
            {...shown}
          />
        )}
      >
        {pin === '' ? null : <Checkbox label={text.printPin} isOn={printsPin} onToggle={setPrintsPin} />}
      </ReceiptPanel>
    </div>
  )
}

/** Steps after a sale. The first one has the focus; while the payment goes on it does not sell the same again. */
function NextSteps({ payment, onAnother, onNext }: Omit<ResultProps, 'price'>) {
  const text = useText(SELL)
  const isPending = payment.status === 'pending'
  const frame = useRef<HTMLDivElement>(null)
  useFirstFocus(frame, '.primary', isPending)
  useFirstFocus(frame, '.primary', !isPending)
  const open = (
    <PageLink
      className={buttonClass(isPending ? { look: 'primary' } : {})}
      to={`/portal/payments/${payment.id}`}
    >
      {text.openPayment}
    </PageLink>
  )
  return (
    <div className="row wrap" ref={frame}>
      {isPending ? (
        open
      ) : (
        <Button look="primary" icon="sell" onClick={onNext ?? onAnother}>
          {onNext === undefined ? text.samePro(payment.product_name) : text.another}
        </Button>
      )}
      {onNext !== undefined && !isPending ? null : (
        <PageLink className={buttonClass({})} to="/portal/sell" onClick={onNext ?? onAnother}>
          {text.another}
        </PageLink>
      )}
      {isPending ? null : open}
      <KeepNumber payment={payment} />
    </div>
  )
}

function Outcome({ payment: { status, remarks } }: { payment: PortalPaymentDetails }) {
  const text = useText(SELL)
  const say = useRemarks()
  switch (status) {
    case 'successful':
      return (
        <Note tone="ok">
          <b>{text.sold}</b>
        </Note>
      )
    case 'pending':
      return (
        <Note tone="wait">
          <b>{text.processing}</b> {text.processingAbout}
        </Note>
      )
    case 'failed':
      return (
        <Note tone="bad">
          <b>{text.failed}</b> {say(remarks)}
        </Note>
      )
    case 'refunded':
      return <Note tone="back">{text.refunded}</Note>
  }
}
