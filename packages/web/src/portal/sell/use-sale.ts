import { useCallback, useEffect, useRef, useState } from 'react'
import type { PaymentRequest } from '../../api/portal.generated.ts'
import { portal } from '../../api/portal.ts'
import { useMember } from '../session.ts'
import type { Sale } from './sale.ts'
import { forgetSale, isStale, judge, keepSale, pauseMs, storedSales, tabStorage } from './sale.ts'

export type SaleState =
  | { readonly kind: 'none'; readonly error: unknown; readonly isStale: boolean }
  /** Sent, and not answered yet; `error` is the last answer that said nothing about the payment. */
  | { readonly kind: 'sent'; readonly sale: Sale; readonly error: unknown }
  | { readonly kind: 'known'; readonly sale: Sale; readonly paymentId: string }

const NO_SALE: SaleState = { kind: 'none', error: null, isStale: false }

/** Sale of this tab: pays, goes on after a reload where it `resumes`, and never sends a second body while the first is not known. */
export function useSale(product: string, resumes: boolean) {
  const { reseller } = useMember()
  const [state, setState] = useState<SaleState>(() =>
    resumes ? resumed(reseller.account, product) : NO_SALE,
  )
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  const follow = useCallback(async (sale: Sale, isResumed: boolean) => {
    for (let attempt = 0; !isGone.current; attempt += 1) {
      const next = await send(sale, isResumed || attempt > 0)
      if (isGone.current) return
      setState(next)
      if (next.kind !== 'sent') return
      await new Promise((resolve) => window.setTimeout(resolve, pauseMs(attempt)))
    }
  }, [])
  const isResuming = useRef(state.kind === 'sent')
  useEffect(() => {
    if (!isResuming.current || state.kind !== 'sent') return
    isResuming.current = false
    void follow(state.sale, true)
  }, [state, follow])
  return {
    state,
    pay(body: PaymentRequest, price: string | null) {
      if (state.kind !== 'none') return
      const sentAtMs = Date.now()
      const { refid } = body
      const sale: Sale = {
        reseller: reseller.account,
        product,
        refid,
        sentAtMs,
        body,
        paymentId: null,
        price,
      }
      keepSale(tabStorage(), sale)
      setState({ kind: 'sent', sale, error: null })
      void follow(sale, false)
    },
    /** Ends the sale on this page; the payment itself goes on. */
    leave() {
      if (state.kind !== 'none') forgetSale(tabStorage(), state.sale)
      setState(NO_SALE)
    },
  }
}

function resumed(reseller: string, product: string): SaleState {
  const sale = storedSales(tabStorage(), reseller).find((each) => each.product === product)
  if (sale === undefined) return NO_SALE
  if (sale.paymentId !== null) return { kind: 'known', sale, paymentId: sale.paymentId }
  return { kind: 'sent', sale, error: null }
}

/** Sends the body, or asks for its payment, and says what is known then. */
async function send(sale: Sale, isRepeated: boolean): Promise<SaleState> {
  const { body } = sale
  if (isRepeated && (body === null || isStale(sale, Date.now()))) return lookUp(sale, null, true)
  try {
    const { data } = await portal.call('portalPay', { body: body as PaymentRequest })
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
  forgetSale(tabStorage(), sale)
  return { kind: 'none', error, isStale: error === null }
}

function known(sale: Sale, paymentId: string): SaleState {
  const kept: Sale = { ...sale, body: null, paymentId }
  keepSale(tabStorage(), kept)
  return { kind: 'known', sale: kept, paymentId }
}
