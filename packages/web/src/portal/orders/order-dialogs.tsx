import { portalCancelOrder, portalConfirmOrder } from '../../api/portal-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { PortalAct } from '../act.tsx'
import { ORDER } from './messages.ts'
import type { Order } from './units.ts'

export const ORDER_READS = ['portalListOrders', 'portalGetOrder', 'portalListOrderDeliveries'] as const

type DialogProps = { readonly order: Order; readonly onClose: () => void }

export function CancelDialog({ order, onClose }: DialogProps) {
  const text = useText(ORDER)
  return (
    <PortalAct
      act={portalCancelOrder}
      input={{ params: { order_id: order.order_id } }}
      title={text.cancelTitle(order.reference)}
      action={text.cancel}
      keep={text.keep}
      done={text.cancelled}
      refresh={ORDER_READS}
      onClose={onClose}
      fields={{ reason: { label: text.cancelReason } }}
    >
      <p className="mid">{text.cancelAbout}</p>
    </PortalAct>
  )
}

/**
 * Says that the customer's money is there. The reference is the person's own, so that a second try is the same one. The
 * total that the person saw is sent along: another one is refused.
 */
export function ConfirmOrderDialog({ order, onClose }: DialogProps) {
  const text = useText(ORDER)
  return (
    <PortalAct
      act={portalConfirmOrder}
      input={{ params: { order_id: order.order_id } }}
      members={{ total_amount: order.total_amount }}
      title={text.confirmTitle(order.reference)}
      isDangerous={false}
      action={text.confirmNow}
      done={text.confirmedNow}
      refresh={ORDER_READS}
      onClose={onClose}
      fields={{ payment_reference: { label: text.paymentReference, hint: text.paymentReferenceHint } }}
    >
      <p className="mid">{text.confirmAbout(moneyText(order.total_amount, order.currency))}</p>
    </PortalAct>
  )
}
