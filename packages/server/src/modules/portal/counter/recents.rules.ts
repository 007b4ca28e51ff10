import type { Amount } from '../../../lib/money.ts'

/** Payment, as far as it says what was sold to whom. */
export type Sold = {
  readonly productCode: string
  readonly productName: string
  readonly account: string
  readonly amount: Amount
  readonly billerCode: string | null
  readonly memberId: string
  readonly createdAt: Date
}

export type Recent = Pick<Sold, 'productCode' | 'productName' | 'account' | 'amount'> & {
  readonly at: Date
  readonly isOwn: boolean
}

const RECENTS_MAX = 20

/**
 * Lists what was sold last, each customer and product once, one's own sales first. `sold`: newest first. A bill is left
 * out: its next amount is another one.
 */
export function recentsOf(sold: readonly Sold[], memberId: string): Recent[] {
  const seen = new Map<string, Recent>()
  const own = sold.filter((each) => each.memberId === memberId)
  for (const each of [...own, ...sold]) {
    if (each.billerCode !== null) continue
    const key = JSON.stringify([each.productCode, each.account])
    if (seen.has(key)) continue
    const { productCode, productName, account, amount, createdAt: at } = each
    seen.set(key, { productCode, productName, account, amount, at, isOwn: each.memberId === memberId })
  }
  return [...seen.values()].slice(0, RECENTS_MAX)
}
