import { createReseller } from '../modules/accounts/service.ts'
import { listDriftedCounts as listDrifted } from '../modules/payments/limits/service.ts'
import type { Posted, Posting } from '../modules/wallet/balance/service.ts'
import { adjust, commission, deposit } from '../modules/wallet/balance/service.ts'
import { verifyLedger } from '../modules/wallet/ledger/audit.service.ts'
import type { Break, ExportedHead, LedgerReport } from '../modules/wallet/ledger/audit.types.ts'
import { chainEntries } from '../modules/wallet/ledger/chain.jobs.ts'
import { listAccountHeads } from '../modules/wallet/ledger/chain.service.ts'
import type { TestDatabase } from './database.ts'
import { openTestDatabase } from './database.ts'

export type LedgerBench = TestDatabase & {
  newReseller(): Promise<{ id: bigint; account: string }>
  deposit(resellerId: bigint, amount: bigint, more?: Partial<Posting>): Promise<Posted>
  adjust(resellerId: bigint, amount: bigint, more?: Partial<Posting>): Promise<Posted>
  commission(resellerId: bigint, amount: bigint, more?: Partial<Posting>): Promise<Posted>
  /** Chains all entries, and returns how many it chained. */
  chain(): Promise<number>
  verify(options?: { account?: string; exportedHeads?: readonly ExportedHead[] }): Promise<LedgerReport>
  firstBreak(options?: { exportedHeads?: readonly ExportedHead[] }): Promise<Break | undefined>
  exportHeads(): Promise<ExportedHead[]>
  /** Runs a statement as an attacker with all rights on the database: triggers are off. */
  tamper(statement: string, values?: readonly unknown[]): Promise<void>
}

export async function openLedgerBench(): Promise<LedgerBench> {
  const test = await openTestDatabase()
  const { database, vault } = test
  const poster =
    (post: typeof deposit) =>
    (resellerId: bigint, amount: bigint, more: Partial<Posting> = {}) =>
      database.transaction((tx) => post(tx, { resellerId, amount, remarks: 'Test', ...more }))
  return {
    ...test,
    newReseller: () =>
      createReseller(
        { ...test, environment: 'staging' },
        { name: 'Kedai Lejar', email: 'lejar@example.com', priceLevel: 'STANDARD' },
      ),
    deposit: poster(deposit),
    adjust: poster(adjust),
    commission: poster(commission),
    chain: async () => (await chainEntries({ database, vault })).entries,
    verify: (options = {}) => verifyLedger({ database, vault, listDrifted, ...options }),
    firstBreak: async (options = {}) =>
      (await verifyLedger({ database, vault, listDrifted, ...options })).breaks[0],
    exportHeads: () => listAccountHeads(database),
    tamper: (statement, values = []) =>
      database.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(statement, values)
      }),
  }
}

// ── A wallet to tamper with ──

export const WALLET_ENTRIES = 6

export type ChainedWallet = {
  readonly id: bigint
  readonly account: string
  /** Runs statements about this wallet, whose reseller is $1. */
  tamper(...statements: readonly string[]): Promise<void>
  /** Finds the first break of this wallet alone, because other tests may have broken other wallets. */
  firstBreak(exportedHeads?: readonly ExportedHead[]): Promise<Break | undefined>
}

/** Makes a wallet with five deposits and a withdrawal of 10 each: balances 10, 20, 30, 40, 50, 40; all chained. */
export async function openChainedWallet(bench: LedgerBench): Promise<ChainedWallet> {
  const { id, account } = await bench.newReseller()
  for (let index = 1; index < WALLET_ENTRIES; index += 1) {
    await bench.deposit(id, 10n, { remarks: `No. ${index}`, reference: `R${index}` })
  }
  await bench.adjust(id, -10n)
  await bench.chain()
  return {
    id,
    account,
    async tamper(...statements) {
      for (const statement of statements) await bench.tamper(statement, [id])
    },
    firstBreak: async (exportedHeads = []) => (await bench.verify({ account, exportedHeads })).breaks[0],
  }
}

export const updateEntry = (sequence: number, assignments: string) =>
  `update transfers set ${assignments} where reseller_id = $1 and sequence = ${sequence}`
export const updateWallet = (assignments: string) =>
  `update wallets set ${assignments} where reseller_id = $1`
export const updateHeadTo = (sequence: number) =>
  `update chain_heads h set sequence = c.sequence, hash = c.hash from transfer_chain c
    where h.reseller_id = $1 and c.reseller_id = $1 and c.sequence = ${sequence}`
export const deleteEntry = (sequence: number) =>
  `delete from transfers where reseller_id = $1 and sequence = ${sequence}`
export const deleteHashesFrom = (sequence: number) =>
  `delete from transfer_chain where reseller_id = $1 and sequence >= ${sequence}`
