import { defineBatchCall, defineCall } from '../../../db/calls.ts'
import type { Queryable } from '../../../db/database.ts'
import type { RefRow } from '../messages/refs.sql.ts'
import { REF_COLUMNS, refOfRow } from '../messages/refs.sql.ts'
import type { Stream } from '../types.ts'
import type { DeliveryState, DueDelivery, LaneKey, Result } from './deliveries.types.ts'
import { keyArrays } from './lanes.sql.ts'

type DueRow = RefRow & {
  lane: number
  work_at: string
  advanced_ms: bigint
  id: string
  attempts_made: number
  is_replay: boolean
}

type LaneLimit = { readonly lane: LaneKey; readonly rowsMax: number }

const LIST_DUE = defineBatchCall<LaneLimit>()(
  {
    name: 'deliveries_list_due',
    text: `select lane, work_at, advanced_ms, id, attempts_made, is_replay, ${REF_COLUMNS.join(', ')}
             from due_deliveries(...)`,
  },
  [
    ['p_resellers', 'bigint[]', ({ lane }) => lane.resellerId],
    ['p_streams', 'text[]', ({ lane }) => lane.stream],
    ['p_rows_max', 'integer[]', ({ rowsMax }) => rowsMax],
  ],
  {},
)

/** Lists what is due in lanes that the caller holds, oldest first, at most `rowsMax` of each lane. */
export async function listDue(
  connection: Queryable,
  lanes: readonly LaneKey[],
  rowsMax: readonly number[],
): Promise<DueDelivery[]> {
  const limits = lanes.map((lane, index) => ({ lane, rowsMax: rowsMax[index] ?? 0 }))
  const { rows } = await connection.query<DueRow>(LIST_DUE.statement, LIST_DUE.valuesOf(limits, {}))
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    // Lanes are counted from 1, and every row belongs to one of them.
    stream: (lanes[row.lane - 1] as LaneKey).stream,
    id: row.id,
    ref: refOfRow(row),
    attemptsMade: row.attempts_made,
    isReplay: row.is_replay,
    workAt: row.work_at,
    advancedMs: row.advanced_ms,
  }))
}

/** Present endpoint of a lane. */
export type TargetRow = {
  reseller_id: bigint
  stream: Stream
  url: string
  method: 'GET' | 'POST'
  is_enabled: boolean
  is_paused: boolean
  is_failing: boolean
  sealed_secret: Buffer
  /** Set only while the previous secret signs beside the present one. */
  sealed_previous_secret: Buffer | null
}

const LIST_TARGETS = {
  name: 'deliveries_list_targets',
  text: `select e.reseller_id, e.stream, e.url, e.method, e.is_enabled, e.paused_at is not null as is_paused,
                e.failing_since is not null as is_failing, e.sealed_secret,
                case when e.previous_secret_until > now() then e.sealed_previous_secret end as sealed_previous_secret
           from unnest($1::bigint[], $2::text[]) as k (reseller_id, stream)
           join event_endpoints e on e.reseller_id = k.reseller_id and e.stream = k.stream`,
}

export async function listTargets(connection: Queryable, lanes: readonly LaneKey[]): Promise<TargetRow[]> {
  const { rows } = await connection.query<TargetRow>(LIST_TARGETS, keyArrays(lanes))
  return rows
}

const RECORD = defineBatchCall<Result>()(
  { name: 'deliveries_record', text: 'select record_deliveries(...) as states' },
  [
    ['p_resellers', 'bigint[]', ({ delivery }) => delivery.resellerId],
    ['p_streams', 'text[]', ({ delivery }) => delivery.stream],
    ['p_ids', 'uuid[]', ({ delivery }) => delivery.id],
    ['p_work_ats', 'timestamptz[]', ({ delivery }) => delivery.workAt],
    ['p_advanced_ms', 'bigint[]', ({ delivery }) => delivery.advancedMs],
    ['p_outcomes', 'text[]', ({ outcome }) => outcome],
    ['p_attempts_max', 'smallint[]', ({ attemptsMax }) => attemptsMax],
    ['p_retry_ms', 'integer[]', ({ retryMs }) => retryMs],
    ['p_is_test', 'boolean[]', ({ isTest }) => isTest],
    ['p_ats', 'text[]', ({ attempt }) => attempt?.at.toISOString() ?? null],
    ['p_ms', 'integer[]', ({ attempt }) => attempt?.ms ?? null],
    ['p_errors', 'text[]', ({ error }) => error],
    ['p_response_statuses', 'smallint[]', ({ attempt }) => attempt?.status ?? 0],
    ['p_sealed_responses', 'bytea[]', ({ attempt }) => attempt?.sealedResponse ?? null],
    ['p_urls', 'text[]', ({ attempt }) => attempt?.url ?? null],
    ['p_methods', 'text[]', ({ attempt }) => attempt?.method ?? null],
  ],
  {},
)

/** Records results in one commit; repeating it is harmless. Returns each delivery's new state, null: unchanged. */
export async function recordResults(
  connection: Queryable,
  results: readonly Result[],
): Promise<(DeliveryState | null)[]> {
  const { rows } = await connection.query<{ states: (DeliveryState | null)[] }>(
    RECORD.statement,
    RECORD.valuesOf(results, {}),
  )
  const states = rows[0]?.states
  if (states === undefined) throw new Error('record_deliveries gave no row')
  return states
}

const END = defineCall(
  { name: 'deliveries_end', text: 'select end_deliveries(...) as ended' },
  { p_reseller: 'bigint', p_stream: 'text', p_except: 'uuid[]', p_rows_max: 'integer' },
)

/**
 * Ends what is due in a lane whose receiver is removed, disabled or paused, oldest first. Returns how many it ended: 0
 * also while many facts wait for the sequencer.
 */
export async function endDeliveries(
  connection: Queryable,
  { resellerId, stream }: LaneKey,
  except: Iterable<string>,
  rowsMax: number,
): Promise<number> {
  const values = END.valuesOf({
    p_reseller: resellerId,
    p_stream: stream,
    p_except: [...except],
    p_rows_max: rowsMax,
  })
  const { rows } = await connection.query<{ ended: number }>(END.statement, values)
  return rows[0]?.ended ?? 0
}
