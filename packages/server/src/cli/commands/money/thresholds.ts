import { formatMoney } from '../../../lib/money.ts'
import type { OneThreshold, ThresholdAction } from '../../../modules/wallet/balance/thresholds.service.ts'
import { changeThresholds, listThresholds } from '../../../modules/wallet/balance/thresholds.service.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { openReseller } from '../../options.ts'
import { recorded } from '../../record.ts'
import { formatTable } from '../../text.ts'

const AMOUNT: Option = { value: 'RINGGIT', help: 'at least 1, such as 500 or 99.90', required: true }

export const thresholdCommands: readonly Command[] = [
  {
    name: 'threshold list',
    summary: 'list the balances under which an account is mailed, highest first',
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const { database } = await call.runtime()
      const { reseller } = await openReseller(call)
      return show(reseller.account, await listThresholds(database, reseller.id))
    },
  },
  {
    name: 'threshold add',
    summary: 'add a balance under which an account is mailed',
    details: 'The API reads and writes the highest; the others stand below it.',
    options: { reseller: RESELLER_OPTION, amount: AMOUNT },
    run: (call) => change(call, 'threshold.add'),
  },
  {
    name: 'threshold remove',
    summary: 'remove a balance under which an account gets a mail',
    options: { reseller: RESELLER_OPTION, amount: AMOUNT },
    run: (call) => change(call, 'threshold.remove'),
  },
]

async function change(call: Call, action: ThresholdAction): Promise<Output> {
  const { reseller } = await openReseller(call)
  const thresholds = await recorded(call, { action }, (tx, database) =>
    changeThresholds(tx, database, reseller, action, call.text('amount')),
  )
  return show(reseller.account, thresholds)
}

function show(account: string, thresholds: readonly OneThreshold[]): Output {
  const views = thresholds.map(({ amount, at }) => ({
    amount: formatMoney(amount),
    set_at: at.toISOString(),
  }))
  return { json: { account, thresholds: views }, text: formatTable(views, 'No threshold is set.') }
}
