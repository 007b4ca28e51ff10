import type { Database, Tx } from '../../../db/database.ts'
import { dayOf } from '../../../lib/dates.ts'
import { assert, invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { formatMoney } from '../../../lib/money.ts'
import { findReseller } from '../../accounts/public.sql.ts'
import { getReseller, resellerNotFound } from '../../accounts/service.ts'
import type { Approval, Approvals, Executor } from '../../approvals/types.ts'
import { createRefidLookup } from '../../payments/read/references.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { BalanceAsOf, Posted, Posting } from '../../wallet/balance/service.ts'
import { adjust, balanceAsOf, deposit } from '../../wallet/balance/service.ts'
import type { WalletEntry } from '../../wallet/statement/listing.service.ts'
import { createWalletListing } from '../../wallet/statement/listing.service.ts'
import type { Page } from '../console/pages.rules.ts'
import { isPlain, unknown } from '../console/pages.rules.ts'
import type { EntryQuery, PostingKind } from './money.rules.ts'
import { POSTING_RULES, postedBefore, readEntryQuery } from './money.rules.ts'

export type PostingInput = {
  readonly account: string
  readonly amount: string
  /** Shown in the reseller's statement. */
  readonly remarks: string
  readonly reference?: string | undefined
}

/**
 * Prefix of the references that the service itself gives. An operator may not use it: such a reference would block the
 * posting of an approval.
 */
export const OWN_REFERENCES = 'approval-'

/** Requests a posting. No money moves until another operator approves it. */
export async function requestPosting(
  { database, approvals }: { readonly database: Database; readonly approvals: Approvals },
  caller: OperatorCaller,
  kind: PostingKind,
  input: PostingInput,
  reason: unknown,
): Promise<Approval> {
  const { amount, remarks, reference } = readFields(POSTING_RULES[kind], input)
  if (reference?.startsWith(OWN_REFERENCES)) {
    throw invalidFields({ reference: [`must not begin with ${OWN_REFERENCES}, as those of approvals do`] })
  }
  const reseller = isPlain(input.account) ? await findReseller(database, input.account) : undefined
  if (reseller === undefined) {
    throw invalidFields({ account: [(await resellerNotFound(database, input.account)).publicText] })
  }
  return approvals.request(caller, {
    kind,
    target: { kind: 'wallet', id: reseller.account },
    command: { account: reseller.account, amount: formatMoney(amount), remarks, reference },
    reason,
    // A posting with a reference is made once, however many requests for it are approved.
    isRepeatable: reference === null,
  })
}

/**
 * Makes the executor. A posting without a reference gets one from the number of its approval, so that it is made once.
 */
function executorOf(kind: PostingKind, post: (tx: Tx, posting: Posting) => Promise<Posted>): Executor {
  return async (tx, _database, { id, command }) => {
    const { account } = command
    assert(typeof account === 'string', 'a posting names its account')
    const { amount, remarks, reference } = readFields(POSTING_RULES[kind], {
      ...command,
      reference: command.reference ?? `${OWN_REFERENCES}${id}`,
    })
    assert(reference !== null, 'every posting has a reference')
    const { id: resellerId } = await getReseller(tx, account)
    const entry = await post(tx, { resellerId, amount, remarks, reference })
    if (entry.isRepeat) throw postedBefore(reference, amount, entry.sequence)
    const after = {
      entry: String(entry.sequence),
      amount: formatMoney(amount),
      balance: formatMoney(entry.balanceAfter),
    }
    return {
      target: { kind: 'wallet', id: account },
      before: { balance: formatMoney(entry.balanceAfter - amount) },
      after,
      result: after,
    }
  }
}

export const postingExecutors: Readonly<Record<PostingKind, Executor>> = {
  deposit: executorOf('deposit', deposit),
  adjustment: executorOf('adjustment', adjust),
}

export type WalletNow = BalanceAsOf & { readonly account: string; readonly name: string }

const MICROS_PER_MS = 1_000n

export async function getWallet(database: Database, account: string, nowMs: number): Promise<WalletNow> {
  if (!isPlain(account)) throw unknown('reseller')
  const { id, name } = await getReseller(database, account)
  // The time is a minute ahead: entries are dated by the database's clock, which may be ahead of this one.
  const untilMicros = BigInt(Math.ceil(nowMs) + 60_000) * MICROS_PER_MS
  return { account, name, ...(await balanceAsOf(database, id, untilMicros)) }
}

/** Lists the newest first, with the numbers that the statement shows. */
export async function listWalletEntries(
  database: Database,
  account: string,
  query: EntryQuery,
  nowMs: number,
): Promise<Page<WalletEntry>> {
  if (!isPlain(account)) throw unknown('reseller')
  const { id } = await getReseller(database, account)
  const { filter, page } = readEntryQuery(query, dayOf(nowMs))
  const { entries, hasMore } = await createWalletListing(database, createRefidLookup(database)).list(
    id,
    filter,
    page,
  )
  const last = entries.at(-1)
  return { items: entries, cursor: hasMore && last !== undefined ? String(last.sequence) : null }
}
