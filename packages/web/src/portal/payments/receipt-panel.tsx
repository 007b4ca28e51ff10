import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { PortalPaymentDetails } from '../../api/portal.generated.ts'
import { portal } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, Segment } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMember } from '../session.ts'
import { PAYMENT } from './payment-messages.ts'
import type { ReceiptProof } from './receipt.tsx'
import { Receipt } from './receipt.tsx'
import { RECEIPT } from './receipt-messages.ts'
import type { ReceiptWidth } from './till.ts'
import {
  notePrinted,
  printsByItself,
  RECEIPT_WIDTHS,
  storeByItself,
  storedWidth,
  storeWidth,
  wasPrinted,
} from './till.ts'

/** Receipt of a payment on the screen, with what is known of its signature. */
export type ShownReceipt = ReturnType<typeof useReceipt>

/**
 * Prints and shares the receipt of a payment. Its number and its page are asked for when somebody wants it on paper or
 * sends it. `isOriginal`: the sale was made here and now; every other print is a copy, and so is a second one.
 */
export function useReceipt(payment: PortalPaymentDetails, { isOriginal }: { readonly isOriginal: boolean }) {
  const { id, status } = payment
  const [proof, setProof] = useState<ReceiptProof | undefined>(undefined)
  const [isCopy, setCopy] = useState(() => !isOriginal || wasPrinted(id))
  const [isSharing, setSharing] = useState(false)
  const hasProof = status === 'successful' || status === 'refunded'
  const ask = async () => {
    if (proof !== undefined || !hasProof) return proof
    return (await portal.call('portalGetReceipt', { params: { transaction_id: id } })).data
  }
  const printing = useAction({
    act: ask,
    onDone: (found) => {
      flushSync(() => setProof(found))
      print()
      notePrinted(id)
      setCopy(true)
    },
  })
  const sharing = useAction({
    act: ask,
    onDone: (found) => {
      setProof(found)
      setSharing(true)
    },
  })
  const isDue = isOriginal && status === 'successful' && !isCopy && printsByItself()
  const run = useRef(printing.run)
  run.current = printing.run
  useEffect(() => {
    if (isDue) run.current()
  }, [isDue])
  return {
    payment,
    proof,
    isCopy,
    isOriginal,
    hasProof,
    isBusy: printing.isBusy || sharing.isBusy,
    error: printing.error ?? sharing.error,
    print: () => printing.run(),
    isSharing,
    share: () => sharing.run(),
    endSharing: () => setSharing(false),
  }
}

type ReceiptPanelProps = {
  readonly receipt: ShownReceipt
  readonly price?: string | null
  readonly pin?: string
  readonly children?: ReactNode
}

/** Receipt as it is printed, with the width of the till's paper beside the button. */
export function ReceiptPanel({ receipt, price = null, pin = '', children }: ReceiptPanelProps) {
  const { payment, proof, isCopy, isOriginal } = receipt
  const text = useText(RECEIPT)
  const words = useText(PAYMENT)
  const { username } = useMember()
  const [width, setWidth] = useState<ReceiptWidth>(storedWidth)
  const [isByItself, setByItself] = useState(printsByItself)
  return (
    <Panel
      isFlush
      className="receipt"
      title={words.receipt}
      actions={
        <>
          {receipt.hasProof ? (
            <Button size="sm" isBusy={receipt.isBusy} onClick={receipt.share}>
              {text.share}
            </Button>
          ) : null}
          <Button size="sm" icon="print" isBusy={receipt.isBusy} onClick={receipt.print}>
            {words.print}
          </Button>
        </>
      }
    >
      <div className="slipbox">
        <Receipt
          payment={payment}
          price={price}
          pin={pin}
          proof={proof}
          isCopy={isCopy}
          width={width}
          cashier={isOriginal ? username : undefined}
        />
        <div className="stack tight no-print">
          <ActionProblem error={receipt.error} />
          {children}
          <Segment
            label={text.width}
            value={width}
            onValue={(next) => {
              setWidth(next)
              storeWidth(next)
            }}
            options={RECEIPT_WIDTHS.map((value) => ({ value, label: text.widths[value] }))}
          />
          {isOriginal ? (
            <Checkbox
              label={text.byItself}
              isOn={isByItself}
              onToggle={(isOn) => {
                setByItself(isOn)
                storeByItself(isOn)
              }}
            />
          ) : null}
        </div>
      </div>
      {receipt.isSharing && proof !== undefined ? (
        <ShareDialog proof={proof} onClose={receipt.endSharing} />
      ) : null}
    </Panel>
  )
}

/** Sends the link of a receipt to its customer. */
function ShareDialog({ proof, onClose }: { proof: ReceiptProof; onClose: () => void }) {
  const text = useText(RECEIPT)
  const { reseller } = useMember()
  const { number, verify_url: url } = proof
  const subject = text.subject(reseller.name, number)
  const message = encodeURIComponent(`${subject}: ${url}`)
  return (
    <Dialog
      title={text.shareTitle}
      onClose={onClose}
      footer={<Button onClick={onClose}>{text.close}</Button>}
    >
      <p className="mid">{text.shareAbout}</p>
      <p className="mono wrap-anywhere">{url}</p>
      <div className="row wrap">
        {'share' in navigator ? (
          <Button
            look="primary"
            onClick={() => {
              // Closing the sheet is no failure.
              void navigator.share({ title: subject, url }).catch(() => undefined)
            }}
          >
            {text.sheet}
          </Button>
        ) : null}
        <a className="btn" href={`https://wa.me/?text=${message}`} target="_blank" rel="noopener noreferrer">
          {text.whatsapp}
        </a>
        <a className="btn" href={`mailto:?subject=${encodeURIComponent(subject)}&body=${message}`}>
          {text.mail}
        </a>
        <CopyButton value={url} label={text.copyLink} />
      </div>
    </Dialog>
  )
}
