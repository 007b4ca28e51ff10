import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { Account, bodyOf, dataOf, Instant, listOf, PAGE_PARAMETERS, Reason } from '../console/schemas.ts'
import type { PostingKind } from './money.rules.ts'
import { ENTRY_DAYS_MAX, ENTRY_RULES, POSTING_RULES } from './money.rules.ts'

const posting = (kind: PostingKind, amount: string) => ({
  account: Account,
  amount: documentedAs(
    POSTING_RULES[kind].amount,
    Type.String({ description: amount, examples: ['1250.75'] }),
  ),
  remarks: documentedAs(
    POSTING_RULES[kind].remarks,
    Type.String({ description: "Shown in the reseller's statement" }),
  ),
  reference: Type.Optional(
    documentedAs(
      POSTING_RULES[kind].reference,
      Type.String({ description: 'Such as the bank’s; the same one is never posted twice for a reseller' }),
    ),
  ),
  reason: Reason,
})

export const DepositBody = bodyOf(
  'Deposit request',
  posting('deposit', 'Ringgit, greater than 0, up to 4 decimals'),
)
export const AdjustmentBody = bodyOf(
  'Adjustment',
  posting('adjustment', 'Ringgit, with a minus to take away, up to 4 decimals'),
)

export const WalletParameters = Type.Object({ account: Account })

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

export const EntryListParameters = Type.Object({
  type: parameter(ENTRY_RULES.type, 'Left out: all'),
  days: parameter(
    ENTRY_RULES.days,
    `A day yyyy-MM-dd (GMT+8) or a range yyyy-MM-dd - yyyy-MM-dd of at most ${ENTRY_DAYS_MAX} days; the last 31 when left out`,
  ),
  ...PAGE_PARAMETERS,
})

export const EntryListResponse = listOf(
  Type.Object(
    {
      number: Type.String({ description: "The entry's number in the wallet, without gaps" }),
      kind: enumOf(['deposit', 'adjustment', 'payment', 'refund', 'commission']),
      amount: Type.String({ description: 'Ringgit' }),
      balance: Type.String({ description: 'Ringgit, after it' }),
      payment_id: orNull(Type.String()),
      refid: orNull(Type.String(), 'The reseller’s reference of the payment; null: the entry has none'),
      trxid: orNull(Type.String(), 'The same as `payment_id`, under the name of the signed API'),
      remarks: Type.String(),
      created_at: Instant,
    },
    { title: 'Wallet entry' },
  ),
)
