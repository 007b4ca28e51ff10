import type { Amount } from '../../../lib/money.ts'
import { moneyToNumber } from '../../../lib/money.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'

/** Access code of an account that cannot pay. A suspended account gets the same code. */
const READ_ONLY = 50

export function balanceView(reseller: DirectoryReseller, balance: Amount) {
  return {
    data: {
      account: reseller.account,
      name: reseller.name,
      balance: moneyToNumber(balance),
      level: reseller.priceLevel,
      access: reseller.status === 'active' ? reseller.access : READ_ONLY,
    },
  }
}
