import type { Queryable } from '../../../db/database.ts'

export type AnswersRow = { provider: string; age_ms: number; orders: number; answered: number }

const LIST = {
  name: 'provider_answers_list',
  text: `select provider, extract(epoch from now() - at)::float8 * 1000 as age_ms,
                sum(succeeded + failed + pending + not_acted + unknown)::integer as orders,
                sum(succeeded + failed + pending)::integer as answered
           from provider_health_intervals where at >= now() - interval '24 hours'
          group by provider, at limit 100000`,
}

/** Lists the intervals of the last day, all nodes together. */
export async function listAnswers(connection: Queryable): Promise<AnswersRow[]> {
  return (await connection.query<AnswersRow>(LIST)).rows
}

export type TakenRow = { provider: string; is_recent: boolean; orders: number; taken: number }

const TAKEN = {
  name: 'provider_answers_taken',
  text: `select provider, at >= now() - interval '1 hour' as is_recent,
                sum(succeeded + failed + pending + not_acted + unknown)::float8 as orders,
                sum(succeeded + pending)::float8 as taken
           from provider_health_intervals where at >= now() - interval '7 days'
          group by provider, is_recent`,
}

/** Sums the last hour and the week before it. */
export async function sumTaken(connection: Queryable): Promise<TakenRow[]> {
  return (await connection.query<TakenRow>(TAKEN)).rows
}
