import type { Queryable } from '../../../db/database.ts'
import type { ClosedState } from './replay.types.ts'
import type { Sample } from '../messages/samples.rules.ts'
import type { Stream } from '../types.ts'

type SampleRow =
  | { outcome: 'queued'; new_id: string; event_id: string }
  | { outcome: 'limit' | ClosedState; new_id: null; event_id: null }

export type NewSample = {
  readonly resellerId: bigint
  readonly stream: Stream
  readonly sample: Sample
  readonly at: Date
}

export async function queueSample(
  connection: Queryable,
  { resellerId, stream, sample, at }: NewSample,
  perMinuteMax: number,
): Promise<SampleRow> {
  const { rows } = await connection.query<SampleRow>(
    'select outcome, new_id, event_id from queue_test_event($1, $2, $3, $4, $5, $6)',
    [resellerId, stream, sample.type, sample.data, at, perMinuteMax],
  )
  const [row] = rows
  if (row === undefined) throw new Error('queue_test_event gave no row')
  return row
}
