import type { Database, Tx } from '../../db/database.ts'
import { isLockTimeout } from '../../db/database.ts'
import { joined, withSavepoint } from '../../db/joined.ts'
import type { Vault } from '../../db/vault.ts'
import { assert, unavailable } from '../../lib/errors.ts'
import { readFields } from '../../lib/input/fields.ts'
import { openAuditKey } from './keys.service.ts'
import { ACTION_RULE, actorOf, hashRecord, REASON_RULES, sealHead, snapshotOf } from './rules.ts'
import { insertRecord, limitIdleness, listRecords, lockHead } from './sql.ts'
import type { Act, AuditFilter, AuditLog, AuditRecord, ChainedRecord, Done } from './types.ts'

export function createAuditLog({ database, vault }: { database: Database; vault: Vault }): AuditLog {
  let key: Promise<Buffer> | undefined
  return {
    database,
    vault,
    key() {
      key ??= openAuditKey(database, vault).catch((error: unknown) => {
        key = undefined
        throw error
      })
      return key
    },
  }
}

/** The reason of an act, for the documents of operations that ask for one. */
export const REASON_SCHEMA = REASON_RULES.reason.schema ?? {}

/**
 * Does something and writes down who did it, in one commit: neither is ever there without the other. `work` gets the
 * transaction, and the same as a `Database` for services that open one of their own (theirs then joins this one). What
 * it throws undoes everything, and leaves no row. Nothing outside the database belongs in `work`: it could not be
 * undone, and the connection is held meanwhile.
 */
export async function audited<T>(
  log: Pick<AuditLog, 'database' | 'key'>,
  act: Act,
  work: (tx: Tx, database: Database) => Promise<Done<T>>,
): Promise<T> {
  const { reason } = readFields(REASON_RULES, { reason: act.reason })
  const key = await log.key()
  return log.database.transaction(async (tx) => {
    await limitIdleness(tx)
    const done = await work(tx, joined(tx, log.database))
    await append(tx, key, { ...act, reason }, done)
    return done.result
  })
}

/**
 * The row alone, in a transaction that the caller has: as its last step, for whoever appends holds up everybody else
 * who does until they commit.
 */
export async function appendAudit(
  tx: Tx,
  log: Pick<AuditLog, 'key'>,
  act: Act,
  done: Omit<Done<unknown>, 'result'>,
): Promise<void> {
  const { reason } = readFields(REASON_RULES, { reason: act.reason })
  await append(tx, await log.key(), { ...act, reason }, done)
}

/** The work of a row that is not to be there, so that time does not tell whether it is. */
export async function rehearseAudit(...row: Parameters<typeof appendAudit>): Promise<void> {
  const undone = new Error('a rehearsal')
  const rehearsal = withSavepoint(row[0], async () => {
    await appendAudit(...row)
    throw undone
  })
  await rehearsal.catch((error: unknown) => {
    if (error !== undone) throw error
  })
}

/** 400 when a reason is missing or too long; for whoever wants to know before the work begins. */
export function readReason(reason: unknown): string {
  return readFields(REASON_RULES, { reason }).reason
}

async function append(
  tx: Tx,
  key: Buffer,
  act: Act & { readonly reason: string },
  { target, before, after }: Omit<Done<unknown>, 'result'>,
): Promise<void> {
  assert(ACTION_RULE.read(act.action) !== undefined, `an action is words with dots between: ${act.action}`)
  const head = await lockHead(tx).catch(refuseBusy)
  // A chain that began anew would hide that there was one.
  if (head === undefined) throw new Error('the head of the audit log is gone, and its key is there')
  const actor = actorOf(act.caller)
  const record: AuditRecord = {
    sequence: head.sequence + 1n,
    atMicros: head.nextAtMicros,
    actorKind: actor.kind,
    actorId: actor.id,
    actor: actor.name,
    credential: actor.credential,
    address: actor.address,
    action: act.action,
    targetKind: target.kind,
    target: target.id,
    before: snapshotOf(before),
    after: snapshotOf(after),
    reason: act.reason,
  }
  const hash = hashRecord(key, record, head.hash)
  await insertRecord(tx, { ...record, hash }, sealHead(key, record.sequence, hash))
}

function refuseBusy(error: unknown): never {
  throw isLockTimeout(error)
    ? unavailable('audit_log_busy', 'the audit log is held by somebody', error)
    : error
}

/** Newest first. */
export function listAudit(
  { database }: Pick<AuditLog, 'database'>,
  filter: AuditFilter,
): Promise<ChainedRecord[]> {
  return listRecords(database, filter)
}

/** A value as the log would show it: plain JSON, in which what is named like a secret is hidden. */
export function withoutSecrets(value: unknown): unknown {
  const json = snapshotOf(value)
  return json === null ? null : JSON.parse(json)
}
