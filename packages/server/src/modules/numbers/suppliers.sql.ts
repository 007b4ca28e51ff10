import type { Queryable } from '../../db/database.ts'

export type ToldRow = { operator: string; answered_at: Date }

const FIND = {
  name: 'number_lookups_find',
  text: `select operator, answered_at from number_lookups
          where number = $1 and answered_at > clock_timestamp() - make_interval(days => $2)`,
}

/** Finds what a supplier told within these days. */
export async function findTold(
  connection: Queryable,
  number: string,
  days: number,
): Promise<ToldRow | undefined> {
  const { rows } = await connection.query<ToldRow>(FIND, [number, days])
  return rows[0]
}

const CLAIM = {
  name: 'number_lookups_claim',
  text: `insert into number_lookups (number, asked_at) values ($1, clock_timestamp())
         on conflict (number) do update set asked_at = excluded.asked_at
          where excluded.asked_at - number_lookups.asked_at >= interval '1 day'
         returning number`,
}

/** Takes the one question of a day about a number; false: it was asked. */
export async function claimQuestion(connection: Queryable, number: string): Promise<boolean> {
  const { rows } = await connection.query<{ number: string }>(CLAIM, [number])
  return rows.length > 0
}

const KEEP = {
  name: 'number_lookups_keep',
  text: `update number_lookups set operator = $2, answered_at = statement_timestamp() where number = $1
         returning operator, answered_at`,
}

export async function keepTold(
  connection: Queryable,
  number: string,
  operator: string,
): Promise<ToldRow | undefined> {
  const { rows } = await connection.query<ToldRow>(KEEP, [number, operator])
  return rows[0]
}

const SWEEP = {
  name: 'number_lookups_sweep',
  text: `delete from number_lookups
          where number in (select number from number_lookups
                            where asked_at < statement_timestamp() - make_interval(days => $1)
                            order by asked_at limit $2)`,
}

export async function sweepTold(connection: Queryable, days: number, limit: number): Promise<number> {
  const { rowCount } = await connection.query(SWEEP, [days, limit])
  return rowCount
}
