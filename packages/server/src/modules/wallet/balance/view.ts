import type { Amount } from '../../../lib/money.ts'
import { moneyToNumber } from '../../../lib/money.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'

export function balanceView(reseller: DirectoryReseller, balance: Amount) {
  return {
    data: {
      account: reseller.account,
      name: reseller.name,
      balance: moneyToNumber(balance),
      level: reseller.priceLevel,
      access: reseller.access,
    },
  }
}
