import type { BackupContent } from '../../backup/folder.ts'
import type { ServerFacts } from '../../backup/sql.ts'
import { readServerFacts } from '../../backup/sql.ts'
import type { Database } from '../../db/database.ts'
import { readMigrations } from '../../db/migrate.ts'
import { listAudit } from '../../modules/audit/service.ts'
import { countAllPayments } from '../../modules/payments/restores/service.ts'
import { listAccountHeads } from '../../modules/wallet/ledger/chain.service.ts'
import type { Runtime } from '../../runtime.ts'
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

export function readServer(database: Pick<Database, 'query'>): Promise<ServerFacts> {
  return readServerFacts(database)
}
