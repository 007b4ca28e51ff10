import { REFUSALS } from './replay.rules.ts'
import type { Replayed } from './replay.service.ts'
import type { ReplayResult } from './replay.types.ts'

export function replayView({ jobId, newJobId, eventId }: Replayed) {
  return { jobId: newJobId, originalJobId: jobId.toLowerCase(), eventId }
}

export function bulkReplayView(results: readonly ReplayResult[]) {
  return { results: results.map(resultView) }
}

function resultView(result: ReplayResult) {
  const { jobId } = result
  if (result.kind === 'replayed') return { jobId, success: true, newJobId: result.newJobId } as const
  const { error, message } = REFUSALS[result.kind]
  return { jobId, success: false, newJobId: null, error, message } as const
}
