import type pg from 'pg'
import { findProgram } from '../../backup/recovery-server.ts'
import type { Plan } from '../../backup/restore.ts'
import { recover } from '../../backup/restore.ts'
import type { Config } from '../../config.ts'
import { openDatabase } from '../../db/database.ts'
import { LONG_STATEMENTS } from '../../db/long-statements.ts'
import { handOver } from '../../embedded/files.ts'
import type { RunAs } from '../../embedded/runas.ts'
import { findServerUser, isRoot } from '../../embedded/runas.ts'
import { createAuditLog } from '../../modules/audit/service.ts'
import type { NotedHead } from '../../modules/audit/types.ts'
import { verifyAudit } from '../../modules/audit/verify.service.ts'
import { countAllPayments } from '../../modules/payments/restores/service.ts'
import { readExportedHeads } from '../../modules/wallet/ledger/audit.rules.ts'
import { verifyLedger } from '../../modules/wallet/ledger/audit.service.ts'
import type { Runtime } from '../../runtime.ts'
import { openRuntime } from '../../runtime.ts'

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

export type Proof = {
  readonly figures: Readonly<Record<string, unknown>>
  readonly faults: readonly string[]
}

/** Recovers a copy in a directory of its own, and proves its ledger, its audit log and its counts. */
export async function proveCopy(settings: {
  readonly config: Config
  readonly plan: Plan
  readonly workDir: string
  readonly binDir: string | undefined
  readonly note: (text: string) => void
}): Promise<Proof> {
  const { plan, workDir, note } = settings
  const runAs = await giveToServer(workDir)
  const { manifest: copied } = plan.base
  const program = await findProgram({ binDir: settings.binDir, workDir, runAs, copied })
  note('unpacking the copy and replaying the log')
  const server = await recover(plan, { program, workDir, runAs, to: undefined, isDurable: false, note })
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
}

async function prove({ database, vault }: Runtime, { base }: Plan): Promise<Proof> {
  const { content } = base.manifest
  const exportedHeads = readExportedHeads(JSON.stringify({ heads: content.ledgerHeads }))
  const ledger = await verifyLedger({ database, vault, exportedHeads })
  const audit = await verifyAudit(createAuditLog({ database, vault }), notedHeads(content.auditHead))
  const payments = Number(await countAllPayments(database))
  const faults = ledger.breaks.map(
    ({ kind, account, sequence, expected, found }) =>
      `ledger (${kind}) of ${account ?? 'the whole'}, entry ${sequence ?? '-'}: expected ${expected}, found ${found}`,
  )
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
