import { portal } from '../../api/portal.ts'
import type { Sale } from './sale.ts'
import { isOver, isStale, judge, pauseMs } from './sale.ts'

export type SaleState =
  | { readonly kind: 'none'; readonly error: unknown; readonly isStale: boolean }
  /** Sent, and not answered yet; `error` is the last answer that said nothing about the payment. */
  | { readonly kind: 'sent'; readonly sale: Sale; readonly error: unknown }
  | { readonly kind: 'known'; readonly sale: Sale; readonly paymentId: string }

type Follower = {
  /** Told after each answer, also when nobody looks any more: the sale has to be kept or forgotten. */
  readonly onState: (state: SaleState) => void
  /** True: nobody follows the sale any more. */
  readonly isGone: () => boolean
}

/**
 * Sends a sale, that was kept before, until it is known whether it is a payment. The refid is always the same, so nothing
 * is paid twice. `isResumed`: it may have been sent before.
 */
export async function followSale(
  sale: Sale,
  isResumed: boolean,
  { onState, isGone }: Follower,
): Promise<void> {
  for (let attempt = 0; !isGone(); attempt += 1) {
    const next = await send(sale, isResumed || attempt > 0)
    onState(next)
    if (next.kind !== 'sent') return
    await new Promise((resolve) => window.setTimeout(resolve, pauseMs(attempt)))
  }
}

/** Sends the body, or asks for its payment, and says what is known then. */
async function send(sale: Sale, isRepeated: boolean): Promise<SaleState> {
  const { body } = sale
  const nowMs = Date.now()
  // Nothing is sent again for a sale of an earlier tab: somebody may have sold the same anew meanwhile.
  if (body === null || (isRepeated && isStale(sale, nowMs))) return lookUp(sale, null, isOver(sale, nowMs))
  try {
    const { data } = await portal.call('portalPay', { body })
    return known(sale, data.transaction_id)
  } catch (error) {
    const sinceFirstMs = Date.now() - sale.sentAtMs
    return lookUp(sale, error, judge({ error, isRepeated, sinceFirstMs }) === 'rejected')
  }
}

/** Asks whether the refid has a payment: an error answer may come although it was made. */
async function lookUp(sale: Sale, error: unknown, isEnded: boolean): Promise<SaleState> {
  try {
    const { data } = await portal.call('portalListPaymentStatuses', { body: { refids: [sale.refid] } })
    const payment = data[0]?.payment ?? null
    if (payment !== null) return known(sale, payment.id)
  } catch {
    return { kind: 'sent', sale, error }
  }
  if (!isEnded) return { kind: 'sent', sale, error }
  return { kind: 'none', error, isStale: error === null }
}

function known(sale: Sale, paymentId: string): SaleState {
  return { kind: 'known', sale: { ...sale, body: null, paymentId }, paymentId }
}
