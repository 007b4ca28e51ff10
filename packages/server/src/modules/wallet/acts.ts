import { Type } from 'typebox'
import type { Database, Tx } from '../../db/database.ts'
import type { Infer } from '../../http/codec.ts'
import { input, member, optionalMember } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { EXACT, optional } from '../../lib/input/parameters.ts'
import { REFERENCE, REMARKS } from '../../lib/input/records.ts'
import type { Amount } from '../../lib/money.ts'
import { formatMoney, MONEY } from '../../lib/money.ts'
import { POSTED_AMOUNT, SIGNED_AMOUNT } from '../../lib/posted-amounts.ts'
import { ACCOUNT_FIELDS } from '../accounts/fields.service.ts'
import { findReseller } from '../accounts/public.sql.ts'
import { getReseller, resellerNotFound } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import type { ApprovalForm, By } from '../acts/types.ts'
import type { Done } from '../audit/types.ts'
import type { Posted, Posting } from './balance/service.ts'
import { adjust, commission, deposit } from './balance/service.ts'
import { THRESHOLD } from './balance/thresholds.rules.ts'
import type { OneThreshold } from './balance/thresholds.service.ts'
import { addThreshold, listThresholds, removeThreshold } from './balance/thresholds.service.ts'
import { lockThresholds } from './balance/thresholds.sql.ts'

const ACCOUNT = member(EXACT, {
  schema: documentedAs(ACCOUNT_FIELDS.account, Type.String({ description: "The reseller's account number" })),
})

// ── Postings: a posting with a reference is made once, whoever asks for it ──

function postingInput(amount: Rule<Amount>, description: string) {
  return input({
    account: ACCOUNT,
    amount: member(amount, {
      schema: documentedAs(amount, Type.String({ description, examples: ['1250.75'] })),
    }),
    remarks: member(REMARKS, { description: "Shown in the reseller's statement" }),
    reference: optionalMember(optional(REFERENCE, null), {
      description: 'Such as the bank’s; the same one is never posted twice for a reseller',
    }),
  })
}

const PLUS = postingInput(POSTED_AMOUNT, 'Ringgit, greater than 0, up to 4 decimals')
const SIGNED = postingInput(SIGNED_AMOUNT, 'Ringgit, with a minus to take away, up to 4 decimals')

type PostingInput = Infer<typeof PLUS>

/** Money received at the bank. */
export const postDeposit = act({
  name: 'deposit.post',
  input: PLUS,
  approval: approvalOf('deposit', PLUS.read),
  run: postedBy(deposit),
})

/** Correction in either direction. */
export const postAdjustment = act({
  name: 'adjustment.post',
  input: SIGNED,
  approval: approvalOf('adjustment', SIGNED.read),
  run: postedBy(adjust),
})

/** Earnings beyond the reseller's prices. Nobody asks for one in the back office. */
export const postCommission = act({ name: 'commission.post', input: PLUS, run: postedBy(commission) })

function approvalOf(
  kind: 'deposit' | 'adjustment',
  read: (values: Readonly<Record<string, unknown>>) => PostingInput,
): ApprovalForm<unknown, PostingInput> {
  return {
    kind,
    target: ({ account }) => ({ kind: 'wallet', id: account }),
    write: ({ account, amount, remarks, reference = null }) => ({
      account,
      amount: formatMoney(amount),
      remarks,
      reference,
    }),
    read: (command) => read({ ...command, reference: command.reference ?? undefined }),
    isRepeatable: ({ reference = null }) => reference === null,
  }
}

/**
 * Posts with the consent of a second person, or of a person at the machine. A posting that was approved without a
 * reference gets one from the number of its approval, so that it is made once.
 */
function postedBy(post: (tx: Tx, posting: Posting) => Promise<Posted>) {
  return async (
    tx: Tx,
    { account, amount, remarks, reference: given }: PostingInput,
    { consent }: By<unknown>,
  ) => {
    if (given?.startsWith(OWN_REFERENCES)) return { refuse: ownReference() }
    const reseller = await findReseller(tx, account)
    if (reseller === undefined) {
      return { refuse: invalidFields({ account: [(await resellerNotFound(tx, account)).publicText] }) }
    }
    if (consent.kind === 'alone') return { ask: { shown: {}, view: undefined } }
    const reference =
      given ?? (consent.kind === 'approved' ? `${OWN_REFERENCES}${consent.approval.id}` : undefined)
    const result = await post(tx, { resellerId: reseller.id, amount, remarks, reference })
    if (!result.isRepeat) return { ...movementOf(account, result, reference), result }
    // An approval that moves nothing is not given; at the machine the entry is shown again.
    return consent.kind === 'approved'
      ? { refuse: postedBefore(reference ?? '', result) }
      : { unchanged: result }
  }
}

/** Target and states of a posting, for the audit log. */
export function movementOf(account: string, posted: Posted, reference: string | undefined) {
  return {
    target: { kind: 'wallet', id: account },
    before: { balance: formatMoney(posted.balanceAfter - posted.amount) },
    after: { ...entryRow(posted), reference },
  }
}

/** Entry of a posting, as the outcome of its approval shows it. */
export function entryRow({ sequence, amount, balanceAfter }: Posted) {
  return { entry: String(sequence), amount: formatMoney(amount), balance: formatMoney(balanceAfter) }
}

/**
 * Prefix of the references that the service itself gives. Nobody else may use it: such a reference would block the
 * posting of an approval.
 */
const OWN_REFERENCES = 'approval-'

export function isOwnReference(reference: string): boolean {
  return reference.startsWith(OWN_REFERENCES)
}

export function ownReference(): RequestError {
  return invalidFields({ reference: [`must not begin with ${OWN_REFERENCES}, as those of approvals do`] })
}

/**
 * Refuses a posting that was made before under the same reference with the same content: approving it would move
 * nothing.
 */
export function postedBefore(reference: string, { amount, sequence }: Posted): RequestError {
  return new RequestError({
    status: 409,
    code: 'posted_before',
    publicText: `${formatMoney(amount)} with the reference ${reference} is entry ${sequence} already. Nothing was moved.`,
    fields: { reference: ['belongs to an entry that was posted before'] },
  })
}

// ── Thresholds: each has its own event when the balance falls below it ──

const THRESHOLD_INPUT = input({
  account: ACCOUNT,
  amount: member(
    { ...THRESHOLD, schema: MONEY.schema },
    {
      description: 'At least 1, in MYR',
      option: { value: 'RINGGIT', help: 'at least 1, such as 500 or 99.90' },
    },
  ),
})

export const addToThresholds = act({
  name: 'threshold.add',
  input: THRESHOLD_INPUT,
  run: changedBy(addThreshold),
})

export const removeFromThresholds = act({
  name: 'threshold.remove',
  input: THRESHOLD_INPUT,
  run: changedBy(removeThreshold),
})

function changedBy(
  change: (database: Database, resellerId: bigint, amount: Amount) => Promise<OneThreshold[]>,
) {
  return async (
    tx: Tx,
    { account, amount }: Infer<typeof THRESHOLD_INPUT>,
    { database }: By<unknown>,
  ): Promise<Done<OneThreshold[]>> => {
    const { id } = await getReseller(tx, account)
    await lockThresholds(tx, id)
    const before = amountsOf(await listThresholds(database, id))
    const result = await change(database, id, amount)
    return { target: { kind: 'thresholds', id: account }, before, after: amountsOf(result), result }
  }
}

function amountsOf(thresholds: readonly OneThreshold[]): string[] {
  return thresholds.map(({ amount }) => formatMoney(amount))
}
