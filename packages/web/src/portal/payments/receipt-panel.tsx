import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLatest } from '../../api/latest.ts'
import type { PortalPaymentDetails } from '../../api/portal.generated.ts'
import { portal, portalQuery, usePortal } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, Segment } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMay, useMember } from '../session.ts'
import { PAYMENT } from './payment-messages.ts'
import type { ReceiptProof } from './receipt.tsx'
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

/** Comes when it is opened: few visits to a receipt change its head. */
const HeaderDialog = lazy(async () => ({ default: (await import('./receipt-header.tsx')).HeaderDialog }))

/** Receipt of a payment on the screen, with what is known of its signature. */
export type ShownReceipt = ReturnType<typeof useReceipt>

type ReceiptOptions = {
  /** True: the sale was made here and now. Every other print is a copy, and so is a second one. */
  readonly isOriginal: boolean
  /** True: the sale has its end, and is printed by itself where the till wants that. */
  readonly isEnded: boolean
}

/**
 * Prints and shares the receipt of one customer's payments. Their numbers and pages are asked for when somebody wants it
 * on paper or sends it.
 */
export function useReceipt(
  payments: readonly PortalPaymentDetails[],
  { isOriginal, isEnded }: ReceiptOptions,
) {
  const [known, setKnown] = useState<Proofs>(NO_PROOFS)
  const [isCopy, setCopy] = useState(() => !isOriginal || payments.some(({ id }) => wasPrinted(id)))
  const [isSharing, setSharing] = useState(false)
  const proved = payments.filter(({ status }) => status === 'successful' || status === 'refunded')
  const hasProof = proved.length > 0
  const queries = useQueryClient()
  const ask = async (): Promise<Proofs> => {
    // A print has the shop's own head, also where nobody waited for it.
    await queries.ensureQueryData(portalQuery('portalGetReceiptHeader', {}))
    const asked = proved.map(async ({ id }) => {
      const proof =
        known.get(id) ?? (await portal.call('portalGetReceipt', { params: { transaction_id: id } })).data
      return [id, proof] as const
    })
    return new Map(await Promise.all(asked))
  }
  const printing = useAction({
    act: ask,
    onDone: (found) => {
      flushSync(() => setKnown(found))
      print()
      for (const { id } of payments) notePrinted(id)
      setCopy(true)
    },
  })
  const sharing = useAction({
    act: ask,
    onDone: (found) => {
      setKnown(found)
      setSharing(true)
    },
  })
  const isSold = payments.some(({ status }) => status === 'successful')
  const isDue = isOriginal && isEnded && isSold && !isCopy && printsByItself()
  const run = useLatest(printing.run)
  useEffect(() => {
    if (isDue) run.current()
  }, [isDue])
  return {
    proofs: known,
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

type Proofs = ReadonlyMap<string, ReceiptProof>

const NO_PROOFS: Proofs = new Map()

/** Facts that a slip shows beside the payments themselves. */
export type SlipShown = {
  readonly proofs: Proofs
  readonly isCopy: boolean
  readonly width: ReceiptWidth
  readonly cashier: string | undefined
}

type ReceiptPanelProps = {
  readonly receipt: ShownReceipt
  readonly slip: (shown: SlipShown) => ReactNode
  readonly children?: ReactNode
}

/** Receipt as it is printed, with the width of the till's paper beside the button. */
export function ReceiptPanel({ receipt, slip, children }: ReceiptPanelProps) {
  const { proofs, isCopy, isOriginal } = receipt
  const text = useText(RECEIPT)
  const words = useText(PAYMENT)
  const { username } = useMember()
  const mayChange = useMay('developers.write')
  const header = usePortal('portalGetReceiptHeader', {}).data?.data
  const [isChanging, setChanging] = useState(false)
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
        {slip({ proofs, isCopy, width, cashier: isOriginal ? username : undefined })}
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
          {mayChange && header !== undefined ? (
            <span>
              <Button size="sm" icon="edit" onClick={() => setChanging(true)}>
                {text.headerTitle}
              </Button>
            </span>
          ) : null}
        </div>
      </div>
      {isChanging && header !== undefined ? (
        <Suspense>
          <HeaderDialog header={header} onClose={() => setChanging(false)} />
        </Suspense>
      ) : null}
      {receipt.isSharing && proofs.size > 0 ? (
        <ShareDialog proofs={[...proofs.values()]} onClose={receipt.endSharing} />
      ) : null}
    </Panel>
  )
}

type ShareProps = { readonly proofs: readonly ReceiptProof[]; readonly onClose: () => void }

/** Sends the links of a receipt to its customer. */
function ShareDialog({ proofs, onClose }: ShareProps) {
  const text = useText(RECEIPT)
  const { reseller } = useMember()
  const subject = text.subject(reseller.name, proofs.map(({ number }) => number).join(', '))
  const links = proofs.map(({ verify_url: url }) => url).join('\n')
  const message = encodeURIComponent(`${subject}: ${links}`)
  return (
    <Dialog
      title={text.shareTitle}
      onClose={onClose}
      footer={<Button onClick={onClose}>{text.close}</Button>}
    >
      <p className="mid">{text.shareAbout}</p>
      <p className="mono wrap-anywhere lines">{links}</p>
      <div className="row wrap">
        {'share' in navigator ? (
          <Button
            look="primary"
            onClick={() => {
              // Closing the sheet is no failure.
              void navigator.share({ title: subject, text: `${subject}: ${links}` }).catch(() => undefined)
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
        <CopyButton value={links} label={text.copyLink} />
      </div>
    </Dialog>
  )
}
