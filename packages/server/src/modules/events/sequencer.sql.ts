import type { Queryable } from '../../db/database.ts'

const SEQUENCE = {
  name: 'events_sequence',
  text: 'select facts, events, deliveries, fanouts from sequence_facts($1)',
}

export type Sequenced = {
  /** Rows of facts that were numbered; each tells of a batch. */
  readonly facts: number
  readonly events: number
  readonly deliveries: number
  /** Catalogue changes whose deliveries are still to be made. */
  readonly fanouts: number
}

/** Undefined: somebody else is at it. */
export async function sequenceFacts(connection: Queryable, factsMax: number): Promise<Sequenced | undefined> {
  const { rows } = await connection.query<Sequenced | { facts: null }>(SEQUENCE, [factsMax])
  const row = rows[0]
  if (row === undefined) throw new Error('sequence_facts gave no row')
  return row.facts === null ? undefined : row
}
