import { advanceTestClock } from '../../../modules/payments/core/clock.acts.ts'
import { createTestClocks, refuseInProduction } from '../../../modules/payments/core/clock.service.ts'
import type { Command, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { openReseller } from '../../options.ts'
import { formatFields } from '../../text.ts'

export const clockCommands: readonly Command[] = [
  {
    name: 'clock show',
    summary: "staging: show how far an account's test clock was moved",
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      refuseInProduction(call.config().environment)
      const { accounts, reseller } = await openReseller(call)
      return show(reseller.account, await createTestClocks(accounts.database).find(reseller.id))
    },
  },
  actCommand({
    name: 'clock advance',
    summary: "staging: move an account's test clock forward",
    details: `Brings the due times, retries and expiries of the account nearer. Signatures, leases and the
times in the ledger do not move, nor do other accounts.`,
    act: advanceTestClock,
    options: { reseller: RESELLER_OPTION },
    input(call) {
      refuseInProduction(call.config().environment)
      return {}
    },
    world: () => undefined,
    show: ({ account, advancedSeconds }) => show(account, advancedSeconds),
  }),
]

function show(account: string, advancedSeconds: number): Output {
  const view = { account, advanced_seconds: advancedSeconds }
  return { json: view, text: formatFields(view) }
}
