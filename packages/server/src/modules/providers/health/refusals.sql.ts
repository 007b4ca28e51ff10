import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { CountedRefusal, Refusal } from './health.types.ts'

const DAYS_SHOWN = 7
/** Limit of different words of a provider in a day; further ones are counted together. */
const WORDS_MAX = 200

/** Adds to the counts of today, and forgets the days that are not shown. Refusals without a connection are not kept. */
export async function countRefusals(
  connection: Queryable,
  seen: readonly (Refusal & { readonly count: number })[],
): Promise<void> {
  await connection.query(
    `with today as (
       select (clock_timestamp() at time zone 'Asia/Kuala_Lumpur')::date as day
     ), gone as (
       delete from provider_refusals where day <= (select day from today) - $6::integer
     ), placed as (
       select s.*, t.day,
              k.provider is not null or row_number() over (partition by s.provider, k.provider is null)
                + (select count(*) from provider_refusals o where o.provider = s.provider and o.day = t.day) <= $7
                as is_kept
         from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::bigint[])
              as s (provider, outcome, word, code, count)
        cross join today t
         left join provider_refusals k using (provider, day, outcome, word, code)
        where exists (select from provider_connections c where c.code = s.provider)
     )
     insert into provider_refusals as r (provider, day, outcome, word, code, count, last_at)
     select provider, day, outcome, case when is_kept then word else '…' end as word, code, sum(count), now()
       from placed group by provider, day, outcome, 4, code
     on conflict (provider, day, outcome, word, code) do update
        set count = r.count + excluded.count, last_at = excluded.last_at`,
    [
      textArray(seen.map(({ provider }) => provider)),
      textArray(seen.map(({ outcome }) => outcome)),
      textArray(seen.map(({ word }) => word)),
      plainArray(seen.map(({ code }) => code)),
      plainArray(seen.map(({ count }) => count)),
      DAYS_SHOWN,
      WORDS_MAX,
    ],
  )
}

type Row = Omit<CountedRefusal, 'count' | 'lastAt'> & { count: bigint; last_at: Date }

/** Lists the refusals of a provider in the last seven days by its word and our code, the most frequent first. */
export async function listRefusalRows(connection: Queryable, provider: string): Promise<CountedRefusal[]> {
  const { rows } = await connection.query<Row>(
    `select outcome, word, code, sum(count)::bigint as count, max(last_at) as last_at
       from provider_refusals
      where provider = $1 and day > (clock_timestamp() at time zone 'Asia/Kuala_Lumpur')::date - $2::integer
      group by outcome, word, code order by 4 desc, word, code, outcome limit $3`,
    [provider, DAYS_SHOWN, WORDS_MAX],
  )
  return rows.map(({ last_at: lastAt, count, ...row }) => ({ ...row, count: Number(count), lastAt }))
}
