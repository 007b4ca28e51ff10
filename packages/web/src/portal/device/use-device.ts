import { useEffect, useMemo, useState } from 'react'
import { usePortal } from '../../api/portal.ts'
import { forgetDraft } from '../catalog/forget-draft.ts'
import { forgetBasket } from '../sell/basket/forget-basket.ts'
import { forgetSales, keepSale, tabStorage } from '../sell/sale.ts'
import { adoptSales, forgetSharedSales } from '../sell/shared-sales.ts'
import type { Member } from '../session.ts'
import type { Person } from './known.ts'
import { deviceStorage, forgetKnown, remember, rememberPerson } from './known.ts'
import { keepLoaded } from './worker.ts'

/** Forgets what this browser keeps of the person who leaves it. */
export function forgetPerson(): void {
  forgetKnown(deviceStorage())
  forgetDraft(tabStorage())
  forgetBasket(tabStorage())
  forgetSales(tabStorage())
  forgetSharedSales()
}

/** Sales of tabs that crashed or were closed belong to this one before any page looks for them. */
const adopted = adoptSales((sale: Parameters<typeof keepSale>[1]) => keepSale(tabStorage(), sale))

/** True once the sales of former tabs are found. */
export function useAdoptedSales(): boolean {
  const [isReady, setReady] = useState(false)
  useEffect(() => void adopted.then(() => setReady(true)), [])
  return isReady
}

function takeOver(person: Person, shop: string): void {
  if (!rememberPerson(deviceStorage(), person, shop, Date.now())) return
  forgetPerson()
  rememberPerson(deviceStorage(), person, shop, Date.now())
}

/** Remembers for the time without a connection what the pages read for this person. */
export function useKnown({ username, role, reseller }: Member): void {
  const { data: balance, dataUpdatedAt } = usePortal('portalGetBalance', {}, { isEnabled: false })
  const { data: numbers } = usePortal('portalListNumbers', {}, { isEnabled: false })
  const { account, name } = reseller
  // While it is drawn and not after: no page below may find what the person before has left.
  useMemo(() => takeOver({ account, name: username, role }, name), [account, username, role, name])
  useEffect(keepLoaded, [])
  useEffect(() => {
    if (balance === undefined) return
    const { balance: amount, currency } = balance.data
    remember(deviceStorage(), { balance: { amount, currency, atMs: dataUpdatedAt } }, Date.now())
  }, [balance, dataUpdatedAt])
  useEffect(() => {
    if (numbers === undefined) return
    const recents = numbers.data.recents
      .filter((each) => each.is_own)
      .map(({ product_name: product, number, amount, at }) => ({
        product,
        number,
        amount,
        atMs: Date.parse(at),
      }))
    remember(deviceStorage(), { recents }, Date.now())
  }, [numbers])
}
