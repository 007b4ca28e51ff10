import type { Database, Queryable, Tx } from '../../../db/database.ts'
import { readSnapshot } from '../../../db/snapshots.ts'
import type { Vault } from '../../../db/vault.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { HmacKey } from '../../../lib/secrets/hmac.ts'
import { listResellerNames } from '../../accounts/public.sql.ts'
import { getReseller, listResellers } from '../../accounts/service.ts'
import type { Reseller } from '../../accounts/types.ts'
import { checkEnd, checkNextEntry, WALK_START } from './audit.rules.ts'
import {
  findEntryWithoutWallet,
  findHashAfter,
  findInconsistentPayment,
  listAuditedEntries,
  listHouseBalances,
  listWallets,
  sumWallets,
} from './audit.sql.ts'
import type {
  Break,
  BreakKind,
  DriftedSum,
  ExportedHead,
  LedgerReport,
  LedgerSums,
  Subject,
} from './audit.types.ts'
import { findChainKey } from './chain.service.ts'
import { hasHashes, listHeads } from './chain.sql.ts'

const RESELLERS_PAGE = 1_000
const ENTRIES_PAGE = 5_000
const BREAKS_MAX = 100
/** Lower than every sequence, so that an entry numbered 0 or less is found too. */
const BEFORE_ALL = -(2n ** 63n)

export type VerifyOptions = {
  readonly database: Pick<Database, 'transaction'>
  readonly vault: Vault
  /** Lists what limits and caps have counted wrongly; null: for any reseller. */
  readonly listDrifted: (tx: Tx, resellerId: bigint | null) => Promise<DriftedSum[]>
  /** One account to check. The sums of the whole ledger are then left out. */
  readonly account?: string | undefined
  /** Heads that were exported earlier: the entries up to them must still be the same. */
  readonly exportedHeads?: readonly ExportedHead[] | undefined
}

/**
 * Checks the ledger in one snapshot and in bounded memory: each wallet's entries against each other, its row, its chain
 * and the heads exported earlier; then the sum of the whole, which must be zero. Entries that are not chained yet are
 * counted, and are not a break. The check of a wallet ends at its first break.
 */
export function verifyLedger(options: VerifyOptions): Promise<LedgerReport> {
  return readSnapshot(options.database, async (tx) => {
    const audit = openAudit(options.exportedHeads ?? [], await readKey(tx, options.vault))
    if (options.account !== undefined) {
      const reseller = await getReseller(tx, options.account)
      await auditResellers(tx, audit, [reseller])
      await auditCounts(tx, audit, await options.listDrifted(tx, reseller.id))
      return reportOf(audit, undefined)
    }
    let after = 0n
    for (let isLast = false; !isLast; ) {
      const resellers = await listResellers(tx, { after, limit: RESELLERS_PAGE })
      await auditResellers(tx, audit, resellers)
      isLast = resellers.length < RESELLERS_PAGE
      after = resellers.at(-1)?.id ?? after
    }
    for (const { account, sequence } of audit.exported.values()) {
      audit.tell(breakOf('exported_head', account, sequence, 'a wallet of this account', 'no such account'))
    }
    await auditCounts(tx, audit, await options.listDrifted(tx, null))
    return reportOf(audit, await auditWhole(tx, audit))
  })
}

// ── State of an audit ──

type Audit = {
  readonly key: HmacKey | undefined
  /** Exported heads by account. A head is removed after it was compared. */
  readonly exported: Map<string, ExportedHead>
  readonly breaks: Break[]
  tell(found: Break): void
  walletCount: number
  entryCount: bigint
  unchainedCount: bigint
  unchainedSinceMicros: bigint | undefined
  exportedHeadCount: number
}

type ChainKey = { readonly key: HmacKey | undefined; readonly trouble: Break | undefined }

function openAudit(exported: readonly ExportedHead[], { key, trouble }: ChainKey): Audit {
  const breaks = trouble === undefined ? [] : [trouble]
  return {
    key,
    exported: new Map(exported.map((head) => [head.account, head])),
    breaks,
    tell(found) {
      if (breaks.length < BREAKS_MAX) breaks.push(found)
    },
    walletCount: 0,
    entryCount: 0n,
    unchainedCount: 0n,
    unchainedSinceMicros: undefined,
    exportedHeadCount: 0,
  }
}

function reportOf(audit: Audit, sums: LedgerSums | undefined): LedgerReport {
  const { key: _, exported: __, tell: ___, ...report } = audit
  return { ...report, sums }
}

async function readKey(tx: Tx, vault: Vault): Promise<ChainKey> {
  const trouble = (found: string) => ({
    key: undefined,
    trouble: breakOf('chain_key', undefined, undefined, 'the key that the hashes were made with', found),
  })
  let key: HmacKey | undefined
  try {
    key = await findChainKey(tx, vault)
  } catch (error) {
    return trouble(`one that does not open: ${(error as Error).message}`)
  }
  return key === undefined && (await hasHashes(tx)) ? trouble('none') : { key, trouble: undefined }
}

function breakOf(
  kind: BreakKind,
  account: string | undefined,
  sequence: bigint | undefined,
  expected: string,
  found: string,
): Break {
  return { kind, account, sequence, expected, found }
}

// ── Wallets ──

async function auditResellers(tx: Tx, audit: Audit, resellers: readonly Reseller[]): Promise<void> {
  const ids = resellers.map((reseller) => reseller.id)
  const wallets = await listWallets(tx, ids)
  const heads = await listHeads(tx, ids)
  for (const { id, account } of resellers) {
    const wallet = wallets.get(id)
    const exported = audit.exported.get(account)
    if (exported !== undefined && audit.exported.delete(account)) audit.exportedHeadCount += 1
    if (wallet === undefined) {
      audit.tell(breakOf('wallet', account, undefined, 'a wallet', 'none'))
      continue
    }
    audit.walletCount += 1
    const subject: Subject = { account, wallet, head: heads.get(id), exported, key: audit.key }
    const found = (await auditEntries(tx, audit, id, subject)) ?? (await auditPayments(tx, id, account))
    if (found !== undefined) audit.tell(found)
  }
}

async function auditEntries(
  tx: Tx,
  audit: Audit,
  resellerId: bigint,
  subject: Subject,
): Promise<Break | undefined> {
  let walk = WALK_START
  let after = BEFORE_ALL
  for (;;) {
    const page = await listAuditedEntries(tx, resellerId, { after, limit: ENTRIES_PAGE })
    for (const entry of page) {
      const step = checkNextEntry(subject, walk, entry)
      if ('brk' in step) return step.brk
      walk = step.walk
      audit.entryCount += 1n
      if (entry.hash === undefined) countUnchained(audit, entry.createdAtMicros)
    }
    if (page.length < ENTRIES_PAGE) break
    after = walk.sequence
  }
  return checkEnd(subject, walk, await findHashAfter(tx, resellerId, walk.sequence))
}

function countUnchained(audit: Audit, atMicros: bigint): void {
  audit.unchainedCount += 1n
  if (audit.unchainedSinceMicros === undefined || atMicros < audit.unchainedSinceMicros) {
    audit.unchainedSinceMicros = atMicros
  }
}

async function auditPayments(tx: Tx, resellerId: bigint, account: string): Promise<Break | undefined> {
  const odd = await findInconsistentPayment(tx, resellerId)
  if (odd === undefined) return undefined
  const times = (count: bigint, what: string) => `${count} ${count === 1n ? what : `${what}s`}`
  const found =
    `${times(odd.payments, 'payment')} and ${times(odd.refunds, 'refund')} ` +
    `that together come to ${formatMoney(BigInt(odd.balance))}`
  const expected = `payment ${odd.paymentId} taken once, and given back in full afterwards or not at all`
  return breakOf('payment', account, odd.sequence, expected, found)
}

async function auditCounts(tx: Tx, audit: Audit, drifted: readonly DriftedSum[]): Promise<void> {
  const names = await listResellerNames(
    tx,
    drifted.map(({ resellerId }) => resellerId),
  )
  for (const { resellerId, expected, found } of drifted) {
    audit.tell(breakOf('count', names.get(resellerId)?.account, undefined, expected, found))
  }
}

// ── The whole ledger ──

async function auditWhole(tx: Tx, audit: Audit): Promise<LedgerSums> {
  const orphan = await findEntryWithoutWallet(tx)
  if (orphan !== undefined) {
    const found = `none with the number ${orphan.resellerId}`
    audit.tell(breakOf('wallet', undefined, orphan.sequence, 'a wallet of this entry', found))
  }
  const sums = await sumsOf(tx)
  if (sums.walletCount !== audit.walletCount) {
    const words = `${audit.walletCount} wallets, one of each account`
    audit.tell(breakOf('wallet', undefined, undefined, words, `${sums.walletCount} wallets`))
  }
  const sum = sums.houses.reduce((total, house) => total + house.balance, sums.walletsBalance)
  if (sum !== 0n) {
    const words = 'wallets and house accounts that sum to 0.00'
    audit.tell(breakOf('sum', undefined, undefined, words, formatMoney(sum)))
  }
  return sums
}

/** Sums the house accounts and compares the wallets with them, in one snapshot. */
export function sumLedger(database: Pick<Database, 'transaction'>): Promise<LedgerSums> {
  return readSnapshot(database, sumsOf)
}

async function sumsOf(connection: Queryable): Promise<LedgerSums> {
  const houses = await listHouseBalances(connection)
  const { count, balance } = await sumWallets(connection)
  return { walletCount: count, walletsBalance: balance, houses }
}
