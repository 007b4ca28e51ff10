import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import type { UnmappedAnswer } from '../port/types.ts'
import type { Proof, Result, UnknownAnswer } from './types.ts'

// ── Proofs ──

const PROOFS_KEPT = 500

/** Writes the results of one trial, and forgets the oldest of the provider. */
export async function insertProofs(
  tx: Tx,
  { provider, by, results }: { provider: string; by: string; results: readonly Result[] },
): Promise<void> {
  await tx.query(
    `insert into provider_proofs (provider, at, claim, result, says, proved_by)
     select $1, now(), claim, result, says, $2 from unnest($3::text[], $4::text[], $5::text[]) as r (claim, result, says)`,
    [
      provider,
      by,
      textArray(results.map(({ claim }) => claim)),
      textArray(results.map(({ result }) => result)),
      textArray(results.map(({ says }) => says)),
    ],
  )
  await tx.query(
    `delete from provider_proofs where provider = $1 and at <
       (select at from provider_proofs where provider = $1 order by at desc offset $2 limit 1)`,
    [provider, PROOFS_KEPT],
  )
}

type ProofRow = Omit<Proof, 'by'> & { proved_by: string }

/** Lists proofs, newest first. */
export async function listProofRows(connection: Queryable, provider: string): Promise<Proof[]> {
  const { rows } = await connection.query<ProofRow>(
    `select provider, at, claim, result, says, proved_by from provider_proofs
      where provider = $1 order by at desc, claim limit $2`,
    [provider, PROOFS_KEPT],
  )
  return rows.map(({ proved_by: by, ...proof }) => ({ ...proof, by }))
}

// ── Unknown answers ──

/** Limit of unknown words of a provider; a further one would be lost among them. */
export const UNKNOWN_MAX = 200

export type Seen = UnmappedAnswer & { readonly provider: string; readonly count: number }

/** Counts words that were seen. Words beyond the limit, and those of a provider without a connection, are not kept. */
export async function countUnknown(connection: Queryable, seen: readonly Seen[]): Promise<void> {
  await connection.query(
    `with kept as (
     select s.* from (select s.*, k.id is not null as is_known,
                    row_number() over (partition by s.provider, k.id is null) as place
               from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])
                    as s (provider, operation, path, value, count, sample)
               join provider_connections c on c.code = s.provider
               left join provider_unknown_answers k using (provider, operation, path, value)) as s
      where is_known
         or place + (select count(*) from provider_unknown_answers k where k.provider = s.provider) <= $7
     )
     insert into provider_unknown_answers as u
       (provider, operation, path, value, count, first_at, last_at, sample)
     select provider, operation, path, value, count, now(), now(), sample from kept
     on conflict (provider, operation, path, value) do update
        set count = u.count + excluded.count, last_at = excluded.last_at, sample = excluded.sample`,
    [
      textArray(seen.map(({ provider }) => provider)),
      textArray(seen.map(({ operation }) => operation)),
      textArray(seen.map(({ path }) => path)),
      textArray(seen.map(({ value }) => value)),
      plainArray(seen.map(({ count }) => count)),
      textArray(seen.map(({ sample }) => sample)),
      UNKNOWN_MAX,
    ],
  )
}

type UnknownRow = Omit<UnknownAnswer, 'count' | 'firstAt' | 'lastAt'> & {
  count: bigint
  first_at: Date
  last_at: Date
}

const UNKNOWN = 'id, provider, operation, path, value, count, first_at, last_at, sample'

/** Lists unknown words, the latest first. */
export async function listUnknown(connection: Queryable, provider: string): Promise<UnknownAnswer[]> {
  const { rows } = await connection.query<UnknownRow>(
    `select ${UNKNOWN} from provider_unknown_answers where provider = $1 order by last_at desc, id desc limit $2`,
    [provider, UNKNOWN_MAX],
  )
  return rows.map(toUnknown)
}

/** Takes an unknown word away; undefined: there is none of this id. */
export async function takeUnknown(tx: Tx, provider: string, id: bigint): Promise<UnknownAnswer | undefined> {
  const { rows } = await tx.query<UnknownRow>(
    `delete from provider_unknown_answers where provider = $1 and id = $2 returning ${UNKNOWN}`,
    [provider, id],
  )
  return rows[0] && toUnknown(rows[0])
}

function toUnknown({ first_at: firstAt, last_at: lastAt, count, ...row }: UnknownRow): UnknownAnswer {
  return { ...row, count: Number(count), firstAt, lastAt }
}
