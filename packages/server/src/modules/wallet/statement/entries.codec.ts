import type { TString } from 'typebox'
import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../../http/schemas.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { WalletEntry } from './listing.service.ts'

const idOf = ({ paymentId }: WalletEntry) => (paymentId === null ? null : String(paymentId))

type Words = {
  readonly amount: TString
  readonly balance: TString
  readonly refid: string
}

/** Entry of a wallet for one API, which describes money and the reference in its own words. */
export function walletEntry(title: string, { amount, balance, refid }: Words) {
  return resource<WalletEntry>()(title, {
    number: [
      Type.String({ description: "The entry's number in the wallet, without gaps" }),
      ({ sequence }) => String(sequence),
    ],
    kind: [enumOf(['deposit', 'adjustment', 'payment', 'refund', 'commission']), ({ kind }) => kind],
    amount: [amount, (entry) => formatMoney(entry.amount)],
    balance: [balance, ({ balanceAfter }) => formatMoney(balanceAfter)],
    payment_id: [orNull(Type.String()), idOf],
    refid: [orNull(Type.String(), refid), (entry) => entry.refid],
    trxid: [orNull(Type.String(), 'The same as `payment_id`, under the name of the signed API'), idOf],
    remarks: [Type.String(), ({ remarks }) => remarks],
    created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
  })
}
