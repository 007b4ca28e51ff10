import type { Tx } from '../../../db/database.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { REMARKS } from '../../../lib/input/records.ts'
import { formatMoney } from '../../../lib/money.ts'
import { POSTED_AMOUNT, SIGNED_AMOUNT } from '../../../lib/posted-amounts.ts'
import { appendAudit, createAuditLog } from '../../../modules/audit/service.ts'
import type { Posted, Posting } from '../../../modules/wallet/balance/service.ts'
import { adjust, commission, deposit, findPostingUnderLock } from '../../../modules/wallet/balance/service.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { chooseReference, EXIT_CODES, postedOutput, postOnce, REFERENCE_OPTION } from '../../money.ts'
import { openReseller } from '../../options.ts'
import { commandCaller } from '../../record.ts'
import { formatFields } from '../../text.ts'
import { entryView } from '../../views.ts'

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
    run: (call) => runPosting(call, 'deposit.post', POSTED_AMOUNT, deposit),
  },
  {
    name: 'adjust',
    summary: 'correct a wallet in either direction; never below zero',
    details: EXIT_CODES,
    options: {
      ...POSTING_OPTIONS,
      amount: { value: 'RINGGIT', help: 'such as 12.50, or --amount=-12.50 to take away', required: true },
    },
    run: (call) => runPosting(call, 'adjustment.post', SIGNED_AMOUNT, adjust),
  },
  {
    name: 'commission',
    summary: "pay a commission into a reseller's wallet",
    details: EXIT_CODES,
    options: POSTING_OPTIONS,
    run: (call) => runPosting(call, 'commission.post', POSTED_AMOUNT, commission),
  },
]

async function runPosting(
  call: Call,
  action: string,
  amountRule: Rule<bigint>,
  post: (tx: Tx, posting: Posting) => Promise<Posted>,
): Promise<Output> {
  const reference = chooseReference(call)
  const given = { amount: call.text('amount'), remarks: call.text('remarks') }
  const posting = { ...readFields({ amount: amountRule, remarks: REMARKS }, given), reference }
  const { reseller } = await openReseller(call)
  const { database: own, vault } = await call.runtime()
  const log = createAuditLog({ database: own, vault })
  // The key is opened before the transaction: the very first command makes it, in a transaction of its own.
  await log.key()
  const entry = await postOnce(
    call,
    reference,
    (database) =>
      database.transaction(async (tx) => {
        const posted = await post(tx, { resellerId: reseller.id, ...posting })
        const act = { caller: commandCaller(), action, reason: posting.remarks }
        if (!posted.isRepeat) await appendAudit(tx, log, act, changeOf(reseller.account, reference, posted))
        return posted
      }),
    async (tx) => (await findPostingUnderLock(tx, reseller.id, reference)) !== undefined,
  )
  const view = entryView(reseller.account, entry)
  const shown = { ...view, amount: formatMoney(entry.amount), balance: formatMoney(entry.balanceAfter) }
  return postedOutput({ json: view, text: formatFields(shown) }, reference, entry.isRepeat)
}

function changeOf(account: string, reference: string, { sequence, amount, balanceAfter }: Posted) {
  return {
    target: { kind: 'wallet', id: account },
    before: { balance: formatMoney(balanceAfter - amount) },
    after: {
      entry: String(sequence),
      amount: formatMoney(amount),
      balance: formatMoney(balanceAfter),
      reference,
    },
  }
}
