import type { Queryable, Tx } from '../../../db/database.ts'
import type { PersonKey } from '../people/people.types.ts'

export type Factor = {
  readonly sealedSecret: Buffer
  readonly confirmedAt: Date | null
  readonly lastStep: bigint
  /** True: it was made too long ago to be confirmed now. */
  readonly isStale: boolean
}

type FactorRow = { sealed_secret: Buffer; confirmed_at: Date | null; last_step: bigint; is_stale: boolean }

function keyOf({ kind, resellerId, id }: PersonKey): readonly unknown[] {
  return [kind, resellerId, id]
}

export async function findFactor(connection: Queryable, key: PersonKey): Promise<Factor | undefined> {
  const { rows } = await connection.query<FactorRow>(
    `select sealed_secret, confirmed_at, last_step,
            created_at < clock_timestamp() - interval '15 minutes' as is_stale
       from second_factors
      where kind = $1 and reseller_id = $2 and person_id = $3`,
    keyOf(key),
  )
  const row = rows[0]
  return (
    row && {
      sealedSecret: row.sealed_secret,
      confirmedAt: row.confirmed_at,
      lastStep: row.last_step,
      isStale: row.is_stale,
    }
  )
}

/** Stores a secret that waits for confirmation, and replaces one that also waited. False: there is an active one. */
export async function putFactor(tx: Tx, key: PersonKey, sealedSecret: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into second_factors as f (kind, reseller_id, person_id, sealed_secret, created_at)
     values ($1, $2, $3, $4, clock_timestamp())
     on conflict (kind, reseller_id, person_id) do update
       set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at, last_step = 0
       where f.confirmed_at is null`,
    [...keyOf(key), sealedSecret],
  )
  return rowCount === 1
}

/** False: it was confirmed in between. */
export async function confirmFactor(tx: Tx, key: PersonKey, step: bigint): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update second_factors set confirmed_at = statement_timestamp(), last_step = $4
      where kind = $1 and reseller_id = $2 and person_id = $3 and confirmed_at is null and last_step < $4`,
    [...keyOf(key), step],
  )
  return rowCount === 1
}

/** False: that code, or a newer one, was used before. */
export async function takeStep(tx: Tx, key: PersonKey, step: bigint): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update second_factors set last_step = $4
      where kind = $1 and reseller_id = $2 and person_id = $3 and last_step < $4`,
    [...keyOf(key), step],
  )
  return rowCount === 1
}

/** False: there was no second factor. */
export async function deleteFactor(tx: Tx, key: PersonKey): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from second_factors where kind = $1 and reseller_id = $2 and person_id = $3',
    keyOf(key),
  )
  return rowCount === 1
}

export async function replaceRecoveryCodes(
  tx: Tx,
  key: PersonKey,
  digests: readonly Buffer[],
): Promise<void> {
  await tx.query(
    'delete from recovery_codes where kind = $1 and reseller_id = $2 and person_id = $3',
    keyOf(key),
  )
  await tx.query(
    `insert into recovery_codes (kind, reseller_id, person_id, digest)
     select $1, $2, $3, digest from unnest($4::bytea[]) digest`,
    [...keyOf(key), digests],
  )
}

/** False: there is no such code, or it was used. */
export async function useRecoveryCode(tx: Tx, key: PersonKey, digest: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update recovery_codes set used_at = statement_timestamp()
      where kind = $1 and reseller_id = $2 and person_id = $3 and digest = $4 and used_at is null`,
    [...keyOf(key), digest],
  )
  return rowCount === 1
}

export async function countRecoveryCodes(connection: Queryable, key: PersonKey): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*)::integer as count from recovery_codes
      where kind = $1 and reseller_id = $2 and person_id = $3 and used_at is null`,
    keyOf(key),
  )
  return rows[0]?.count ?? 0
}
