import { useState } from 'react'
import { portal, portalKey } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ORDER } from './messages.ts'
import type { Order } from './state.tsx'

const CHANGED = [
  portalKey('portalListOrders'),
  portalKey('portalGetOrder'),
  portalKey('portalListOrderDeliveries'),
]

type DialogProps = { readonly order: Order; readonly onClose: () => void }

export function CancelDialog({ order, onClose }: DialogProps) {
  const text = useText(ORDER)
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () =>
      portal.call('portalCancelOrder', {
        params: { order_id: order.order_id },
        body: reason.trim() === '' ? {} : { reason: reason.trim() },
      }),
    done: () => text.cancelled,
    refresh: CHANGED,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.cancelTitle(order.reference)}
      action={text.cancel}
      keep={text.keep}
      isBusy={action.isBusy}
      error={action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.cancelAbout}</p>
      <TextField
        label={text.cancelReason}
        value={reason}
        onValue={setReason}
        maxLength={200}
        error={fieldError(action.error, 'reason')}
      />
    </ConfirmDialog>
  )
}

/** Says that the customer's money is there. The reference is the person's own, so that a second try is the same one. */
export function ConfirmOrderDialog({ order, onClose }: DialogProps) {
  const text = useText(ORDER)
  const [reference, setReference] = useState('')
  const confirmation = useConfirmation(order, onClose)
  return (
    <ConfirmDialog
      title={text.confirmTitle(order.reference)}
      action={text.confirmNow}
      isDangerous={false}
      isReady={reference.trim() !== ''}
      isBusy={confirmation.isBusy}
      error={confirmation.error}
      onConfirm={() => confirmation.run(reference.trim())}
      onClose={onClose}
    >
      <p className="mid">{text.confirmAbout(moneyText(order.total_amount, order.currency))}</p>
      <TextField
        label={text.paymentReference}
        hint={text.paymentReferenceHint}
        value={reference}
        onValue={setReference}
        maxLength={100}
        autoComplete="off"
        error={fieldError(confirmation.error, 'payment_reference')}
      />
    </ConfirmDialog>
  )
}

/** Confirms an order under a payment reference. The total that the person saw is sent along: another one is refused. */
export function useConfirmation(order: Order, onDone?: () => void) {
  const text = useText(ORDER)
  return useAction<string, unknown>({
    act: (reference) =>
      portal.call('portalConfirmOrder', {
        params: { order_id: order.order_id },
        body: { payment_reference: reference, total_amount: order.total_amount },
      }),
    done: () => text.confirmedNow,
    refresh: CHANGED,
    ...(onDone === undefined ? {} : { onDone }),
  })
}
