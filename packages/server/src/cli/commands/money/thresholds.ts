import { formatMoney } from '../../../lib/money.ts'
import { addToThresholds, removeFromThresholds } from '../../../modules/wallet/acts.ts'
import type { OneThreshold } from '../../../modules/wallet/balance/thresholds.service.ts'
import { listThresholds } from '../../../modules/wallet/balance/thresholds.service.ts'
import type { Call, Command, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { openReseller } from '../../options.ts'
import { formatTable } from '../../text.ts'

const OF_ONE_RESELLER = {
  without: ['account'],
  options: { reseller: RESELLER_OPTION },
  input: (call: Call) => ({ account: call.text('reseller') }),
  world: () => undefined,
  show: (thresholds: readonly OneThreshold[], call: Call) => show(call.text('reseller'), thresholds),
} as const

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
  actCommand({
    name: 'threshold add',
    summary: 'add a balance under which an account is mailed',
    details: 'The API reads and writes the highest; the others stand below it.',
    act: addToThresholds,
    ...OF_ONE_RESELLER,
  }),
  actCommand({
    name: 'threshold remove',
    summary: 'remove a balance under which an account gets a mail',
    act: removeFromThresholds,
    ...OF_ONE_RESELLER,
  }),
]

function show(account: string, thresholds: readonly OneThreshold[]): Output {
  const views = thresholds.map(({ amount, at }) => ({
    amount: formatMoney(amount),
    set_at: at.toISOString(),
  }))
  return { json: { account, thresholds: views }, text: formatTable(views, 'No threshold is set.') }
}
