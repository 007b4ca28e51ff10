import { defineCall } from '../../../db/calls.ts'
import type { Queryable } from '../../../db/database.ts'
import type { LogKey } from './log.sql.ts'
import type { ClosedState, ReplayRefusal } from './replay.rules.ts'

export type ReplayRow = {
  place: number
  outcome: 'replayed' | ReplayRefusal | ClosedState
  new_id: string | null
  event_id: string | null
}

const REPLAY = defineCall(
  {
    name: 'deliveries_replay',
    text: 'select place, outcome, new_id, event_id from replay_deliveries(...) order by place',
  },
  { p_reseller: 'bigint', p_stream: 'text', p_ids: 'uuid[]', p_replays_max: 'integer' },
)

/** Returns one row per id, in their order. */
export async function replayDeliveries(
  connection: Queryable,
  { resellerId, stream }: LogKey,
  ids: readonly string[],
  replaysMax: number,
): Promise<ReplayRow[]> {
  const values = REPLAY.valuesOf({
    p_reseller: resellerId,
    p_stream: stream,
    p_ids: ids,
    p_replays_max: replaysMax,
  })
  const { rows } = await connection.query<ReplayRow>(REPLAY.statement, values)
  return rows
}
