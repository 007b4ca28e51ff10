import { defineCall } from '../../../db/calls.ts'
import type { Queryable } from '../../../db/database.ts'
import type { Sample } from '../messages/samples.rules.ts'
import type { Stream } from '../types.ts'
import type { ClosedState } from './replay.rules.ts'

type SampleRow =
  | { outcome: 'queued'; new_id: string; event_id: string }
  | { outcome: 'limit' | ClosedState; new_id: null; event_id: null }

export type NewSample = {
  readonly resellerId: bigint
  readonly stream: Stream
  readonly sample: Sample
  readonly at: Date
}

const QUEUE = defineCall(
  { name: 'deliveries_queue_test', text: 'select outcome, new_id, event_id from queue_test_event(...)' },
  {
    p_reseller: 'bigint',
    p_stream: 'text',
    p_type: 'text',
    p_data: 'jsonb',
    p_at: 'timestamptz',
    p_per_minute_max: 'integer',
  },
)

export async function queueSample(
  connection: Queryable,
  { resellerId, stream, sample, at }: NewSample,
  perMinuteMax: number,
): Promise<SampleRow> {
  const values = QUEUE.valuesOf({
    p_reseller: resellerId,
    p_stream: stream,
    p_type: sample.type,
    p_data: sample.data,
    p_at: at,
    p_per_minute_max: perMinuteMax,
  })
  const { rows } = await connection.query<SampleRow>(QUEUE.statement, values)
  const [row] = rows
  if (row === undefined) throw new Error('queue_test_event gave no row')
  return row
}
