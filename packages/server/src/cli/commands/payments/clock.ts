import { readFields } from '../../../lib/input/fields.ts'
import { ADVANCE_SECONDS } from '../../../modules/payments/payment/clock.rules.ts'
import type { TestClocks } from '../../../modules/payments/payment/clock.service.ts'
import { createTestClocks, refuseInProduction } from '../../../modules/payments/payment/clock.service.ts'
import type { Call, Command, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { openReseller } from '../../options.ts'
import { recorded } from '../../record.ts'
import { formatFields } from '../../text.ts'

export const clockCommands: readonly Command[] = [
  {
    name: 'clock show',
    summary: "staging: show how far an account's test clock was moved",
    options: { reseller: RESELLER_OPTION },
    run: (call) => runOnClock(call, (clocks, resellerId) => clocks.find(resellerId)),
  },
  {
    name: 'clock advance',
    summary: "staging: move an account's test clock forward",
    details: `Brings the due times, retries and expiries of the account nearer. Signatures, leases and the
times in the ledger do not move, nor do other accounts.`,
    options: {
      reseller: RESELLER_OPTION,
      seconds: { value: 'NUMBER', help: '1 to 31536000, a year', required: true },
    },
    run(call) {
      const { seconds } = readFields({ seconds: ADVANCE_SECONDS }, { seconds: call.text('seconds') })
      return runOnClock(call, (_clocks, resellerId, account) =>
        recorded(call, { action: 'clock.advance' }, async (tx) => {
          const after = await createTestClocks(tx).advance(resellerId, seconds)
          const shown = (advanced: number) => ({ advanced_seconds: advanced })
          const target = { kind: 'reseller', id: account }
          return { target, before: shown(after - seconds), after: shown(after), result: after }
        }),
      )
    },
  },
]

async function runOnClock(
  call: Call,
  work: (clocks: TestClocks, resellerId: bigint, account: string) => Promise<number>,
): Promise<Output> {
  refuseInProduction(call.config().environment)
  const { accounts, reseller } = await openReseller(call)
  const advancedSeconds = await work(createTestClocks(accounts.database), reseller.id, reseller.account)
  const view = { account: reseller.account, advanced_seconds: advancedSeconds }
  return { json: view, text: formatFields(view) }
}
