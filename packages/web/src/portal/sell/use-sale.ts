import { useCallback, useEffect, useRef, useState } from 'react'
import type { PaymentRequest } from '../../api/portal.generated.ts'
import { useMember } from '../session.ts'
import type { Sale } from './sale.ts'
import { forgetSale, keepSale, storedSales, tabStorage } from './sale.ts'
import type { SaleState } from './send-sale.ts'
import { followSale } from './send-sale.ts'

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
  const follow = useCallback(
    (sale: Sale, isResumed: boolean) =>
      followSale(sale, isResumed, {
        isGone: () => isGone.current,
        onState(next) {
          storeState(sale, next)
          if (!isGone.current) setState(next)
        },
      }),
    [],
  )
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

/** Keeps what is known of a sale, and forgets one that is known not to be a payment. */
export function storeState(sale: Sale, state: SaleState): void {
  if (state.kind === 'known') keepSale(tabStorage(), state.sale)
  if (state.kind === 'none') forgetSale(tabStorage(), sale)
}
