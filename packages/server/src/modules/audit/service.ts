import type { Database, Queryable, Tx } from '../../db/database.ts'
import { isLockTimeout } from '../../db/database.ts'
import { joined, withSavepoint } from '../../db/joined.ts'
import type { Vault } from '../../db/vault.ts'
import { assert, unavailable } from '../../lib/errors.ts'
import { readFields } from '../../lib/input/fields.ts'
import { openAuditKey } from './keys.service.ts'
import { ACTION_RULE, actorOf, hashRecord, REASON_RULES, sealHead, snapshotOf } from './rules.ts'
import { findHead, insertRecord, limitIdleness, listRecords, listRecordsAfter, lockHead } from './sql.ts'
import type { Act, AuditFilter, AuditLog, AuditRecord, ChainedRecord, Done, Target } from './types.ts'

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

/** Schema of an act's reason, for the documents of operations that ask for one. */
export const REASON_SCHEMA = REASON_RULES.reason.schema

/**
 * Does something and logs who did it, in one commit: neither exists without the other. `work` gets the
 * transaction, and the same as a `Database` for services that open one of their own (it joins this one). If
 * `work` throws, everything is undone and no row is left. `work` must not act outside the database: that could
 * not be undone, and the connection is held meanwhile.
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
    await holdProof(tx, act)
    const done = await work(tx, joined(tx, log.database))
    await append(tx, key, { ...act, reason }, done)
    return done.result
  })
}

/** Acts that need a proof hold it here, all of them, so that none can forget it. */
async function holdProof(tx: Tx, { caller }: Act): Promise<void> {
  if ('proof' in caller && caller.proof?.isRequired === true) await caller.proof.hold(tx)
}

/**
 * Appends the row in the caller's transaction. It must be the last step: the writer blocks all other writers
 * until it commits.
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

/**
 * Does the work of appending a row and undoes it, so that the response time does not show whether a row is
 * written.
 */
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

/** Throws a 400 when a reason is missing or too long; lets the caller check before the work begins. */
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
  // A new chain would hide that an older one existed.
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

/** Lists the newest first. */
export function listAudit(
  { database }: Pick<AuditLog, 'database'>,
  filter: AuditFilter,
): Promise<ChainedRecord[]> {
  return listRecords(database, filter)
}

/** Returns a value as the log would show it: plain JSON, with the values of secret names hidden. */
export function withoutSecrets(value: unknown): unknown {
  const json = snapshotOf(value)
  return json === null ? null : JSON.parse(json)
}

// ── Rows about one target ──

/** Returns the number of the last row now; any later row has a greater number. */
export async function getLastSequence(connection: Queryable): Promise<bigint> {
  return (await findHead(connection))?.sequence ?? 0n
}

const ROWS_MAX = 1_000

/** Lists the latest rows about one target. */
export function listRowsAbout(connection: Queryable, { kind, id }: Target): Promise<ChainedRecord[]> {
  return listRecords(connection, {
    actor: null,
    action: null,
    targetKind: kind,
    target: id,
    fromMs: null,
    untilMs: null,
    beforeSequence: null,
    limit: ROWS_MAX,
  })
}

/**
 * Lists the rows after a number. A writer holds the head until it commits, and this call waits for it: a row
 * that is missing after that belongs to a transaction that was rolled back.
 */
export async function listRowsBehind(tx: Tx, sequence: bigint): Promise<ChainedRecord[]> {
  await lockHead(tx)
  return listRecordsAfter(tx, sequence, ROWS_MAX)
}
