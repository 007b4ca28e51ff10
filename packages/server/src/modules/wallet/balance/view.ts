import type { Amount } from '../../../lib/money.ts'
import { moneyToNumber } from '../../../lib/money.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'

/** The access of an account that pays nothing; a suspended account is told the same. */
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
