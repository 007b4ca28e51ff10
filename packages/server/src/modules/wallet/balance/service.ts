import type { Queryable, Tx } from '../../../db/database.ts'
import { isLockTimeout } from '../../../db/database.ts'
import { assert, RequestError } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { NewEntry } from './sql.ts'
import {
  findEntryAsOf,
  findEntryByReference,
  insertEntry,
  listFreeWallets,
  lockWallet,
  readDividingMoment,
} from './sql.ts'
import type { Entry, HouseAccount, TransferKind } from './types.ts'

export type Posting = {
  readonly resellerId: bigint
  readonly amount: Amount
  readonly remarks: string
  /** Caller's name for this entry, 1 to 100 characters. Posting with the same reference again moves nothing. */
  readonly reference?: string | undefined
}

/** Entry of a posting. `isRepeat`: the reference existed with the same content, and this is the entry of that time. */
export type Posted = Entry & { readonly isRepeat: boolean }

/** Posts money received at the bank for this reseller. The amount is greater than zero. */
export async function deposit(tx: Tx, posting: Posting): Promise<Posted> {
  assert(posting.amount > 0n, 'a deposit is greater than zero')
  return post(tx, 'deposit', 'bank', posting)
}

/** Posts what the reseller earned beyond its prices. The amount is greater than zero. */
export async function commission(tx: Tx, posting: Posting): Promise<Posted> {
  assert(posting.amount > 0n, 'a commission is greater than zero')
  return post(tx, 'commission', 'commissions', posting)
}

/** Posts a correction in either direction. One that would take the wallet below zero is refused. */
export async function adjust(tx: Tx, posting: Posting): Promise<Posted> {
  assert(posting.amount !== 0n, 'an adjustment moves something')
  return post(tx, 'adjustment', 'adjustments', posting)
}

async function post(
  tx: Tx,
  kind: TransferKind,
  houseAccount: HouseAccount,
  { resellerId, amount, remarks, reference }: Posting,
): Promise<Posted> {
  const wallet = await hold(tx, resellerId)
  if (reference !== undefined) {
    // The wallet's lock is held: an earlier posting with this reference has committed, or never will.
    const earlier = await findEntryByReference(tx, resellerId, reference)
    if (earlier !== undefined) return repeated(earlier, { kind, amount, remarks, reference })
  }
  const balanceAfter = wallet.balance + amount
  if (balanceAfter < 0n) throw insufficient(wallet.balance, amount)
  const entry: NewEntry = {
    resellerId,
    sequence: wallet.sequence + 1n,
    kind,
    houseAccount,
    amount,
    balanceAfter,
    remarks,
    reference,
  }
  return { ...(await insertEntry(tx, entry)), isRepeat: false }
}

/**
 * Finds the entry with this reference. It waits for the wallet's lock, which a posting in progress holds: an entry that
 * is not found now will never come.
 */
export async function findPostingUnderLock(
  tx: Tx,
  resellerId: bigint,
  reference: string,
): Promise<Entry | undefined> {
  await lockWallet(tx, resellerId)
  return findEntryByReference(tx, resellerId, reference)
}

function repeated(
  earlier: Entry,
  asked: Pick<Entry, 'kind' | 'amount' | 'remarks'> & { reference: string },
): Posted {
  const { kind, amount, remarks } = earlier
  if (kind === asked.kind && amount === asked.amount && remarks === asked.remarks) {
    return { ...earlier, isRepeat: true }
  }
  const text =
    `The reference ${asked.reference} belongs to entry ${earlier.sequence}, ` +
    `${kind} of ${formatMoney(amount)} with the remarks "${remarks}". Nothing was moved.`
  throw new RequestError({
    status: 409,
    code: 'reference_taken',
    publicText: text,
    fields: { reference: ['belongs to an entry with other content'] },
  })
}

function insufficient(balance: Amount, amount: Amount): RequestError {
  return new RequestError({
    status: 409,
    code: 'insufficient_balance',
    publicText:
      `The wallet holds ${formatMoney(balance)}: ${formatMoney(amount)} would take it below zero. ` +
      'Nothing was moved.',
    fields: { amount: [`the wallet holds ${formatMoney(balance)}`] },
  })
}

export type BalanceAsOf = {
  readonly balance: Amount
  /** Sequence of the last entry at or before the instant; 0 when there was none yet. */
  readonly sequence: bigint
  /** Time of that entry, in microseconds since 1970. */
  readonly atMicros: bigint | undefined
}

/**
 * Returns the wallet's balance at an instant. An instant within the time of a commit may still get an entry, because
 * entries are dated before they are committed.
 */
export async function balanceAsOf(
  connection: Queryable,
  resellerId: bigint,
  instantMicros: bigint,
): Promise<BalanceAsOf> {
  return (
    (await findEntryAsOf(connection, resellerId, instantMicros)) ?? {
      balance: 0n,
      sequence: 0n,
      atMicros: undefined,
    }
  )
}

/**
 * Locks the wallet for a caller that will move its money and must take another lock first. All callers lock the wallet
 * before anything else.
 */
export async function holdWallet(tx: Tx, resellerId: bigint): Promise<void> {
  await hold(tx, resellerId)
}

/**
 * Locks the wallet for a caller that moves no money, and returns its balance: no entry comes before the commit. The
 * caller may hold the lock of the accounts, which nobody takes after a wallet.
 */
export async function balanceUnderLock(tx: Tx, resellerId: bigint): Promise<Amount> {
  return (await hold(tx, resellerId)).balance
}

async function hold(tx: Tx, resellerId: bigint): Promise<{ balance: Amount; sequence: bigint }> {
  try {
    const wallet = await lockWallet(tx, resellerId)
    assert(wallet !== undefined, 'every reseller has a wallet')
    return wallet
  } catch (error) {
    if (isLockTimeout(error)) throw walletBusy(error)
    throw error
  }
}

/**
 * Returns a moment, in milliseconds, that divides the movements of a wallet: those before it are committed, and later ones
 * are dated at or after it. Payments wait for a millisecond at most.
 */
export async function dividingMoment(tx: Tx, resellerId: bigint): Promise<bigint> {
  try {
    return await readDividingMoment(tx, resellerId)
  } catch (error) {
    if (isLockTimeout(error)) throw walletBusy(error)
    throw error
  }
}

function walletBusy(cause: unknown): RequestError {
  return new RequestError({
    status: 503,
    code: 'wallet_busy',
    publicText: 'Somebody else holds this wallet just now. Nothing was moved; try again.',
    internalText: 'a wallet stayed locked for longer than a command waits',
    headers: { 'Retry-After': '5' },
    cause,
  })
}

/** Returns the wallets that are locked at this moment, for batches that lock wallets. */
export async function findHeldWallets(
  connection: Queryable,
  resellerIds: readonly bigint[],
): Promise<ReadonlySet<bigint>> {
  const free = await listFreeWallets(connection, resellerIds)
  return new Set(resellerIds.filter((id) => !free.has(id)))
}
