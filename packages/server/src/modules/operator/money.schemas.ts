import { Type } from 'typebox'
import { bodyOf, dataOf, Instant, orNull, Reason } from './desk.schemas.ts'

const posting = (amount: string) => ({
  account: Type.String({ description: "The reseller's account number" }),
  amount: Type.String({ description: amount, examples: ['1250.75'] }),
  remarks: Type.String({ description: "Shown in the reseller's statement; 1 to 200 characters" }),
  reference: Type.Optional(
    Type.String({ description: 'Such as the bank’s; the same one is never posted twice for a reseller' }),
  ),
  reason: Reason,
})

export const DepositBody = bodyOf('Deposit', posting('Ringgit, greater than 0, up to 4 decimals'))
export const AdjustmentBody = bodyOf(
  'Adjustment',
  posting('Ringgit, with a minus to take away, up to 4 decimals'),
)

export const WalletParameters = Type.Object({ account: Type.String() })

export const WalletResponse = dataOf(
  Type.Object(
    {
      account: Type.String(),
      name: Type.String(),
      balance: Type.String({ description: 'Ringgit' }),
      entry_count: Type.String(),
      last_entry_at: orNull(Instant),
    },
    { title: 'Wallet' },
  ),
)
