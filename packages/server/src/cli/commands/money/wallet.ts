import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import { performAlone } from '../../../modules/acts/service.ts'
import { createAuditLog } from '../../../modules/audit/service.ts'
import { postAdjustment, postCommission, postDeposit } from '../../../modules/wallet/acts.ts'
import { findPostingUnderLock } from '../../../modules/wallet/balance/service.ts'
import type { Entry } from '../../../modules/wallet/balance/types.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { chooseReference, EXIT_CODES, postedOutput, postOnce, REFERENCE_OPTION } from '../../money.ts'
import { openReseller } from '../../options.ts'
import { commandCaller } from '../../record.ts'
import { formatFields } from '../../text.ts'

const POSTING_OPTIONS: Readonly<Record<string, Option>> = {
  reseller: RESELLER_OPTION,
  amount: { value: 'RINGGIT', help: 'such as 50 or 1250.75', required: true },
  remarks: { value: 'TEXT', help: 'shown in the statement, 1 to 200 characters', required: true },
  reference: REFERENCE_OPTION,
}

export const walletCommands: readonly Command[] = [
  {
    name: 'deposit',
    summary: "put money received at the bank into a reseller's wallet",
    details: EXIT_CODES,
    options: POSTING_OPTIONS,
    run: (call) => runPosting(call, postDeposit),
  },
  {
    name: 'adjust',
    summary: 'correct a wallet in either direction; never below zero',
    details: EXIT_CODES,
    options: {
      ...POSTING_OPTIONS,
      amount: { value: 'RINGGIT', help: 'such as 12.50, or --amount=-12.50 to take away', required: true },
    },
    run: (call) => runPosting(call, postAdjustment),
  },
  {
    name: 'commission',
    summary: "pay a commission into a reseller's wallet",
    details: EXIT_CODES,
    options: POSTING_OPTIONS,
    run: (call) => runPosting(call, postCommission),
  },
]

async function runPosting(
  call: Call,
  act: typeof postDeposit | typeof postAdjustment | typeof postCommission,
): Promise<Output> {
  const reference = chooseReference(call)
  const [amount, remarks] = [call.text('amount'), call.text('remarks')]
  act.input.read({ account: call.text('reseller'), amount, remarks })
  const { reseller } = await openReseller(call)
  const { database: own, vault } = await call.runtime()
  const log = createAuditLog({ database: own, vault })
  // The key is opened before the transaction: the very first command makes it, in a transaction of its own.
  await log.key()
  const entry = await postOnce(
    call,
    reference,
    (database) =>
      performAlone({ log: { ...log, database }, world: undefined }, act, {
        caller: commandCaller(),
        input: { account: reseller.account, amount, remarks, reference },
        reason: remarks,
        consent: { kind: 'accepted', loss: undefined },
      }),
    async (tx) => (await findPostingUnderLock(tx, reseller.id, reference)) !== undefined,
  )
  const view = postedView(reseller.account, entry)
  const shown = { ...view, amount: formatMoney(entry.amount), balance: formatMoney(entry.balanceAfter) }
  return postedOutput({ json: view, text: formatFields(shown) }, reference, entry.isRepeat)
}

/** Shows an entry that was posted; its fields have the names of the API. */
function postedView(account: string, entry: Entry) {
  return {
    account,
    sequence: Number(entry.sequence),
    kind: entry.kind,
    amount: moneyToNumber(entry.amount),
    balance: moneyToNumber(entry.balanceAfter),
    remarks: entry.remarks,
    created_at: entry.createdAt.toISOString(),
  }
}
