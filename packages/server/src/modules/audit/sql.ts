import type { Queryable, Tx } from '../../db/database.ts'
import { assert } from '../../lib/errors.ts'
import { olderNamesOf } from './names.rules.ts'
import type { AuditFilter, AuditHead, AuditRecord, ChainedRecord } from './types.ts'

// ── The key ──

export async function findSealedKey(connection: Queryable): Promise<Buffer | undefined> {
  const { rows } = await connection.query<{ sealed_key: Buffer }>('select sealed_key from audit_keys')
  return rows[0]?.sealed_key
}

/** Inserts the key; nodes that start at once all use the first one's key. */
export async function insertSealedKey(tx: Tx, sealed: Buffer): Promise<void> {
  await tx.query('insert into audit_keys (sealed_key) values ($1) on conflict do nothing', [sealed])
}

export async function hasRecords(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(
    'select exists (select from audit_log) or exists (select from audit_head) as found',
  )
  return rows[0]?.found === true
}

// ── Appending ──

export type LockedHead = {
  readonly sequence: bigint
  readonly hash: Buffer
  /** Time of the next row; never before the row that it follows, even if the clock was set back. */
  readonly nextAtMicros: bigint
}

type HeadRow = { sequence: bigint; hash: Buffer; next_at_micros: bigint }

export async function openHead(tx: Tx, startHash: Buffer, seal: Buffer): Promise<void> {
  await tx.query(
    `insert into audit_head (sequence, at, hash, seal) values (0, clock_timestamp(), $1, $2) on conflict do nothing`,
    [startHash, seal],
  )
}

const HEAD_WAIT = '3s'
const IDLE_MAX = '60s'

/** Makes the database end a transaction that stops in the middle, because other writers wait for it. */
export async function limitIdleness(tx: Tx): Promise<void> {
  await tx.query(`set local idle_in_transaction_session_timeout = '${IDLE_MAX}'`)
}

/** Locks the head. Every writer of a row waits here, so the wait and the idle time are limited. */
export async function lockHead(tx: Tx): Promise<LockedHead | undefined> {
  await tx.query(
    `select set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $2, true)`,
    [HEAD_WAIT, IDLE_MAX],
  )
  const { rows } = await tx.query<{ sequence: bigint; hash: Buffer; at_micros: bigint }>(
    `select sequence, hash, (extract(epoch from at) * 1000000)::bigint as at_micros from audit_head for update`,
  )
  const head = rows[0]
  if (head === undefined) return undefined
  // The clock is read after the lock is granted, because the wait may be long.
  const { rows: clock } = await tx.query<Pick<HeadRow, 'next_at_micros'>>(
    `select greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint, $1) as next_at_micros`,
    [head.at_micros],
  )
  assert(clock[0] !== undefined, 'a select without a table gives a row')
  return { sequence: head.sequence, hash: head.hash, nextAtMicros: clock[0].next_at_micros }
}

export async function insertRecord(tx: Tx, record: ChainedRecord, seal: Buffer): Promise<void> {
  await tx.query(
    `insert into audit_log (sequence, at, actor_kind, actor_id, actor, credential, address, action, target_kind,
                            target, before, after, reason, hash)
     values ($1, timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3, $4, $5, $6, $7, $8, $9, $10,
             $11, $12, $13, $14)`,
    [
      record.sequence,
      record.atMicros,
      record.actorKind,
      record.actorId,
      record.actor,
      record.credential,
      record.address,
      record.action,
      record.targetKind,
      record.target,
      record.before,
      record.after,
      record.reason,
      record.hash,
    ],
  )
  await tx.query(
    `update audit_head set sequence = $1, at = timestamptz 'epoch' + $2::bigint * interval '1 microsecond',
                           hash = $3, seal = $4`,
    [record.sequence, record.atMicros, record.hash, seal],
  )
}

// ── Reading ──

type RecordRow = {
  sequence: bigint
  at_micros: bigint
  actor_kind: AuditRecord['actorKind']
  actor_id: bigint | null
  actor: string
  credential: string | null
  address: string | null
  action: string
  target_kind: string
  target: string
  before: string | null
  after: string | null
  reason: string
  hash: Buffer
}

const COLUMNS = `sequence, (extract(epoch from at) * 1000000)::bigint as at_micros, actor_kind, actor_id, actor,
  credential, address, action, target_kind, target, before::text as before, after::text as after, reason, hash`

function recordOf(row: RecordRow): ChainedRecord {
  const record: AuditRecord = {
    sequence: row.sequence,
    atMicros: row.at_micros,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actor: row.actor,
    credential: row.credential,
    address: row.address,
    action: row.action,
    targetKind: row.target_kind,
    target: row.target,
    before: row.before,
    after: row.after,
    reason: row.reason,
  }
  return { ...record, hash: row.hash }
}

/** Lists the oldest first; `after` undefined: starts at the very first row, with any number. */
export async function listRecordsAfter(
  connection: Queryable,
  after: bigint | undefined,
  limit: number,
): Promise<ChainedRecord[]> {
  const { rows } = await connection.query<RecordRow>(
    `select ${COLUMNS} from audit_log where $1::bigint is null or sequence > $1 order by sequence limit $2`,
    [after ?? null, limit],
  )
  return rows.map(recordOf)
}

export async function findHead(connection: Queryable): Promise<AuditHead | undefined> {
  const { rows } = await connection.query<AuditHead>('select sequence, hash, seal from audit_head')
  return rows[0]
}

/** Lists the newest first. */
export async function listRecords(connection: Queryable, filter: AuditFilter): Promise<ChainedRecord[]> {
  const { rows } = await connection.query<RecordRow>(
    `select ${COLUMNS} from audit_log
      where ($1::text is null or actor = $1)
        and ($2::text is null or action = $2 or starts_with(action, $2 || '.') or action = any ($9::text[]))
        and ($3::text is null or target_kind = $3)
        and ($4::text is null or target = $4)
        and ($5::float8 is null or at >= to_timestamp($5 / 1000))
        and ($6::float8 is null or at < to_timestamp($6 / 1000))
        and ($7::bigint is null or sequence < $7)
      order by sequence desc limit $8`,
    [
      filter.actor,
      filter.action,
      filter.targetKind,
      filter.target,
      filter.fromMs,
      filter.untilMs,
      filter.beforeSequence,
      filter.limit,
      filter.action === null ? [] : olderNamesOf(filter.action),
    ],
  )
  return rows.map(recordOf)
}
