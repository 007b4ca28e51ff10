import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import type { ReplayResult } from './replay.rules.ts'
import { BULK_MAX, REFUSALS } from './replay.rules.ts'
import type { Replayed } from './replay.service.ts'

export const ReplayResponse = Type.Object(
  {
    jobId: Type.String({ description: 'The new delivery' }),
    originalJobId: Type.String({ description: 'The one that failed' }),
    eventId: Type.String({ description: 'The same as before' }),
  },
  { title: 'Replay' },
)

export const BulkReplayBody = Type.Object({
  job_ids: documentedAs(
    { schema: { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: BULK_MAX } },
    Type.Array(Type.Unknown(), { description: 'Ids of failed deliveries', minItems: 1, maxItems: BULK_MAX }),
  ),
})

export const BulkReplayResponse = Type.Object(
  {
    results: Type.Array(
      Type.Union([
        Type.Object({ jobId: Type.String(), success: Type.Literal(true), newJobId: Type.String() }),
        Type.Object({
          jobId: Type.String(),
          success: Type.Literal(false),
          newJobId: Type.Null(),
          error: Type.String({ description: 'not_found, not_failed or replay_limit_exceeded' }),
          message: Type.String(),
        }),
      ]),
      { description: 'One per id, in their order' },
    ),
  },
  { title: 'Bulk replay' },
)

export function replayView({ jobId, newJobId, eventId }: Replayed) {
  return { jobId: newJobId, originalJobId: jobId.toLowerCase(), eventId }
}

export function bulkReplayView(results: readonly ReplayResult[]) {
  return { results: results.map(replayResultView) }
}

function replayResultView(result: ReplayResult) {
  const { jobId } = result
  if (result.kind === 'replayed') return { jobId, success: true, newJobId: result.newJobId } as const
  const { error, message } = REFUSALS[result.kind]
  return { jobId, success: false, newJobId: null, error, message } as const
}
