import { join } from 'node:path'
import type pg from 'pg'
import type { BackupContent } from '../../backup/folder.ts'
import type { Plan } from '../../backup/restore.ts'
import { DamagedBackupError, findBreak, recover } from '../../backup/restore.ts'
import type { Config } from '../../config.ts'
import { openDatabase } from '../../db/database.ts'
import { LONG_STATEMENTS } from '../../db/long-statements.ts'
import { readMigrations } from '../../db/migrate.ts'
import { handOver } from '../../embedded/files.ts'
import { SYSTEM_DIR } from '../../embedded/location.ts'
import type { Binaries } from '../../embedded/platform.ts'
import { getPlatformPackage, prepareBinaries } from '../../embedded/platform.ts'
import type { RunAs } from '../../embedded/runas.ts'
import { findServerUser, isRoot } from '../../embedded/runas.ts'
import { createAuditLog, listAudit } from '../../modules/audit/service.ts'
import type { NotedHead } from '../../modules/audit/types.ts'
import { verifyAudit } from '../../modules/audit/verify.service.ts'
import { listDriftedCounts } from '../../modules/payments/limits/service.ts'
import { countAllPayments } from '../../modules/payments/restores/service.ts'
import { readExportedHeads } from '../../modules/wallet/ledger/audit.rules.ts'
import { verifyLedger } from '../../modules/wallet/ledger/audit.service.ts'
import { listAccountHeads } from '../../modules/wallet/ledger/chain.service.ts'
import type { Runtime } from '../../runtime.ts'
import { openRuntime } from '../../runtime.ts'
import { VERSION } from '../../version.ts'

/** Reads what a copy that begins now must have: the heads of all chains, and the number of payments. */
export async function readContent({ database }: Pick<Runtime, 'database'>): Promise<BackupContent> {
  const [newest] = await listAudit({ database }, NEWEST_RECORD)
  const heads = await listAccountHeads(database)
  return {
    serviceVersion: VERSION,
    migration: (await readMigrations()).length,
    payments: Number(await countAllPayments(database)),
    auditHead: newest === undefined ? null : `${newest.sequence}:${newest.hash.toString('hex')}`,
    ledgerHeads: heads.map(({ account, sequence, hash, chainedAt }) => ({
      account,
      sequence: Number(sequence),
      hash: hash.toString('hex'),
      at: chainedAt.toISOString(),
    })),
  }
}

const NEWEST_RECORD = {
  actor: null,
  action: null,
  target: null,
  targetKind: null,
  fromMs: null,
  untilMs: null,
  beforeSequence: null,
  limit: 1,
} as const

/** Opens a recovered server as a runtime, which brings its schema up to date. */
export function openRecovered(config: Config, connection: pg.ClientConfig): Promise<Runtime> {
  return openRuntime(config, {
    purpose: 'serve',
    reach: async () => {
      const database = openDatabase({
        connection,
        connectionsMax: 4,
        applicationName: 'warungd restore',
        statementMs: LONG_STATEMENTS.statementMs,
      })
      return { database, connection, describe: async () => {}, close: () => database.close() }
    },
  })
}

/** Chooses the user that runs a recovering server, and gives the directory to it. */
export async function giveToServer(workDir: string): Promise<RunAs | undefined> {
  const runAs = isRoot() ? await findServerUser() : undefined
  await handOver(workDir, runAs)
  return runAs
}

/** Makes the carried programs ready for the user of a recovering server. */
export async function prepareServer(workDir: string, runAs: RunAs | undefined): Promise<Binaries> {
  const copiesDir = join(isRoot() ? SYSTEM_DIR : workDir, 'postgres-programs')
  return prepareBinaries(await getPlatformPackage(), copiesDir, runAs)
}

export type Proof = {
  readonly figures: Readonly<Record<string, unknown>>
  readonly faults: readonly string[]
}

/** Recovers a copy in a directory of its own, and proves its log, its ledger, its audit log and its counts. */
export async function proveCopy(settings: {
  readonly config: Config
  readonly plan: Plan
  readonly workDir: string
  readonly note: (text: string) => void
}): Promise<Proof> {
  const { plan, workDir, note } = settings
  const runAs = await giveToServer(workDir)
  const binaries = await prepareServer(workDir, runAs)
  note('unpacking the copy and replaying the log')
  try {
    const server = await recover(plan, { binaries, workDir, runAs, to: undefined, isDurable: false, note })
    try {
      const runtime = await openRecovered(settings.config, server.connection)
      try {
        note('proving the ledger and the audit log')
        return await prove(runtime, plan)
      } finally {
        await runtime.close()
      }
    } finally {
      await server.stop()
    }
  } catch (error) {
    if (error instanceof DamagedBackupError) return { figures: {}, faults: error.faults }
    throw error
  }
}

async function prove({ database, vault }: Runtime, plan: Plan): Promise<Proof> {
  const { content } = plan.base.manifest
  const exportedHeads = readExportedHeads(JSON.stringify({ heads: content.ledgerHeads }))
  const broken = await findBreak(plan, database)
  const ledger = await verifyLedger({ database, vault, listDrifted: listDriftedCounts, exportedHeads })
  const audit = await verifyAudit(createAuditLog({ database, vault }), notedHeads(content.auditHead))
  const payments = Number(await countAllPayments(database))
  const faults = broken === undefined ? [] : [broken]
  for (const { kind, account, sequence, expected, found } of ledger.breaks) {
    faults.push(
      `ledger (${kind}) of ${account ?? 'the whole'}, entry ${sequence ?? '-'}: expected ${expected}, found ${found}`,
    )
  }
  if (audit.broken !== undefined) {
    faults.push(`audit log: expected ${audit.broken.expected}, found ${audit.broken.found}`)
  }
  if (payments < content.payments) {
    faults.push(`there were ${content.payments} payments when the backup began, and ${payments} are in it`)
  }
  const figures = {
    wallets: ledger.walletCount,
    entries: Number(ledger.entryCount),
    audit_records: Number(audit.recordCount),
    payments,
  }
  return { figures, faults }
}

function notedHeads(head: string | null): NotedHead[] {
  const [sequence, hash] = head?.split(':') ?? []
  if (sequence === undefined || hash === undefined) return []
  return [{ sequence: BigInt(sequence), hash: Buffer.from(hash, 'hex') }]
}
