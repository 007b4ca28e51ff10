import type { Queryable } from '../../../db/database.ts'

const SEQUENCE = {
  name: 'events_sequence',
  text: 'select facts, events, deliveries, fanouts from sequence_facts($1)',
}

export type Sequenced = {
  /** Rows of facts that were numbered; each row is a batch. */
  readonly facts: number
  readonly events: number
  readonly deliveries: number
  /** Catalogue changes that the fan-out turns into deliveries. */
  readonly fanouts: number
}

const OLDEST_FACT = {
  name: 'event_facts_oldest',
  text: `select extract(epoch from clock_timestamp() - at)::float8 as seconds from event_facts order by id limit 1`,
}

/** Seconds that the oldest fact has waited for its sequence; 0: none waits. */
export async function readOldestFactSeconds(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ seconds: number }>(OLDEST_FACT)
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** Numbers facts in one commit; undefined: another node is at work. */
export async function sequenceFacts(connection: Queryable, factsMax: number): Promise<Sequenced | undefined> {
  const { rows } = await connection.query<Sequenced | { facts: null }>(SEQUENCE, [factsMax])
  const row = rows[0]
  if (row === undefined) throw new Error('sequence_facts gave no row')
  return row.facts === null ? undefined : row
}
