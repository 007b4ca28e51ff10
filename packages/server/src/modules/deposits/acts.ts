import { Type } from 'typebox'
import type { Vault } from '../../db/vault.ts'
import { input, member, optionalMember } from '../../http/codec.ts'
import { dayOf } from '../../lib/dates.ts'
import { assert } from '../../lib/errors.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { text } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { EXACT, optional } from '../../lib/input/parameters.ts'
import { formatMoney } from '../../lib/money.ts'
import { POSTED_AMOUNT } from '../../lib/posted-amounts.ts'
import { findResellerWithId } from '../accounts/public.sql.ts'
import { getReseller } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import { entryRow, isOwnReference, movementOf, ownReference, postedBefore } from '../wallet/acts.ts'
import type { Posted } from '../wallet/balance/service.ts'
import { deposit, holdWallet } from '../wallet/balance/service.ts'
import { REPORT_RULES, readTransferDay } from './rules.ts'
import {
  acceptRequest,
  creditRequest,
  getRequest,
  refuseRequest,
  reportTransfer,
  withdrawRequest,
  withNames,
} from './service.ts'
import { readSlip, SLIP_TEXT_MAX } from './slips.rules.ts'

/** Text of a file, which `readSlip` looks at. */
const FILE_TEXT: Rule<string> = {
  message: 'must be a file in base64',
  schema: { type: 'string' },
  read: (value) => (typeof value === 'string' ? value : undefined),
}

const ACCOUNT = member(EXACT, { identifies: 'reseller' })
const DEPOSIT_REQUEST = 'deposit request'

/**
 * Reports a transfer with its slip. A report that was made before is answered with that one, and leaves no second line in
 * the log.
 */
export const reportDeposit = act({
  name: 'deposit_request.report',
  input: input({
    account: ACCOUNT,
    amount: member(REPORT_RULES.amount, { description: 'Ringgit, as transferred' }),
    transferredOn: member(REPORT_RULES.transferredOn, { description: 'Day of the transfer, yyyy-MM-dd' }),
    bankReference: member(REPORT_RULES.bankReference, {
      description: 'The bank’s own, as the slip shows it',
    }),
    note: optionalMember(REPORT_RULES.note),
    slip: member(FILE_TEXT, {
      schema: Type.String({
        maxLength: SLIP_TEXT_MAX,
        description:
          'The file in base64, at most 2 MB: PNG, JPEG, WebP or PDF. Its kind is read from its content.',
      }),
    }),
  }),
  async run(
    tx,
    { account, slip, transferredOn, note = '', ...transfer },
    { caller, world }: By<{ readonly vault: Vault; readonly now: () => Date }>,
  ) {
    assert(caller.kind === 'member', 'members report transfers')
    const day = readTransferDay(transferredOn, dayOf(world.now().getTime()))
    const reporter = { ...caller, reseller: await getReseller(tx, account) }
    const reported = { ...transfer, note, transferredOn: day }
    const { request: result, isRepeat } = await reportTransfer(
      tx,
      world.vault,
      reporter,
      reported,
      readSlip(slip),
    )
    if (isRepeat) return { unchanged: result }
    const after = {
      amount: formatMoney(result.amount),
      bank_reference: result.bankReference,
      slip: result.slip.kind,
    }
    return { target: targetOf(`${account}/${result.id}`), before: null, after, result }
  },
})

/** Withdraws a report that nobody has accepted. */
export const withdrawDeposit = act({
  name: 'deposit_request.withdraw',
  input: input({
    account: ACCOUNT,
    id: member(ID, { description: 'The id of a deposit request', identifies: DEPOSIT_REQUEST }),
  }),
  async run(tx, { account, id }) {
    const { id: resellerId } = await getReseller(tx, account)
    const { before, after: result } = await withdrawRequest(tx, id, resellerId)
    const [from, to] = [{ state: before.state }, { state: result.state }]
    return { target: targetOf(`${account}/${id}`), before: from, after: to, result }
  },
})

/** Refuses a report; the reseller sees why. */
export const refuseDeposit = act({
  name: 'deposit_request.refuse',
  input: input({ id: member(ID, { identifies: DEPOSIT_REQUEST }) }),
  async run(tx, { id }, { caller, reason }) {
    assert(caller.kind === 'operator', 'operators decide about reports')
    const { before, after } = await refuseRequest(tx, id, { operatorId: caller.operatorId, reason })
    const [result] = await withNames(tx, [after])
    assert(result !== undefined, 'one request has one name')
    const [from, to] = [{ state: before.state }, { state: after.state }]
    return { target: targetOf(String(id)), before: from, after: to, result }
  },
})

const CREDIT = input({
  id: member(ID, { identifies: DEPOSIT_REQUEST }),
  reference: optionalMember(optional(text(1, 100), null), {
    description: 'Reference of the entry; the bank’s reference when left out. Never posted twice',
  }),
  remarks: optionalMember(optional(text(1, 200), null), {
    description: "Shown in the reseller's statement; the bank's reference when left out",
  }),
  /** Amount that the second person approves. */
  amount: optionalMember(POSTED_AMOUNT),
})

/**
 * Credits a report. One operator asks for it, which accepts the report; the bank's reference is the entry's, so that a
 * deposit that was posted by hand before is not posted again.
 */
export const creditDeposit = act({
  name: 'deposit_request.credit',
  input: CREDIT,
  approval: {
    kind: 'deposit_request',
    target: (_input, { account }) => ({ kind: 'wallet', id: String(account) }),
    write: ({ id }) => ({ deposit_request: String(id) }),
    read: (command) => CREDIT.read({ ...command, id: command.deposit_request }),
    async alongside(tx, { id: approvalId }, { id }, { caller }) {
      assert(caller.kind === 'operator', 'operators decide about reports')
      await acceptRequest(tx, id, { operatorId: caller.operatorId, approvalId })
    },
  },
  async run(tx, { id, amount, ...given }, { consent }: By<unknown>) {
    const request = await getRequest(tx, id, null)
    const { resellerId } = request
    const reseller = await findResellerWithId(tx, resellerId)
    assert(reseller !== undefined, 'resellers are kept')
    const reference = given.reference ?? request.bankReference
    const remarks = given.remarks ?? `Bank transfer ${request.bankReference}`
    if (isOwnReference(reference)) return { refuse: ownReference() }
    if (consent.kind !== 'approved') {
      const shown = { account: reseller.account, amount: formatMoney(request.amount), remarks, reference }
      return { ask: { shown, view: undefined } }
    }
    // The wallet is locked first, as everywhere.
    await holdWallet(tx, resellerId)
    const { posted } = await creditRequest(tx, id, consent.approval.id, async (locked) => {
      assert(locked.amount === amount, 'a request keeps its amount')
      return deposit(tx, { resellerId, amount, remarks, reference })
    })
    if (posted.isRepeat) return { refuse: postedBefore(reference, posted) }
    const done = movementOf(reseller.account, posted, reference)
    return { ...done, after: { deposit_request: String(id), ...done.after }, result: { id, posted } }
  },
})

/** Outcome of the approval of a report. */
export function creditRow({ id, posted }: { readonly id: bigint; readonly posted: Posted }) {
  return { deposit_request: String(id), ...entryRow(posted) }
}

function targetOf(id: string) {
  return { kind: 'deposit_request', id }
}
