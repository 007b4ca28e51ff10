import type { Rule } from '../../lib/fields.ts'
import { readFields, text } from '../../lib/fields.ts'
import { formatMoney, parseMoney } from '../../lib/money.ts'
import { deposit } from '../../modules/wallet/service.ts'
import type { Command } from '../command.ts'
import { RESELLER_OPTION } from '../command.ts'
import { openReseller } from '../means.ts'
import { formatFields } from '../text.ts'
import { entryView } from '../views.ts'

const AMOUNT_MAX = 10_000_000_000_000n

const AMOUNT: Rule<bigint> = {
  words: 'must be a plain decimal of ringgit, greater than 0, at most 1000000000, with up to 4 decimals',
  read(value) {
    const amount = typeof value === 'string' ? parseMoney(value) : undefined
    return amount !== undefined && amount > 0n && amount <= AMOUNT_MAX ? amount : undefined
  },
}

export const walletCommands: readonly Command[] = [
  {
    name: 'deposit',
    summary: "put money received at the bank into a reseller's wallet",
    options: {
      reseller: RESELLER_OPTION,
      amount: { value: 'RINGGIT', help: 'such as 50 or 1250.75', required: true },
      remarks: { value: 'TEXT', help: 'shown in the statement, 1 to 200 characters', required: true },
    },
    async run(call) {
      const { amount, remarks } = readFields(
        { amount: AMOUNT, remarks: text(1, 200) },
        { amount: call.text('amount'), remarks: call.text('remarks') },
      )
      const { accounts, reseller } = await openReseller(call)
      const entry = await accounts.database.transaction((tx) =>
        deposit(tx, { resellerId: reseller.id, amount, remarks }),
      )
      const view = entryView(reseller.account, entry)
      const shown = { ...view, amount: formatMoney(entry.amount), balance: formatMoney(entry.balanceAfter) }
      return { json: view, text: formatFields(shown) }
    },
  },
]
