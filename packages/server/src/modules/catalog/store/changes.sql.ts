import type { Queryable, Tx } from '../../../db/database.ts'

export type Concerned = {
  readonly everyone: boolean
  readonly levelCodes: readonly string[]
  readonly resellerIds: readonly bigint[]
}

export type LevelSwitch = { readonly from: string; readonly to: string }

export type Change = {
  readonly version: bigint
  readonly reason: string
  readonly createdAt: Date
  readonly concerned: Concerned
  readonly levelSwitch: LevelSwitch | undefined
  /** Last account id whose events are written. */
  readonly expandedThrough: bigint
}

export type NewChange = Pick<Change, 'version' | 'reason' | 'concerned' | 'levelSwitch'>

/** Inserts the change. It must be the last write: its time decides which accounts existed before the change. */
export async function insertChange(tx: Tx, change: NewChange): Promise<void> {
  await tx.query(
    `insert into catalog_changes
       (version, reason, concerns_everyone, level_codes, reseller_ids, switched_from, switched_to)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      change.version,
      change.reason,
      change.concerned.everyone,
      change.concerned.levelCodes,
      change.concerned.resellerIds,
      change.levelSwitch?.from ?? null,
      change.levelSwitch?.to ?? null,
    ],
  )
}

/** Inserts one part per statement, because each may be a megabyte. */
export async function insertParts(tx: Tx, version: bigint, parts: readonly string[]): Promise<void> {
  for (const [part, touched] of parts.entries()) {
    await tx.query('insert into catalog_change_parts (version, part, touched) values ($1, $2, $3)', [
      version,
      part,
      touched,
    ])
  }
}

type ChangeRow = {
  version: bigint
  reason: string
  created_at: Date
  concerns_everyone: boolean
  level_codes: string[]
  /** Ids as text: an array of int8 arrives so. */
  reseller_ids: string[]
  switched_from: string | null
  switched_to: string | null
  expanded_through: bigint
}

const CHANGE = `version, reason, created_at, concerns_everyone, level_codes, reseller_ids, switched_from,
  switched_to, expanded_through`

function changeOf(row: ChangeRow): Change {
  const { switched_from: from, switched_to: to } = row
  return {
    version: row.version,
    reason: row.reason,
    createdAt: row.created_at,
    concerned: {
      everyone: row.concerns_everyone,
      levelCodes: row.level_codes,
      resellerIds: row.reseller_ids.map(BigInt),
    },
    levelSwitch: from === null || to === null ? undefined : { from, to },
    expandedThrough: row.expanded_through,
  }
}

const HAS_PENDING = {
  name: 'catalog_changes_pending',
  text: 'select exists (select from catalog_changes where expanded_at is null) as found',
}

export async function hasPendingChange(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(HAS_PENDING)
  return rows[0]?.found === true
}

/** Finds the oldest change that is not fully expanded yet. */
export async function findPendingChange(connection: Queryable): Promise<Change | undefined> {
  const { rows } = await connection.query<ChangeRow>(
    `select ${CHANGE} from catalog_changes where expanded_at is null order by version limit 1`,
  )
  return rows[0] && changeOf(rows[0])
}

/**
 * Locks a pending change; undefined: another node has it, or it is done. Older changes are done, so no change
 * overtakes another.
 */
export async function lockPendingChange(tx: Tx, version: bigint): Promise<Change | undefined> {
  const { rows } = await tx.query<ChangeRow>(
    `select ${CHANGE} from catalog_changes
     where version = $1 and expanded_at is null for update skip locked`,
    [version],
  )
  return rows[0] && changeOf(rows[0])
}

export async function saveProgress(
  tx: Tx,
  version: bigint,
  progress: { expandedThrough: bigint; isDone: boolean },
): Promise<void> {
  await tx.query(
    `update catalog_changes
     set expanded_through = $2, expanded_at = case when $3 then clock.now end
     from (select statement_timestamp() as now) clock
     where version = $1`,
    [version, progress.expandedThrough, progress.isDone],
  )
}

/** Lists the parts of the versions from `from` to `to`, newest first. */
export async function listPartKeys(
  connection: Queryable,
  range: { from: bigint; to: bigint },
): Promise<{ version: bigint; part: number }[]> {
  const { rows } = await connection.query<{ version: bigint; part: number }>(
    `select version, part from catalog_change_parts
     where version between $1 and $2 order by version desc, part desc`,
    [range.from, range.to],
  )
  return rows
}

export async function readPart(connection: Queryable, version: bigint, part: number): Promise<unknown> {
  const { rows } = await connection.query<{ touched: unknown }>(
    'select touched from catalog_change_parts where version = $1 and part = $2',
    [version, part],
  )
  return rows[0]?.touched
}

/** Lists the level that each account had right after `version`, if it has changed since. */
export async function listLevelsAfter(
  connection: Queryable,
  resellerIds: readonly bigint[],
  version: bigint,
): Promise<ReadonlyMap<bigint, string>> {
  const { rows } = await connection.query<{ reseller_id: bigint; level_code: string }>(
    `select distinct on (reseller_ids[1]) reseller_ids[1] as reseller_id, switched_from as level_code
     from catalog_changes
     where switched_from is not null and reseller_ids[1] = any($1::bigint[]) and version > $2
     order by reseller_ids[1], version`,
    [resellerIds, version],
  )
  return new Map(rows.map((row) => [row.reseller_id, row.level_code]))
}
