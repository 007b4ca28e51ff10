import type { Database } from '../../../db/database.ts'
import { parseUuid } from '../../../lib/input/ids.ts'
import type { Stream } from '../types.ts'
import type { ReplayResult } from './replay.rules.ts'
import { closed, REPLAYS_MAX, readJobIds, refused } from './replay.rules.ts'
import type { ReplayRow } from './replay.sql.ts'
import { replayDeliveries } from './replay.sql.ts'

export type Replayed = Extract<ReplayResult, { kind: 'replayed' }>

export type Replays = {
  /** Throws when the delivery cannot be replayed. */
  replay(resellerId: bigint, stream: Stream, jobId: string): Promise<Replayed>
  /** Returns one result per id, in their order. An id that is given twice is replayed twice. */
  replayMany(resellerId: bigint, stream: Stream, jobIds: unknown): Promise<readonly ReplayResult[]>
}

export function createReplays(database: Database): Replays {
  async function replayAll(resellerId: bigint, stream: Stream, jobIds: readonly string[]) {
    const known = jobIds.flatMap((jobId) => parseUuid(jobId) ?? [])
    // A transaction, because a single statement whose answer is lost would be reported as one that did nothing.
    const replayKnown = () =>
      database.transaction((tx) => replayDeliveries(tx, { resellerId, stream }, known, REPLAYS_MAX))
    const rows = known.length === 0 ? [] : await replayKnown()
    let next = 0
    return jobIds.map((jobId) => toResult(jobId, parseUuid(jobId) === undefined ? undefined : rows[next++]))
  }

  return {
    async replay(resellerId, stream, jobId) {
      const [result] = await replayAll(resellerId, stream, [jobId])
      if (result === undefined) throw new Error('a replay came to nothing')
      if (result.kind !== 'replayed') throw refused(result.kind)
      return result
    },
    async replayMany(resellerId, stream, jobIds) {
      return replayAll(resellerId, stream, readJobIds(jobIds))
    },
  }
}

/** Throws when nothing can be sent to the endpoint now: then no delivery of the request was replayed. */
function toResult(jobId: string, row: ReplayRow | undefined): ReplayResult {
  if (row === undefined) return { kind: 'not_found', jobId }
  switch (row.outcome) {
    case 'missing':
    case 'disabled':
    case 'paused':
      throw closed(row.outcome)
    case 'replayed':
      if (row.new_id === null || row.event_id === null) throw new Error('a replay has no id')
      return { kind: 'replayed', jobId, newJobId: row.new_id, eventId: row.event_id }
    case 'not_found':
    case 'not_failed':
    case 'gone':
    case 'limit':
      return { kind: row.outcome, jobId }
  }
}
